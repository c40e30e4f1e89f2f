// Every refusal of tyto/expr.hpp, with its text: labels, extents and operands are named.
#include <boost/test/unit_test.hpp>
#include "evaluate/error_text.hpp"
#include "tyto/expr.hpp"

using namespace tyto::v1;
using namespace tyto::test;

namespace {

struct Fixture {
  Index i{"i", 2}, j{"j", 3}, r{"r", 2}, k{"k", 4};
  Expr a = tensor("A", {i, r}), b = tensor("B", {j, r}), s = tensor("s", {});
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(refusals, Fixture)

BOOST_AUTO_TEST_CASE(labels_that_do_not_fit_axes) {
  BOOST_TEST(error_of([&] { (void)a({j, r}); }) == "A(i,r): label j does not fit axis 0\n  expected  i=2\n  found     j=3");
  BOOST_TEST((code_of([&] { (void)a({j, r}); }) == Code::extent));
  BOOST_TEST(error_of([&] { (void)a({i}); }) ==
             "A(i,r): the number of labels is not the order\n  expected  2 labels\n  found     (i)");
  BOOST_TEST(error_of([&] { (void)Expr(2.0)({i}); }) ==
             "2: the number of labels is not the order\n  expected  0 labels\n  found     (i)");
  const Index varying("t", 2, 8);
  BOOST_TEST(error_of([&] { (void)a({varying, r}); }) == "A(i,r): label t does not fit axis 0\n  expected  i=2\n  found     t=2");
}

BOOST_AUTO_TEST_CASE(axes_that_are_not_there) {
  BOOST_TEST(error_of([&] { (void)a.axis(2); }) == "A(i,r): axis 2 does not exist\n  expected  0..1\n  found     2");
  BOOST_TEST(error_of([&] { (void)a.axis(-1); }) == "A(i,r): axis -1 does not exist\n  expected  0..1\n  found     -1");
  BOOST_TEST(error_of([&] { (void)s.axis(0); }) == "s: axis 0 does not exist\n  expected  no axis of a scalar\n  found     0");
}

BOOST_AUTO_TEST_CASE(tensors_with_a_label_twice) {
  BOOST_TEST(error_of([&] {
               (void)tensor("T", {i, j, i});
             }) == "tensor 'T' has label i twice\n  expected  different labels; i.prime() shares the extent\n  found     i,j,i");
}

BOOST_AUTO_TEST_CASE(sums_of_different_labels) {
  BOOST_TEST(error_of([&] { (void)(a + b); }) ==
             "A(i,r) + B(j,r): the two sides have different labels\n  expected  labels i,r\n  found     labels j,r\n"
             "  try       expand() repeats values along further labels");
  BOOST_TEST(error_of([&] { (void)(a - b); }).substr(0, 53) == "A(i,r) - B(j,r): the two sides have different labels\n");
  BOOST_TEST(error_of([&] { (void)(a + s); }) ==
             "A(i,r) + s: the two sides have different labels\n  expected  labels i,r\n  found     no labels\n"
             "  try       expand() repeats values along further labels");
  BOOST_TEST(error_of([&] { (void)inner(a, b); }) ==
             "inner(A(i,r), B(j,r)): the two sides have different labels\n  expected  labels i,r\n  found     labels j,r");
  const Index other("i", 2);
  BOOST_TEST(error_of([&] {
               (void)(a + a({other, r}));
             }) ==
             "A(i,r) + A(i,r): the two sides have different labels\n  expected  labels i,r\n  found     labels i,r, where i is "
             "another index of that name\n"
             "  try       make the index once and use it for every tensor that shares it");
}

BOOST_AUTO_TEST_CASE(einsum_outputs) {
  BOOST_TEST(error_of([&] {
               (void)einsum({a, b}, {i, k});
             }) ==
             "A(i,r), B(j,r): output label k is on no factor\n  expected  i,r,j\n  found     k=4\n  try       expand() repeats "
             "values along a new label");
  BOOST_TEST(error_of([&] {
               (void)einsum({a}, {i, i});
             }) ==
             "output label i is given twice\n  expected  each output label once; identity() makes a diagonal\n  found     i,i");
  const Index other("i", 5);
  BOOST_TEST(
      error_of([&] {
        (void)einsum({a, b}, {other, j});
      }) ==
      "A(i,r), B(j,r): output label i is another index of that name\n  expected  the index of the operands, i=2\n  found     i=5\n"
      "  try       make the index once and use it for every tensor that shares it");
  BOOST_TEST((code_of([&] { (void)einsum({a, b}, {i, k}); }) == Code::label));
}

BOOST_AUTO_TEST_CASE(sums_over_absent_labels_and_wrong_permutations) {
  BOOST_TEST(error_of([&] { (void)sum(a, {j}); }) == "A(i,r): summed label j is not there\n  expected  i,r\n  found     j");
  BOOST_TEST(error_of([&] {
               (void)permute(a, {i, j});
             }) == "A(i,r): the new order has other labels\n  expected  i,r\n  found     i,j");
  BOOST_TEST(error_of([&] { (void)permute(a, {i}); }) == "A(i,r): the new order has other labels\n  expected  i,r\n  found     i");
  BOOST_TEST(error_of([&] {
               (void)permute(a, {i, i});
             }) == "A(i,r): the new order has other labels\n  expected  i,r\n  found     i,i");
}

BOOST_AUTO_TEST_CASE(labels_that_are_there_already) {
  BOOST_TEST(error_of([&] { (void)expand(a, {j, r}); }) == "A(i,r): label r is there already");
  BOOST_TEST(error_of([&] {
               (void)expand(s, {j, j});
             }) == "s: label j is given twice\n  expected  each label once\n  found     j,j");
  BOOST_TEST(error_of([&] { (void)identity(i, i); }) ==
             "identity has label i twice\n  expected  two labels\n  try       i.prime() is a second label over i");
  BOOST_TEST(error_of([&] { (void)identity(i, j); }) ==
             "an identity joins axes of different extents\n  expected  i=2\n  found     j=3");
  BOOST_TEST(error_of([&] {
               (void)prime(tensor("M", {i, i.prime()}), {i});
             }) == "M(i,i'): label i' is given twice\n  expected  each label once\n  found     i',i'");
}

BOOST_AUTO_TEST_CASE(cores_that_do_not_fit) {
  BOOST_TEST(error_of([&] {
               (void)joined({a, b}, 1, 0);
             }) == "cores 0 and 1 do not fit\n  expected  A(i,r) ends with 2\n  found     B(j,r) begins with 3");
  BOOST_TEST(error_of([&] { (void)joined({a, b}, 1, 2); }) == "B(j,r): axis 2 does not exist\n  expected  0..1\n  found     2");
  const Expr first = tensor("F", {i, r}), second = tensor("G", {i, r});
  BOOST_TEST(error_of([&] {
               (void)joined({first, second}, 1, 0);
             }) == "G(i,r): label r is given twice\n  expected  each label once\n  found     r,r");
}

BOOST_AUTO_TEST_CASE(matrices_that_are_not_square) {
  BOOST_TEST(error_of([&] { (void)inverse(b, {j}); }) ==
             "B(j,r): the matrix is not square\n  expected  3 columns, as many as rows (j)\n  found     2 columns (r)");
  BOOST_TEST(error_of([&] { (void)inverse(a, {j}); }) ==
             "A(i,r): row label j is not on the matrix\n  expected  i,r\n  found     j");
  BOOST_TEST(error_of([&] {
               (void)inverse(a, {i, i});
             }) == "A(i,r): row label i is given twice\n  expected  each label once\n  found     i,i");
  const Expr right = tensor("R", {j, k});
  BOOST_TEST(error_of([&] { (void)solve(b, right, {j}); }) ==
             "B(j,r): the matrix is not square\n  expected  3 columns, as many as rows (j)\n  found     2 columns (r)");
  BOOST_TEST(error_of([&] { (void)solve(a, right, {i}); }) ==
             "R(j,k): row label i is not on the right side\n  expected  j,k\n  found     i");
  BOOST_TEST(error_of([&] { (void)solve(a, right, {j}); }) ==
             "A(i,r): row label j is not on the matrix\n  expected  i,r\n  found     j");
  BOOST_TEST((code_of([&] { (void)inverse(b, {j}); }) == Code::extent));
}

BOOST_AUTO_TEST_SUITE_END()
