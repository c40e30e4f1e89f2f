// Which objectives can be solved for a block, and what is said about the others.
#include <boost/test/unit_test.hpp>
#include "core/derivative/declared.hpp"
#include "derivative/degree.hpp"
#include "evaluate/error_text.hpp"
#include "graph/text.hpp"

using namespace tyto::v1;
using namespace tyto::test;
namespace derivatives = tyto::derivative;  // tyto::v1::derivative is a function
using derivatives::degree;
using derivatives::not_polynomial;

namespace {

struct Fixture {
  Index i{"i", 2}, k{"k", 3}, r{"r", 2};
  Declared d;
  Expr a = d->unknown("A", {i, r}, {}), c = d->unknown("C", {k, r}, {}), q = d->constant("Q", {i, i.prime(), k}, Numbers(12, 1));
  std::string refusal(const Expr& f, const Expr& block) {
    return error_of([&] { d.update(f + norm2(a) * 0.5 + norm2(c), block); });
  }
  static std::string not_quadratic(const std::string& found) {
    return "block_solve(A): the objective is not quadratic in A\n  expected  A at most once in what is squared\n  found     " +
           found + "\n  try       an unknown of its own for each place, or a block solve of another unknown";
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(degrees_count_how_often_a_leaf_is_multiplied_with_itself) {
  const tyto::graph::Graph graph = tyto::graph::parse(R"(
unknown A(i=2,i')
data X(i,i')
T1(i,i') = A(i,j)*X(j,i')
T2(i,i') = T1(i,i') - 2*X(i,i')
T3() = T2(i,i')*T2(i,i')
T4(i,i') = T2(i,i')^3
T5(i,i') = T2(i,i')^0.5
T6(i,i') = solve[j](X(j,i), T2(j,i'))
T7(i,i') = solve[j](T2(j,i), X(j,i'))
T8(i,i') = inverse[i](T2(i,i'))
T9(i) = min,sum: A(i,i')
T10(i) = min,sum: X(i,i')
T11() = T4(i,i')*T4(i,i')*A(i,i')
output x = X
output a = A
output 1 = T1
output 2 = T2
output 3 = T3
output 4 = T4
output 5 = T5
output 6 = T6
output 7 = T7
output 8 = T8
output 9 = T9
output 10 = T10
output 11 = T11
)");
  const tyto::graph::NodeId a = graph.outputs[1].node;
  std::vector<int> found;
  for (const tyto::graph::Output& output : graph.outputs)
    found.push_back(std::min(degree(*graph.store, output.node, a), not_polynomial));
  const std::vector<int> expected{0, 1, 1, 1, 2, 3, not_polynomial, 1, not_polynomial, not_polynomial, not_polynomial, 0, 7};
  BOOST_TEST(found == expected, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_SUITE(quadratic, Fixture)

BOOST_AUTO_TEST_CASE(a_symmetric_cp_is_refused_with_the_product_in_which_the_factor_stands_twice) {
  const Expr model = einsum({a, a({i.prime(), r}), c}, {i, i.prime(), k});
  BOOST_TEST(refusal(0.5 * norm2(q - model), a) == not_quadratic("it appears twice in sum[r] A(i,r)*A(i',r)*C(k,r)"));
}

BOOST_AUTO_TEST_CASE(the_other_factor_of_a_symmetric_cp_can_be_solved_for) {
  const Expr model = einsum({a, a({i.prime(), r}), c}, {i, i.prime(), k});
  BOOST_TEST(refusal(0.5 * norm2(q - model), c) == "nothing was thrown");
}

BOOST_AUTO_TEST_CASE(powers_quotients_roots_and_inverses_are_named) {
  BOOST_TEST(refusal(sum(pow(a, 3)), a) == not_quadratic("it appears 3 times in (A(i,r))^3"));
}
BOOST_AUTO_TEST_CASE(a_quotient_is_named) {
  BOOST_TEST(refusal(norm2(c / sum(a)), a) ==
             not_quadratic("it is under a root, a quotient or an inverse in (sum[i,r] A(i,r))^-1"));
}
BOOST_AUTO_TEST_CASE(a_root_is_named_and_not_the_square_below_it) {
  BOOST_TEST(refusal(norm(a), a) == not_quadratic("it is under a root, a quotient or an inverse in (sum[i,r] A(i,r)^2)^0.5"));
}
BOOST_AUTO_TEST_CASE(an_inverse_is_named) {
  BOOST_TEST(refusal(sum(inverse(a, {i})), a) == not_quadratic("it is under a root, a quotient or an inverse in inverse(A(i,r))"));
}
BOOST_AUTO_TEST_CASE(a_product_of_a_factor_and_its_square_is_named_as_a_whole) {
  BOOST_TEST(refusal(sum(a) * norm2(a), a) == not_quadratic("it appears 3 times in (sum[i,r] A(i,r))*sum[i,r] A(i,r)^2"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(an_objective_that_is_linear_in_the_block_has_no_minimum) {
  Declared d;
  const Index i("i", 2);
  const Expr a = d->unknown("A", {i}, {}), c = d->constant("C", {i}, {1, 2});
  BOOST_TEST(
      error_of([&] { d.update(inner(a, c), a); }) ==
      "block_solve(A): the objective is linear in A and has no minimum\n  try       a squared norm, or a ridge on the unknown");
}
