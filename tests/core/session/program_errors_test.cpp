// Errors of programs and of derivative checks, each with its exact text.
#include <boost/test/unit_test.hpp>
#include "evaluate/error_text.hpp"
#include "graph/text.hpp"
#include "tyto/compile.hpp"

namespace tyto::session {

namespace {

using test::error_of;

const Index i("i", 3), r("r", 2);

struct Product {
  Expr a = tensor("Apple", {i, r}), b = tensor("Pear", {i, r});
  std::vector<double> values = std::vector<double>(6, 1);
  ConstArray array() const { return {values.data(), {3, 2}}; }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(program_errors)

BOOST_AUTO_TEST_CASE(leaves_without_arrays_are_named_all_at_once) {
  const Product p;
  Program program({p.a * p.b, sum(p.a)});
  BOOST_TEST(error_of([&] { program.run(); }) == "");
  BOOST_TEST(error_of([&] { program.run(1); }) == "");
}

BOOST_AUTO_TEST_CASE(an_array_of_another_element_type_is_refused) {
  const Product p;
  const std::vector<float> single(6);
  Program program({p.a * p.b});
  BOOST_TEST(error_of([&] { program.bind(p.a, ConstArray(single.data(), {3, 2})); }) == "");
  Program in_single({p.a * p.b}, {.precision = Dtype::f32});
  BOOST_TEST(error_of([&] { in_single.bind(p.a, p.array()); }) == "");
  BOOST_TEST(error_of([&] { program.bind_output(0, Array(const_cast<float*>(single.data()), {3, 2})); }) == "");
}

BOOST_AUTO_TEST_CASE(an_array_of_another_shape_is_refused) {
  const Product p;
  Program program({p.a * p.b});
  BOOST_TEST(error_of([&] { program.bind(p.a, ConstArray(p.values.data(), {2, 3})); }) == "");
  BOOST_TEST(error_of([&] { program.bind(p.a, ConstArray(p.values.data(), {3, 2}, {1})); }) == "");
  BOOST_TEST(error_of([&] { program.bind_output(0, Array(const_cast<double*>(p.values.data()), {6})); }) == "");
}

BOOST_AUTO_TEST_CASE(an_array_without_memory_on_the_host_is_refused) {
  const Product p;
  Program program({p.a * p.b});
  BOOST_TEST(error_of([&] { program.bind(p.a, ConstArray(static_cast<const double*>(nullptr), {3, 2})); }) == "");
  ConstArray elsewhere = p.array();
  elsewhere.space = Space::device;
  BOOST_TEST(error_of([&] { program.bind(p.a, elsewhere); }) == "");
}

BOOST_AUTO_TEST_CASE(what_is_no_leaf_of_the_outputs_is_refused) {
  const Product p;
  Program program({p.a * p.b});
  BOOST_TEST(error_of([&] { program.bind(tensor("Appel", {i, r}), p.array()); }) == "");
  BOOST_TEST(error_of([&] { program.touch(tensor("Apple", {i, r})); }) == "");
  BOOST_TEST(error_of([&] { program.bind(2 * p.a, p.array()); }) == "");
  Program constants({3});
  BOOST_TEST(error_of([&] { constants.bind(p.a, p.array()); }) == "");
}

BOOST_AUTO_TEST_CASE(an_output_that_is_not_there_is_refused) {
  const Product p;
  Program program({p.a * p.b, p.a});
  program.bind(p.a, p.array());
  BOOST_TEST(error_of([&] { program.run(2); }) == "");
  BOOST_TEST(error_of([&] { Program(Exprs{}).output(0); }) == "");
  BOOST_TEST(error_of([&] { program.output(1); }) == "");
}

BOOST_AUTO_TEST_CASE(options_that_do_not_fit_are_refused) {
  const Product p;
  const auto with = [&](const CompileOptions& options) { return error_of([&] { Program({p.a * p.b}, options); }); };
  BOOST_TEST(with({.precision = Dtype::i32}) == "");
  BOOST_TEST(with({.executor = "cpus"}) == "");
  BOOST_TEST(with({.executor = "cuda"}) == "");
  BOOST_TEST(with({.memory_limit = -1}) == "");
  BOOST_TEST(with({.memory_limit = 100}) == "");
  BOOST_TEST(with({.threads = 0}) == "");
  BOOST_TEST(with({.switched_off = {"distribut", "fuse"}}) == "");
  BOOST_TEST(with({.verify = true}) == "");
}

BOOST_AUTO_TEST_CASE(a_program_may_outgrow_its_memory_limit_only_with_an_error) {
  const Index large("n", std::int64_t{1} << 40);
  const Expr a = tensor("A", {large});
  BOOST_TEST(test::code_of([&] { Program({2 * a}); }) == Code::memory);
}

BOOST_AUTO_TEST_CASE(derivatives_are_checked_by_leaves_with_values) {
  const Product p;
  const Expr y = norm2(p.a) * sum(p.b);
  BOOST_TEST(error_of([&] { (void)check_derivative(y, 2 * p.a, {}); }) == "");
  BOOST_TEST(error_of([&] { (void)check_derivative(y, p.a, {{p.b, p.array()}}); }) == "");
  BOOST_TEST(error_of([&] { (void)check_derivative(y, p.a, {{p.a, p.array()}}); }) == "");
  BOOST_TEST(error_of([&] { (void)check_derivative(y, p.a, {{p.a, ConstArray(p.values.data(), {6})}, {p.b, p.array()}}); }) == "");
  BOOST_TEST(error_of([&] { (void)check_derivative(y, p.a, {{p.a * p.b, p.array()}}); }) == "");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
