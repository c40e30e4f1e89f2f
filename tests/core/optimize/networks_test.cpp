// Networks of many operands: a chain, a binary tree and a lattice cost what the algorithms written for them cost, and nothing in
// the optimizer knows of any.
#include <boost/test/unit_test.hpp>
#include "core/optimize/graph_values.hpp"
#include "core/optimize/networks.hpp"
#include "optimize/pipeline.hpp"

using namespace tyto;

namespace {

double planned_flops(const NetworkProblem& p) {
  const graph::Graph result = optimize::optimize(p.graph, p.context).graph;
  const auto flops = plan::make_plan(result, reference_executor().model(), {.cycle = p.cycle}).cycle_flops;
  BOOST_TEST_REQUIRE(flops > 0);
  return static_cast<double>(flops);
}

void check_values(const NetworkProblem& p) {
  LeafNumbers leaves(p.graph, 7);
  const graph::Graph result = optimize::optimize(p.graph, p.context).graph;
  BOOST_TEST(difference(Expected(p.graph, leaves), values_of(result, leaves, reference_executor())) == "");
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_sweep_of_two_site_products_costs_what_environments_cost) {
  const Chain chain{.sites = 50, .bond = 16, .operator_bond = 5, .extent = 2, .products = 3};
  const double flops = planned_flops(two_site_sweep(chain)), by_hand = two_site_flops(chain);
  BOOST_TEST(flops <= 1.01 * by_hand, flops << " flop; by hand " << by_hand);
}

BOOST_AUTO_TEST_CASE(a_sweep_of_two_site_products_keeps_its_values) {
  check_values(two_site_sweep({.sites = 4, .bond = 3, .operator_bond = 2, .extent = 2, .products = 2}));
}

BOOST_AUTO_TEST_CASE(a_sweep_of_single_site_gradients_costs_what_environments_cost) {
  const Chain chain{.sites = 50, .bond = 16, .operator_bond = 5, .extent = 2};
  const double flops = planned_flops(single_site_sweep(chain)), by_hand = single_site_flops(chain);
  BOOST_TEST(flops <= 1.01 * by_hand, flops << " flop; by hand " << by_hand);
}

BOOST_AUTO_TEST_CASE(a_sweep_of_single_site_gradients_keeps_its_values) {
  check_values(single_site_sweep({.sites = 4, .bond = 3, .operator_bond = 2, .extent = 2}));
}

BOOST_AUTO_TEST_CASE(gradients_of_a_tree_cost_one_message_along_each_edge_and_way) {
  const TreeNetwork tree{.levels = 5, .bond = 4, .extent = 3};
  const double flops = planned_flops(all_gradients(tree)), by_hand = message_flops(tree);
  BOOST_TEST(flops <= 1.01 * by_hand, flops << " flop; by hand " << by_hand);
}

BOOST_AUTO_TEST_CASE(gradients_of_a_tree_keep_their_values) { check_values(all_gradients({.levels = 3, .bond = 2, .extent = 2})); }

BOOST_AUTO_TEST_CASE(gradients_of_a_lattice_cost_no_more_than_by_its_rows) {
  const Lattice lattice{.rows = 4, .columns = 4, .bond = 3};
  const double flops = planned_flops(all_gradients(lattice)), by_hand = row_flops(lattice);
  BOOST_TEST(flops <= 1.01 * by_hand, flops << " flop; by hand " << by_hand);
}

BOOST_AUTO_TEST_CASE(gradients_of_a_lattice_keep_their_values) { check_values(all_gradients(Lattice{3, 3, 2})); }
