// Expressions as handles: labels, leaves, sharing between stores, the order of axes.
#include <boost/test/unit_test.hpp>
#include "evaluate/evaluate.hpp"
#include "graph/graph.hpp"

using namespace tyto::v1;
using namespace tyto::test;

namespace {

struct Fixture {
  Index i{"i", 2}, j{"j", 3}, r{"r", 2};
  Expr a = tensor("A", {i, r}), b = tensor("B", {j, r}), v = tensor("v", {i});
};

bool same_node(const Expr& a, const Expr& b) {
  return a.store() == b.store() ? a.id() == b.id() : a.store()->import(*b.store(), b.id()) == a.id();
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(expr, Fixture)

BOOST_AUTO_TEST_CASE(a_leaf_knows_its_name_and_labels_under_any_labels) {
  BOOST_TEST(a.is_leaf());
  BOOST_TEST(a.name() == "A");
  BOOST_TEST(a.order() == 2);
  BOOST_TEST((a.axis(1) == r));
  BOOST_TEST((a.field() == Field::real));
  BOOST_TEST(a({i.prime(), r}).is_leaf());
  BOOST_TEST(!(a * b).is_leaf());
  BOOST_TEST((a * b).name().empty());
  BOOST_TEST(!Expr(2.0).is_leaf());
  BOOST_TEST(Expr().constant().real() == 0);
  BOOST_TEST(Expr().order() == 0);
}

BOOST_AUTO_TEST_CASE(equal_mathematics_under_other_labels_is_one_node) {
  const Index p("p", 2), q("q", 3), s("s", 2);
  BOOST_TEST(same_node(einsum({a, b}, {i, j}), einsum({a({p, s}), b({q, s})}, {p, q})));
  BOOST_TEST(!same_node(einsum({a, b}, {i, j}), einsum({a, b}, {j, i})));
  BOOST_TEST(same_node(a + a, 2 * a));
  BOOST_TEST(!same_node(tensor("A", {i}), tensor("A", {i})));
}

BOOST_AUTO_TEST_CASE(expressions_from_several_stores_share_their_leaves) {
  const Expr first = a * v, second = a + 1.0, whole = first * second;  // a was imported into two stores
  int leaves = 0;
  for (const tyto::graph::NodeId id : reachable(*whole.store(), {whole.id()}))
    leaves += tyto::graph::is<tyto::graph::Leaf>((*whole.store())[id]) ? 1 : 0;
  BOOST_TEST(leaves == 2);
}

BOOST_AUTO_TEST_CASE(axes_of_results_are_in_the_documented_order) {
  BOOST_TEST(((a * b).shape() == Indices{i, r, j}));
  BOOST_TEST(((b + permute(b, {r, j})).shape() == Indices{j, r}));
  BOOST_TEST((einsum({a, b}, {j, i}).shape() == Indices{j, i}));
  BOOST_TEST((sum(a * b, {r}).shape() == Indices{i, j}));
  BOOST_TEST((expand(v, {j, r}).shape() == Indices{i, j, r}));
  BOOST_TEST((prime(a).shape() == Indices{i.prime(), r.prime()}));
  BOOST_TEST((prime(a, {r}).shape() == Indices{i, r.prime()}));
  BOOST_TEST((a({i, i}).shape() == Indices{i}));
  BOOST_TEST((identity(i, r).shape() == Indices{i, r}));
  BOOST_TEST((inverse(a, {r}).shape() == Indices{i, r}));
}

BOOST_AUTO_TEST_CASE(a_solution_has_batch_then_columns_then_what_the_right_side_has_left) {
  const Index batch("n", 2), row("p", 3), column("q", 3), rest("k", 2);
  const Expr matrix = tensor("M", {column, batch, row}), right = tensor("R", {rest, row, batch});
  BOOST_TEST((solve(matrix, right, {row}).shape() == Indices{batch, column, rest}));
}

BOOST_AUTO_TEST_CASE(cores_of_a_train_are_joined_at_their_bonds) {
  const Index l0("l0", 1), r0("r0", 2), l1("l1", 2), r1("r1", 3), l2("l2", 3), r2("r2", 1), s0("s0", 2), s1("s1", 2), s2("s2", 2);
  const Exprs cores = joined({tensor("G0", {l0, s0, r0}), tensor("G1", {l1, s1, r1}), tensor("G2", {l2, s2, r2})}, 2, 0);
  BOOST_TEST((cores[0].shape() == Indices{l0, s0, r0}));
  BOOST_TEST((cores[1].shape() == Indices{r0, s1, r1}));
  BOOST_TEST((cores[2].shape() == Indices{r1, s2, r2}));
  BOOST_TEST(joined({}, 0, 0).empty());
}

BOOST_AUTO_TEST_CASE(arithmetic_of_constants_stays_a_constant) {
  const Expr two = 2.0, three = 3.0;
  const auto value = [](const Expr& e) { return e.store() ? -1e300 : e.constant().real(); };
  BOOST_TEST(value(two + three) == 5);
  BOOST_TEST(value(two - three) == -1);
  BOOST_TEST(value(two * three) == 6);
  BOOST_TEST(value(two / three) == 2.0 / 3);
  BOOST_TEST(value(-two) == -2);
  BOOST_TEST(value(pow(two, 3)) == 8);
  BOOST_TEST(value(sqrt(Expr(4.0))) == 2);
  BOOST_TEST(value(square(three)) == 9);
  BOOST_TEST(value(sum(two)) == 2);
  BOOST_TEST(value(inner(two, three)) == 6);
  BOOST_TEST(value(norm2(three)) == 9);
  BOOST_TEST(value(norm(Expr(-3.0))) == 3);
  BOOST_TEST(value(inverse(Expr(4.0), {})) == 0.25);
  BOOST_TEST(value(real(two)) == 2);
  BOOST_TEST(value(imag(two)) == 0);
  BOOST_TEST(value(conj(two)) == 2);
  BOOST_TEST(value(einsum(Exprs{}, Indices{})) == 1);
  BOOST_TEST(value(Expr(std::complex<double>(2, 0))) == 2);
}

BOOST_AUTO_TEST_SUITE_END()
