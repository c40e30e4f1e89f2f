// Errors of programs and of derivative checks, each with its exact text.
#include <boost/test/unit_test.hpp>
#include "evaluate/error_text.hpp"
#include "graph/text.hpp"
#include "tyto/compile.hpp"
#include "verify/verified.hpp"

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
  BOOST_TEST(error_of([&] { program.run(); }) ==
             "no array is bound to the leaf Apple\n"
             "  expected  an array of 3 x 2\n"
             "  try       bind() before run()\n"
             "no array is bound to the leaf Pear\n"
             "  expected  an array of 3 x 2\n"
             "  try       bind() before run()");
  BOOST_TEST(error_of([&] { program.run(1); }) ==
             "no array is bound to the leaf Apple\n"
             "  expected  an array of 3 x 2\n"
             "  try       bind() before run()");
}

BOOST_AUTO_TEST_CASE(an_array_of_another_element_type_is_refused) {
  const Product p;
  const std::vector<float> single(6);
  Program program({p.a * p.b});
  BOOST_TEST(error_of([&] {
               program.bind(p.a, ConstArray(single.data(), {3, 2}));
             }) ==
             "the array for the leaf Apple has another element type\n"
             "  expected  f64\n"
             "  found     f32\n"
             "  try       an array of that type, or another CompileOptions::precision");
  Program in_single({p.a * p.b}, {.precision = Dtype::f32});
  BOOST_TEST(error_of([&] { in_single.bind(p.a, p.array()); }) ==
             "the array for the leaf Apple has another element type\n"
             "  expected  f32\n"
             "  found     f64\n"
             "  try       an array of that type, or another CompileOptions::precision");
  BOOST_TEST(error_of([&] {
               program.bind_output(0, Array(const_cast<float*>(single.data()), {3, 2}));
             }) ==
             "the array for output 0 has another element type\n"
             "  expected  f64\n"
             "  found     f32\n"
             "  try       an array of that type, or another CompileOptions::precision");
}

BOOST_AUTO_TEST_CASE(an_array_of_another_shape_is_refused) {
  const Product p;
  Program program({p.a * p.b});
  BOOST_TEST(error_of([&] {
               program.bind(p.a, ConstArray(p.values.data(), {2, 3}));
             }) ==
             "the array for the leaf Apple has another shape\n"
             "  expected  3 x 2\n"
             "  found     2 x 3\n"
             "  try       axes in the order of the labels of the expression");
  BOOST_TEST(error_of([&] {
               program.bind(p.a, ConstArray(p.values.data(), {3, 2}, {1}));
             }) ==
             "the array for the leaf Apple has another number of strides than of axes\n"
             "  expected  2\n"
             "  found     1");
  BOOST_TEST(error_of([&] { program.bind_output(0, Array(const_cast<double*>(p.values.data()), {6})); }) ==
             "the array for output 0 has another shape\n"
             "  expected  3 x 2\n"
             "  found     6\n"
             "  try       axes in the order of the labels of the expression");
}

BOOST_AUTO_TEST_CASE(an_array_without_memory_on_the_host_is_refused) {
  const Product p;
  Program program({p.a * p.b});
  BOOST_TEST(error_of([&] {
               program.bind(p.a, ConstArray(static_cast<const double*>(nullptr), {3, 2}));
             }) ==
             "the array for the leaf Apple has no memory\n"
             "  expected  an address\n"
             "  found     a null pointer");
  ConstArray elsewhere = p.array();
  elsewhere.space = Space::device;
  BOOST_TEST(error_of([&] { program.bind(p.a, elsewhere); }) ==
             "the array for the leaf Apple lies on a device\n"
             "  expected  host memory\n"
             "  found     device memory");
}

BOOST_AUTO_TEST_CASE(what_is_no_leaf_of_the_outputs_is_refused) {
  const Product p;
  Program program({p.a * p.b});
  BOOST_TEST(error_of([&] {
               program.bind(tensor("Appel", {i, r}), p.array());
             }) ==
             "the outputs do not contain the leaf Appel\n"
             "  expected  Apple or Pear\n"
             "  found     Appel\n"
             "  try       Apple");
  BOOST_TEST(error_of([&] {
               program.touch(tensor("Apple", {i, r}));
             }) ==
             "the outputs do not contain the leaf Apple\n"
             "  expected  Apple or Pear\n"
             "  found     another leaf that is called Apple too\n"
             "  try       the very expression that the outputs were made of");
  BOOST_TEST(error_of([&] { program.bind(2 * p.a, p.array()); }) ==
             "2*Apple(i,r): an array can be bound to a leaf only\n"
             "  expected  what tensor() or a Declaration made\n"
             "  found     2*Apple(i,r)");
  Program constants({3});
  BOOST_TEST(error_of([&] { constants.bind(p.a, p.array()); }) ==
             "the outputs do not contain the leaf Apple\n"
             "  expected  no leaf: the outputs are constants\n"
             "  found     Apple");
}

BOOST_AUTO_TEST_CASE(an_output_that_is_not_there_is_refused) {
  const Product p;
  Program program({p.a * p.b, p.a});
  program.bind(p.a, p.array());
  BOOST_TEST(error_of([&] { program.run(2); }) ==
             "there is no output 2\n"
             "  expected  0..1\n"
             "  found     2");
  BOOST_TEST(error_of([&] { Program(Exprs{}).output(0); }) ==
             "there is no output 0\n"
             "  expected  none: the program has no outputs\n"
             "  found     0");
  BOOST_TEST(error_of([&] { program.output(1); }) ==
             "output 1 has no value\n"
             "  expected  run() before output()\n"
             "  try       run() or run(1)");
}

