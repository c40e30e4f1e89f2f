// How often a cycle computes what.
#include "plan/frequency.hpp"
#include <boost/test/unit_test.hpp>
#include "graph/order.hpp"
#include "graph/text.hpp"

using namespace tyto;

namespace {

graph::NodeId output_node(const graph::Graph& graph, std::size_t k) { return graph.outputs[k].node; }

graph::NodeId leaf_named(const graph::Graph& graph, const std::string& name) {
  for (const graph::NodeId id : reachable(graph))
    if (const auto* leaf = graph::as<graph::Leaf>((*graph.store)[id]); leaf != nullptr && leaf->name == name) return id;
  return -1;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_changes_is_computed_anew_and_what_does_not_is_kept) {
  const graph::Graph graph = graph::parse(
      "data X(i=3,j=3)\nunknown v(j) w(i)\nG(j,j') = X(i,j)*X(i,j')\nT(j) = G(j,j')*v(j')\nU(i) = X(i,j)*T(j)\nS(j) = X(i,j)*w(i)\n"
      "output g = G\noutput t = T\noutput u = U\noutput s = S\n");
  const std::vector<plan::Event> cycle = {
      {{"u"}, leaf_named(graph, "v")}, {{"t", "u"}, leaf_named(graph, "v")}, {{"s"}, -1}, {{"s"}, leaf_named(graph, "w")}};
  const plan::Frequency frequency = plan::frequency_of(graph, graph::depth_first(graph), cycle);
  const auto computed = [&](std::size_t k) { return frequency.computed[static_cast<std::size_t>(output_node(graph, k))]; };
  BOOST_TEST(computed(0) == plan::once);
  BOOST_TEST(computed(1) == 2);
  BOOST_TEST(computed(2) == 2);
  BOOST_TEST(computed(3) == 1);
  BOOST_TEST((frequency.asked == std::vector<double>{plan::once, 1, 2, 2}));
}

BOOST_AUTO_TEST_CASE(without_a_cycle_everything_counts_alike) {
  const graph::Graph graph = graph::parse("data X(i=3,j=3)\nG(j,j') = X(i,j)*X(i,j')\noutput g = G\n");
  const plan::Frequency frequency = plan::frequency_of(graph, graph::depth_first(graph), {});
  BOOST_TEST(frequency.computed[static_cast<std::size_t>(output_node(graph, 0))] == plan::once);
  BOOST_TEST((frequency.asked == std::vector<double>{plan::once}));
}
