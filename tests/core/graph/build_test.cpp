// The few simplifications that building makes: flat sums, no trivial einsums, zeros.
#include "graph/build.hpp"
#include <boost/test/unit_test.hpp>
#include "graph/handle.hpp"

using namespace tyto;
using graph::NodeId;

namespace {

struct Fixture {
  std::shared_ptr<graph::Store> owner = std::make_shared<graph::Store>();
  graph::Store& store = *owner;
  Index i{"i", 2}, j{"j", 3};
  NodeId a = graph::make_leaf(owner, "a", graph::Role::input, {i}).id(),
         b = graph::make_leaf(owner, "b", graph::Role::input, {i}).id();
  NodeId m = graph::make_leaf(owner, "m", graph::Role::input, {i, j}).id();
  graph::Shape shape = store[a].shape;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(build, Fixture)

BOOST_AUTO_TEST_CASE(sums_are_flat_and_merge_equal_terms) {
  const NodeId inner = combination(store, {{1, a}, {2, b}}, shape);
  const NodeId sum = combination(store, {{3, inner}, {4, a}}, shape);
  const std::vector<double> expected{7, 6};
  BOOST_TEST(graph::as<graph::Combination>(store[sum])->coefficients == expected, boost::test_tools::per_element());
  BOOST_TEST(store[sum].operands == (std::vector<NodeId>{a, b}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(terms_that_cancel_leave_a_zero_and_one_term_alone_is_itself) {
  BOOST_TEST(combination(store, {{1, a}, {-1, a}}, shape) == fill(store, 0, shape));
  BOOST_TEST(combination(store, {}, shape) == fill(store, 0, shape));
  BOOST_TEST(combination(store, {{1, a}, {0, b}}, shape) == a);
  BOOST_TEST(combination(store, {{1, a}, {5, fill(store, 0, shape)}}, shape) == a);
  BOOST_TEST(scaled(store, 0, a) == fill(store, 0, shape));
  BOOST_TEST(scaled(store, 2, scaled(store, 0.5, a)) == a);
}

BOOST_AUTO_TEST_CASE(trivial_einsums_are_their_operand_and_permutations_are_not) {
  BOOST_TEST(graph::einsum(store, {m}, {{{4, 2}}, {4, 2}}) == m);
  BOOST_TEST(permuted(store, m, {0, 1}) == m);
  const NodeId transposed = permuted(store, m, {1, 0});
  BOOST_TEST(transposed != m);
  BOOST_TEST(store.extents(transposed) == (Extents{3, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(scalar_fills_leave_products_as_factors) {
  const NodeId half = fill(store, 0.5, {});
  BOOST_TEST(graph::einsum(store, {half, a, b}, {{{}, {0}, {0}}, {0}}) == scaled(store, 0.5, elementwise_product(store, {a, b})));
}

BOOST_AUTO_TEST_CASE(a_zero_factor_makes_zero_of_the_right_shape_over_sum_and_product_only) {
  const NodeId zero = fill(store, 0, shape);
  BOOST_TEST(graph::einsum(store, {m, zero}, {{{0, 1}, {0}}, {1}}) == fill(store, 0, {store[m].shape[1]}));
  const NodeId shortest = graph::einsum(store, {m, zero}, {{{0, 1}, {0}}, {1}}, {einsum::Reduce::min, einsum::Combine::sum});
  BOOST_TEST(!is_zero(store, shortest));
}

BOOST_AUTO_TEST_CASE(powers_zero_and_one_and_powers_of_fills_are_no_powers) {
  BOOST_TEST(power(store, a, 1) == a);
  BOOST_TEST(power(store, a, 0) == fill(store, 1, shape));
  BOOST_TEST(power(store, fill(store, 2, shape), 3) == fill(store, 8, shape));
  BOOST_TEST(graph::is<graph::Power>(store[power(store, a, 2)]));
}

BOOST_AUTO_TEST_CASE(a_factor_is_split_from_its_node) {
  const graph::Term term = without_factor(store, scaled(store, -3, a));
  BOOST_TEST(term.coefficient == -3);
  BOOST_TEST(term.node == a);
  BOOST_TEST(without_factor(store, combination(store, {{1, a}, {1, b}}, shape)).coefficient == 1);
}

BOOST_AUTO_TEST_SUITE_END()