BOOST_AUTO_TEST_CASE(options_that_do_not_fit_are_refused) {
  const Product p;
  const auto with = [&](const CompileOptions& options) { return error_of([&] { Program({p.a * p.b}, options); }); };
  BOOST_TEST(with({.precision = Dtype::i32}) ==
             "a program cannot compute in this precision\n"
             "  expected  f32 or f64\n"
             "  found     i32\n"
             "  try       f64; complex expressions get the complex type of that precision");
  BOOST_TEST(with({.executor = "cpus"}) ==
             "unknown executor 'cpus'\n"
             "  expected  cpu or reference\n"
             "  found     cpus\n"
             "  try       cpu");
  BOOST_TEST(with({.executor = "cuda"}) ==
             "executor 'cuda' is missing here\n"
             "  expected  cpu or reference\n"
             "  found     cuda: not part of this version");
  BOOST_TEST(with({.memory_limit = -1}) ==
             "CompileOptions::memory_limit is negative\n"
             "  expected  bytes, or 0 for what the machine has\n"
             "  found     -1");
  BOOST_TEST(with({.memory_limit = 100}) ==
             "the program needs more memory than memory_limit allows\n"
             "  expected  at most 100 bytes\n"
             "  found     160 bytes: 64 bytes for intermediates, 96 bytes for bound arrays; the largest are Apple 48 bytes, Pear "
             "48 bytes, T1 48 bytes\n"
             "  try       smaller extents, a higher memory_limit, or precision f32");
  BOOST_TEST(with({.threads = 0}) ==
             "CompileOptions::threads is not positive\n"
             "  expected  >= 1\n"
             "  found     0");
  BOOST_TEST(with({.switched_off = {"distribut", "fuse"}}) ==
             "there is no pass 'distribut'\n"
             "  expected  algebra, distribute, fuse, prune_identities, prune_orthonormal, structured_solve, prune_inverses, "
             "factor, common_subexpressions, "
             "message_tree, contraction_path, fuse_identities, fuse_elementwise, fuse_products, fuse_accumulation or fuse_slabs\n"
             "  found     distribut\n"
             "  try       distribute");
}

BOOST_AUTO_TEST_CASE(values_that_are_not_what_was_declared_are_refused) {
  const Index n("i", 2);
  const Expr a = tensor("A", {n, n.prime()}, Field::real, {.symmetric = {{n, n.prime()}}}),
             q = tensor("Q", {n, r}, Field::real, {.orthonormal = {r}});
  const std::vector<double> matrix{1, 2.5, 3.5, 4}, columns{1, 0.5, 0, 1};
  const auto with = [&](bool verify) {
    Program program({a, q}, {.verify = verify});
    program.bind(a, ConstArray(matrix.data(), {2, 2}));
    program.bind(q, ConstArray(columns.data(), {2, 2}));
    return error_of([&] { program.run(); });
  };
  BOOST_TEST(with(true) ==
             "A is declared symmetric in i, i'\n"
             "  expected  A(1,0) = A(0,1) = 2.5 within 1e-08 of the largest magnitude\n"
             "  found     3.5\n"
             "  try       values that are symmetric, or a leaf without Facts::symmetric\n"
             "Q is declared orthonormal in r\n"
             "  expected  the sum over i of Q(i,0) Q(i,1) = 0 within 1e-08\n"
             "  found     0.5\n"
             "  try       values that are orthonormal, or a leaf without Facts::orthonormal");
  BOOST_TEST(with(false) == (verify::always ? with(true) : "nothing was thrown"));
}

BOOST_AUTO_TEST_CASE(a_program_may_outgrow_its_memory_limit_only_with_an_error) {
  const Index large("n", std::int64_t{1} << 40);
  const Expr a = tensor("A", {large});
  BOOST_TEST((test::code_of([&] { Program({2 * a}); }) == Code::memory));
}

BOOST_AUTO_TEST_CASE(derivatives_are_checked_by_leaves_with_values) {
  const Product p;
  const Expr y = norm2(p.a) * sum(p.b);
  const auto error_with = [&](const Expr& x, const std::vector<Bound>& at) {
    return error_of([&] { (void)check_derivative(y, x, at); });
  };
  BOOST_TEST(error_with(2 * p.a, {}) ==
             "2*Apple(i,r): derivatives are checked by leaves, which have values\n"
             "  expected  what tensor() or a Declaration made\n"
             "  found     2*Apple(i,r)");
  BOOST_TEST(error_with(p.a, {{p.b, p.array()}}) ==
             "the leaf Apple has no values\n"
             "  expected  a Bound of Apple");
  BOOST_TEST(error_with(p.a, {{p.a, p.array()}}) ==
             "the leaf Pear has no values\n"
             "  expected  a Bound of Pear");
  BOOST_TEST(error_with(p.a, {{p.a, ConstArray(p.values.data(), {6})}, {p.b, p.array()}}) ==
             "the array for the leaf Apple has another shape\n"
             "  expected  3 x 2\n"
             "  found     6\n"
             "  try       axes in the order of the labels of the expression");
  BOOST_TEST(error_with(p.a, {{p.a * p.b, p.array()}}) ==
             "Apple(i,r)*Pear(i,r): derivatives are checked by leaves, which have values\n"
             "  expected  what tensor() or a Declaration made\n"
             "  found     Apple(i,r)*Pear(i,r)");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
