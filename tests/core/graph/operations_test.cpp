// What the functions of tyto/expr.hpp that are no sums and products give, on numbers, and what they refuse.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include "evaluate/error_text.hpp"
#include "evaluate/evaluate.hpp"

using namespace tyto::v1;
using namespace tyto::test;

namespace {

struct Fixture {
  Index i{"i", 2}, j{"j", 3};
  Expr a = tensor("A", {i, j}), b = tensor("B", {i, j}), x = tensor("x", {j});
  Values values = Values().set(a, {1, -2, 3, 4, 0, -6}).set(b, {1, 1, 1, 2, 2, 2}).set(x, {3, 1, 2});
  Numbers of(const Expr& e) const { return evaluate(e, values); }
};

const auto per_element = boost::test_tools::per_element();

}  // namespace

BOOST_FIXTURE_TEST_SUITE(operations, Fixture)

BOOST_AUTO_TEST_CASE(functions_of_one_and_two_tensors) {
  BOOST_TEST(of(abs(a)) == Numbers({1, 2, 3, 4, 0, 6}), per_element);
  BOOST_TEST(of(sign(a)) == Numbers({1, -1, 1, 1, 0, -1}), per_element);
  BOOST_TEST(of(relu(a)) == Numbers({1, 0, 3, 4, 0, 0}), per_element);
  BOOST_TEST(of(maximum(a, b)) == Numbers({1, 1, 3, 4, 2, 2}), per_element);
  BOOST_TEST(of(minimum(a, 0)) == Numbers({0, -2, 0, 0, 0, -6}), per_element);
  BOOST_TEST(of(greater(a, b)) == Numbers({0, 0, 1, 1, 0, 0}), per_element);
  BOOST_TEST(of(greater_equal(a, b)) == Numbers({1, 0, 1, 1, 0, 0}), per_element);
  BOOST_TEST(of(equal(permute(a, {j, i}), permute(b, {j, i}))) == Numbers({1, 0, 0, 0, 0, 0}), per_element);
  BOOST_TEST(distance(of(exp(x)), {std::exp(3), std::exp(1), std::exp(2)}) < 1e-14);
  BOOST_TEST(distance(of(log(x, 2)), {std::log2(3), 0, 1}) < 1e-15);
  BOOST_TEST(distance(of(pow(2.0, x)), {8, 2, 4}) < 1e-14);
  BOOST_TEST(distance(of(sigmoid(x - 2)), {1 / (1 + std::exp(-1)), 1 / (1 + std::exp(1)), 0.5}) < 1e-15);
  BOOST_TEST(of(exp(Expr(0.0)) + log(Expr(1.0)) + maximum(2, 3)) == Numbers({4}), per_element);
}

BOOST_AUTO_TEST_CASE(reductions) {
  BOOST_TEST(of(max(a, {j})) == Numbers({3, 4}), per_element);
  BOOST_TEST(of(min(a, {i})) == Numbers({1, -2, -6}), per_element);
  BOOST_TEST(of(mean(b)) == Numbers({1.5}), per_element);
  BOOST_TEST(of(mean(a, {i})) == Numbers({2.5, -1, -1.5}), per_element);
  BOOST_TEST(distance(of(norm(a, {i})), {std::sqrt(17), 2, std::sqrt(45)}) < 1e-14);
  BOOST_TEST(distance(of(logsumexp(1000 * x, {j})), {3000}) < 1e-12);
  const double total = std::exp(3) + std::exp(1) + std::exp(2);
  BOOST_TEST(distance(of(softmax(x, {j})), {std::exp(3) / total, std::exp(1) / total, std::exp(2) / total}) < 1e-15);
  BOOST_TEST(distance(of(sum(softmax(a, {i}), {i})), {1, 1, 1}) < 1e-15);
}

BOOST_AUTO_TEST_CASE(structure) {
  const Index p("p", 6), two("two", 2), whole("whole", 5);
  BOOST_TEST(of(reshape(permute(a, {j, i}), {p})) == Numbers({1, 4, -2, 0, 3, -6}), per_element);
  BOOST_TEST(of(slice(a, j, 0, two, 2)) == Numbers({1, 3, 4, -6}), per_element);
  BOOST_TEST(of(index(a, i, 1)) == Numbers({4, 0, -6}), per_element);
  BOOST_TEST(of(pad(x, j, 1, whole)) == Numbers({0, 3, 1, 2, 0}), per_element);
  BOOST_TEST(of(concatenate({x, index(slice(a, j, 0, two), i, 0)}, {j, two}, whole)) == Numbers({3, 1, 2, 1, -2}), per_element);
  BOOST_TEST(of(ones({two}) + zeros({two}) + constant(2, {two})) == Numbers({3, 3}), per_element);
}

