// The derivative rule of einsum for every role that a label can play.
#include <boost/test/unit_test.hpp>
#include "core/derivative/check_derivatives.hpp"
#include "evaluate/error_text.hpp"
#include "graph/text.hpp"
#include "derivative/derivative.hpp"

// Derivatives of nodes, called from within tyto: outside, tyto::derivative is ambiguous, since there is a function of that name.
namespace tyto::test {
void take_gradient(graph::Store& store, graph::NodeId f, graph::NodeId x) { derivative::gradient(store, f, {x}); }
void take_tangent(graph::Store& store, graph::NodeId f, graph::NodeId x) { derivative::forward(store, f, {x}, {x}); }
}  // namespace tyto::test

using namespace tyto::v1;
using namespace tyto::test;

namespace {

struct Fixture {
  Index i{"i", 2}, j{"j", 3}, k{"k", 2}, r{"r", 2};
  Expr a = tensor("A", {i, r}), b = tensor("B", {j, r}), c = tensor("C", {i, r}), m = tensor("M", {i, i.prime()}),
       v = tensor("v", {i}), s = tensor("s", {});
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(einsum_rule, Fixture)

BOOST_AUTO_TEST_CASE(contracted_and_kept_labels) { check_derivatives(einsum({a, b}, {i, j}), {a, b}, {}); }
BOOST_AUTO_TEST_CASE(batch_labels) { check_derivatives(einsum({a, c}, {i}), {a, c}, {}); }
BOOST_AUTO_TEST_CASE(elementwise_products) { check_derivatives(a * c, {a, c}, {}); }
BOOST_AUTO_TEST_CASE(labels_summed_in_one_operand) { check_derivatives(einsum({a, b}, {i, r}), {a, b}, {}); }
BOOST_AUTO_TEST_CASE(everything_summed) { check_derivatives(einsum({a, b, c}, {}), {a, b, c}, {}); }
BOOST_AUTO_TEST_CASE(permutations_and_partial_sums) {
  check_derivatives(permute(a, {r, i}), {a}, {});
  check_derivatives(sum(a, {i}), {a}, {});
}
BOOST_AUTO_TEST_CASE(diagonals_and_traces) {
  check_derivatives(m({i, i}), {m}, {});
  check_derivatives(sum(m({i, i})), {m}, {});
  check_derivatives(m({i, i}) * v, {m, v}, {});
}
BOOST_AUTO_TEST_CASE(a_label_three_times_on_one_operand) {
  const Expr t = tensor("T", {i, i.prime(), k});
  check_derivatives(t({i, i, i}) * v, {t, v}, {});
}
BOOST_AUTO_TEST_CASE(two_diagonals_on_one_operand) {
  const Expr t = tensor("T", {i, i.prime(), r, r.prime()});
  check_derivatives(einsum({t({i, i, r, r}), v}, {r}), {t, v}, {});
}
BOOST_AUTO_TEST_CASE(one_operand_twice_and_thrice) {
  check_derivatives(einsum({a({i, r}), a({i.prime(), r})}, {i, i.prime()}), {a}, {});
  check_derivatives(einsum({a, a, a, c}, {r}), {a, c}, {});
  check_derivatives(einsum({m({i, k}), m({k, i.prime()})}, {i, i.prime()}), {m}, {});
  check_derivatives(einsum({m, m({i.prime(), i})}, {}), {m}, {});
}
BOOST_AUTO_TEST_CASE(scalar_operands) { check_derivatives(s * a * s, {s, a}, {}); }
BOOST_AUTO_TEST_CASE(outer_products) { check_derivatives(v * b, {v, b}, {}); }
BOOST_AUTO_TEST_CASE(hyperedges) { check_derivatives(einsum({v, a, c, m}, {i, i.prime()}), {v, a, c, m}, {}); }
BOOST_AUTO_TEST_CASE(operands_over_different_indices_of_one_extent) {
  check_derivatives(einsum({m({i, k}), a({k, r})}, {i, r}), {m, a}, {});
}
BOOST_AUTO_TEST_CASE(identity_operands) {
  check_derivatives(einsum({identity(i, k), a}, {k, r}), {a}, {});
  check_derivatives(identity(i, k) * a, {a}, {});
  check_derivatives(einsum({identity(i, i.prime()), m}, {}), {m}, {});
}
BOOST_AUTO_TEST_CASE(repetition_along_new_labels) { check_derivatives(expand(v, {j}) * b({j, r}), {v, b}, {}); }
BOOST_AUTO_TEST_CASE(extents_of_one) {
  const Index one("o", 1);
  const Expr t = tensor("T", {i, one, one.prime()});
  check_derivatives(einsum({t({i, one, one}), v}, {one}), {t, v}, {});
}

BOOST_AUTO_TEST_CASE(other_pairs_of_operations_have_no_derivative) {
  const tyto::graph::Graph graph =
      tyto::graph::parse("input X(i=2,j=3)\nT(i) = min,sum: X(i,j)*X(i,j)\nS() = T(i)*T(i)\noutput f = S\n");
  const std::string refused =
      "the derivative of an einsum over another pair than (sum, product) is not part of this version\n"
      "  try       only sums of products, and the largest or smallest of one tensor, are differentiable here";
  tyto::graph::Store& store = *graph.store;
  const tyto::graph::NodeId f = graph.outputs[0].node, x = reachable(graph)[0];
  BOOST_TEST(error_of([&] { take_gradient(store, f, x); }) == refused);
  BOOST_TEST(error_of([&] { take_tangent(store, f, x); }) == refused);
}

BOOST_AUTO_TEST_SUITE_END()
