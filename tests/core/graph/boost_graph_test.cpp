// Algorithms of Boost.Graph run on our graphs as they are.
#include "graph/boost_graph.hpp"
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/depth_first_search.hpp>
#include <boost/graph/graph_concepts.hpp>
#include <boost/graph/topological_sort.hpp>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include "graph/text.hpp"

using namespace tyto;
using graph::Graph;
using graph::NodeId;

namespace {

BOOST_CONCEPT_ASSERT((boost::VertexListGraphConcept<Graph>));
BOOST_CONCEPT_ASSERT((boost::IncidenceGraphConcept<Graph>));

Graph example() {
  return graph::parse(R"(
data X(i=2,j=3)
unknown A(i,r=2) B(j,r)
T1(i,j) = A(i,r)*B(j,r)
T2(i,j) = X(i,j) - T1(i,j)
T3() = T2(i,j)*T2(i,j)
T4(r,r') = A(i,r)*A(i,r')
output f = T3
)");
}

NodeId leaf_called(const Graph& graph, const std::string& name) {
  for (NodeId id = 0; id < graph.store->size(); ++id)
    if (const auto* leaf = graph::as<graph::Leaf>((*graph.store)[id]); leaf != nullptr && leaf->name == name) return id;
  return -1;
}

}  // namespace

BOOST_AUTO_TEST_CASE(edges_lead_to_operands_once_for_each_place) {
  const Graph graph = example();
  const NodeId square = graph.outputs[0].node;
  BOOST_TEST(out_degree(square, graph) == 2);
  const auto [first, last] = out_edges(square, graph);
  BOOST_TEST((last - first) == 2);
  for (graph::OutEdgeIterator it = first; it != last; ++it) {
    BOOST_TEST(source(*it, graph) == square);
    BOOST_TEST(target(*it, graph) == (*graph.store)[square].operands[0]);
  }
  BOOST_TEST(out_degree(leaf_called(graph, "X"), graph) == 0);
  BOOST_TEST(num_vertices(graph) == graph.store->size());
}

BOOST_AUTO_TEST_CASE(topological_sort_puts_operands_first) {
  const Graph graph = example();
  std::vector<NodeId> order;
  boost::topological_sort(graph, std::back_inserter(order));
  BOOST_REQUIRE_EQUAL(order.size(), static_cast<std::size_t>(graph.store->size()));
  const auto place = [&](NodeId id) { return std::find(order.begin(), order.end(), id) - order.begin(); };
  for (NodeId id = 0; id < graph.store->size(); ++id)
    for (const NodeId operand : (*graph.store)[id].operands) BOOST_TEST(place(operand) < place(id));
}

BOOST_AUTO_TEST_CASE(breadth_first_search_finds_what_reachable_finds) {
  const Graph graph = example();
  std::vector<boost::default_color_type> colors(static_cast<std::size_t>(graph.store->size()));
  boost::breadth_first_search(graph, graph.outputs[0].node,
                              boost::color_map(boost::make_iterator_property_map(colors.begin(), get(boost::vertex_index, graph))));
  std::vector<NodeId> found;
  for (NodeId id = 0; id < graph.store->size(); ++id)
    if (colors[static_cast<std::size_t>(id)] == boost::black_color) found.push_back(id);
  const std::vector<NodeId> expected = reachable(graph);
  BOOST_TEST(found == expected, boost::test_tools::per_element());
  BOOST_TEST(static_cast<NodeId>(found.size()) == graph.store->size() - 1);  // T4 is not needed
}