BOOST_AUTO_TEST_CASE(products_by_name_and_by_position) {
  const Index k("k", 2), row("row", 4), column("column", 6), tall("tall", 4);
  const Expr c = tensor("C", {k, i});
  values.set(c, {1, 2, 3, 4});
  const Numbers ca{9, -2, -9, 19, -6, -15};
  BOOST_TEST(of(matmul(c, a)) == ca, per_element);
  BOOST_TEST(of(einsum("ki,ij->kj", {c, a})) == ca, per_element);
  BOOST_TEST(of(einsum("ki,ij", {c, a})) == of(permute(matmul(c, a), {j, k})), per_element);
  BOOST_TEST(of(einsum("...i,i...->...", {c, c})) == Numbers({7, 22}), per_element);
  BOOST_TEST(of(einsum("j->jj", {x})) == Numbers({3, 0, 0, 0, 1, 0, 0, 0, 2}), per_element);
  BOOST_TEST(of(tensordot(c, a, {i}, {i})) == ca, per_element);
  BOOST_TEST(of(matmul(a, x)) == Numbers({7, 0}), per_element);
  BOOST_TEST(of(kronecker(c, a, row, column)) ==
                 Numbers({1, -2, 3, 2, -4, 6, 4, 0, -6, 8, 0, -12, 3, -6, 9, 4, -8, 12, 12, 0, -18, 16, 0, -24}),
             per_element);
  BOOST_TEST(of(khatri_rao(c, permute(c, {i, k})({k.as("l"), i}), tall)) == Numbers({1, 6, 2, 8, 3, 12, 6, 16}), per_element);
}

BOOST_AUTO_TEST_CASE(labels_beyond_letters_and_empty_extents) {
  Exprs chain;
  Indices bonds;
  for (int n = 0; n <= 60; ++n) bonds.emplace_back("b" + std::to_string(n), n % 10 == 5 ? 2 : 1);
  Values at;
  for (int n = 0; n < 60; ++n) {
    chain.push_back(tensor("M" + std::to_string(n), {bonds[static_cast<std::size_t>(n)], bonds[static_cast<std::size_t>(n) + 1]}));
    at.set(chain.back(), Numbers(static_cast<std::size_t>(count(chain.back().shape())), 0.5));
  }
  BOOST_TEST(distance(evaluate(einsum(chain, {bonds[0], bonds[60]}), at), {std::pow(0.5, 54)}) < 1e-30);
  const Index none("none", 0);
  const Expr empty = tensor("E", {none, j});
  BOOST_TEST(evaluate(einsum("nj,j->", {empty, x}), Values(values).set(empty, {})) == Numbers({0}), per_element);
  BOOST_TEST(evaluate(sum(empty, {none}), Values().set(empty, {})) == Numbers({0, 0, 0}), per_element);
}

BOOST_AUTO_TEST_CASE(errors_say_label_extents_and_operands) {
  BOOST_TEST(error_of([&] {
               einsum("ij,ji->", {a, b});
             }) ==
             "ij,ji->: label b (numbered by appearance) joins axes of different extents\n"
             "  expected  j=3 of A(i,j)\n  found     i=2 of B(i,j)\n"
             "  try       extents of 1 are not repeated silently; sum() removes them and expand() repeats values");
  BOOST_TEST(error_of([&] { reshape(a, {Index("p", 5)}); }) ==
             "A(i,j): a reshape keeps the number of elements\n  expected  6 elements\n  found     5 (p=5)");
  BOOST_TEST(error_of([&] { slice(a, j, 2, Index("p", 2)); }) ==
             "A(i,j): a slice reaches beyond its label\n  expected  positions within j=0..2, step 1 or more\n"
             "  found     2 to 3, step 1");
  BOOST_TEST(error_of([&] {
               concatenate({x, x}, {j, j}, Index("w", 5));
             }) == "x(j): a concatenation is as long as its parts together\n  expected  w=6\n  found     w=5");
  BOOST_TEST(error_of([&] { svd(a, {i}, Index("k", 3)); }) ==
             "A(i,j): the bond has another extent than the factorization gives\n"
             "  expected  k=2, the smaller of rows and columns\n  found     k=3");
  BOOST_TEST(error_of([&] { log(a, 1); }) == "a base is not allowed\n  expected  a base above 0 other than 1\n  found     1");
  BOOST_TEST(error_of([&] { matmul(a, a); }) ==
             "A(i,j) and A(i,j): contracted labels have different extents\n  expected  j=3\n  found     i=2");
  BOOST_TEST(error_of([&] { maximum(a, x); }).find("the two sides have different labels") != std::string::npos);
  BOOST_TEST(error_of([&] { relu(tensor("z", {i}, Field::complex)); }) ==
             "relu of complex values is not part of this version\n  try       real(), imag() or abs() of them first");
}

BOOST_AUTO_TEST_SUITE_END()
