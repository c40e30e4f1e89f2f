// When bound values are looked at for what was declared of them: with CompileOptions::verify, at the first run and where they may
// have changed since. What is then said is in program_errors_test.cpp.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include "evaluate/error_text.hpp"
#include "tyto/compile.hpp"

namespace tyto::session {

namespace {

using v1::einsum, v1::tensor;  // not the namespaces

const Index i("i", 3), r("r", 2);

/// A symmetric matrix and orthonormal columns, and a way to spoil either.
struct Declared {
  Expr a = tensor("A", {i, i.prime()}, Field::real, {.symmetric = {{i, i.prime()}}});
  Expr q = tensor("Q", {i, r}, Field::real, {.orthonormal = {r}});
  std::vector<double> a_values{1, 2, 3, 2, 4, 5, 3, 5, 6}, q_values{0.6, -0.8, 0.8, 0.6, 0, 0};
  Program program{{a, q}, {.verify = true}};

  void bind(Changes changes) {
    program.bind(a, ConstArray(a_values.data(), {3, 3}), changes);
    program.bind(q, ConstArray(q_values.data(), {3, 2}), changes);
  }
  bool is_refused() {
    return test::code_of([&] { program.run(); }) == Code::contradiction;
  }
  bool is_refused(std::size_t output) {
    return test::code_of([&] { program.run(output); }) == Code::contradiction;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(declared_facts)

BOOST_AUTO_TEST_CASE(a_symmetric_value_passes) {
  Declared d;
  Program program({einsum({d.a, d.a}, {})}, {.verify = true});
  program.bind(d.a, ConstArray(d.a_values.data(), {3, 3}));
  program.run();
  BOOST_TEST(*program.output(0).as<double>() == 129, boost::test_tools::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(an_orthonormal_value_passes) {
  Declared d;
  Program program({norm2(d.q)}, {.verify = true});
  program.bind(d.q, ConstArray(d.q_values.data(), {3, 2}));
  program.run();
  BOOST_TEST(*program.output(0).as<double>() == 2, boost::test_tools::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(orthonormal_values_in_single_precision_pass) {
  const Declared d;
  const std::vector<float> values(d.q_values.begin(), d.q_values.end());
  Program program({d.q}, {.precision = Dtype::f32, .verify = true});
  program.bind(d.q, ConstArray(values.data(), {3, 2}));
  program.run();
  BOOST_TEST(program.output(0).as<float>()[1] == -0.8F);
}

BOOST_AUTO_TEST_CASE(what_may_change_at_every_run_is_looked_at_by_every_run) {
  Declared d;
  d.bind(Changes::every_run);
  BOOST_TEST(!d.is_refused());
  d.a_values[1] = 7;
  BOOST_TEST(d.is_refused());
  d.a_values[3] = 7;
  BOOST_TEST(!d.is_refused());
  d.q_values[0] = 1;
  BOOST_TEST(d.is_refused());
}

BOOST_AUTO_TEST_CASE(what_does_not_change_is_looked_at_once) {
  for (const Changes changes : {Changes::never, Changes::rarely}) {
    Declared d;
    d.bind(changes);
    BOOST_TEST(!d.is_refused());
    d.a_values[1] = 7;  // against the promise, which shows that nobody looks
    BOOST_TEST(!d.is_refused());
    d.program.touch(d.q);
    BOOST_TEST(!d.is_refused());
    d.program.touch(d.a);
    BOOST_TEST(d.is_refused());
    BOOST_TEST(d.is_refused());  // being refused makes nothing true
    d.a_values[1] = 2;
    BOOST_TEST(!d.is_refused());
  }
}

BOOST_AUTO_TEST_CASE(another_array_is_looked_at) {
  Declared d;
  d.bind(Changes::never);
  BOOST_TEST(!d.is_refused());
  std::vector<double> other = d.a_values;
  other[5] = 0;
  d.program.bind(d.a, ConstArray(other.data(), {3, 3}), Changes::never);
  BOOST_TEST(d.is_refused());
}

BOOST_AUTO_TEST_CASE(one_array_that_is_laid_out_anew_leaves_the_others_alone) {
  Declared d;
  d.bind(Changes::never);
  BOOST_TEST(!d.is_refused());
  d.a_values[1] = 7;  // against the promise
  const std::vector<double> by_columns{0.6, 0.8, 0, -0.8, 0.6, 0};
  d.program.bind(d.q, ConstArray(by_columns.data(), {3, 2}, {1, 3}), Changes::never);  // a plan of its own
  BOOST_TEST(!d.is_refused());
}

BOOST_AUTO_TEST_CASE(an_array_that_runs_backwards_is_looked_at_where_it_lies) {
  Declared d;
  d.bind(Changes::every_run);
  d.program.bind(d.q, ConstArray(d.q_values.data() + 1, {3, 2}, {2, -1}));
  BOOST_TEST(!d.is_refused());
  d.q_values[4] = 1;
  BOOST_TEST(d.is_refused());
}

BOOST_AUTO_TEST_CASE(a_run_of_one_output_looks_at_its_own_leaves) {
  Declared d;
  d.bind(Changes::never);
  d.q_values[0] = 1;  // not computed yet
  BOOST_TEST(!d.is_refused(0));
  BOOST_TEST(d.is_refused(1));
  d.q_values[0] = 0.6;
  BOOST_TEST(!d.is_refused(1));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
