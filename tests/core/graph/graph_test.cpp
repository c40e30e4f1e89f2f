// Graphs as values: what is reachable, how often it is used, rewriting, substitution, verification.
#include "graph/graph.hpp"
#include <boost/test/unit_test.hpp>
#include "evaluate/error_text.hpp"
#include "evaluate/evaluate.hpp"
#include "graph/build.hpp"
#include "graph/text.hpp"

using namespace tyto;
using graph::Graph;
using graph::NodeId;

namespace {

const char* const residual = R"(data X(i=2,j=3)
unknown A(i,r=2)
unknown B(j,r)
T1(i,j) = A(i,r)*B(j,r)
T2(i,j) = X(i,j) - T1(i,j)
T3() = T2(i,j)*T2(i,j)
output f = T3
)";

NodeId leaf_called(const Graph& graph, const std::string& name) {
  for (const NodeId id : reachable(graph))
    if (const auto* leaf = graph::as<graph::Leaf>((*graph.store)[id]); leaf != nullptr && leaf->name == name) return id;
  return -1;
}

}  // namespace

BOOST_AUTO_TEST_CASE(reachable_lists_operands_before_their_users_and_leaves_out_the_rest) {
  Graph graph = graph::parse(residual);
  const NodeId f = graph.outputs[0].node, product = graph::parse(residual).outputs[0].node;
  BOOST_TEST(f == product);
  graph.outputs = {{"product", (*graph.store)[(*graph.store)[f].operands[0]].operands[1]}};
  const std::vector<NodeId> expected{leaf_called(graph, "A"), leaf_called(graph, "B"), graph.outputs[0].node};
  BOOST_TEST(reachable(graph) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(depends_on_follows_operands) {
  const Graph graph = graph::parse(residual);
  const graph::Store& store = *graph.store;
  const NodeId f = graph.outputs[0].node, a = leaf_called(graph, "A"), x = leaf_called(graph, "X");
  BOOST_TEST(depends_on(store, f, a));
  BOOST_TEST(depends_on(store, a, a));
  BOOST_TEST(!depends_on(store, a, f));
  BOOST_TEST(!depends_on(store, (*graph.store)[store[f].operands[0]].operands[1], x));
}

BOOST_AUTO_TEST_CASE(uses_count_places_and_outputs) {
  const Graph graph = graph::parse(residual);
  const std::vector<std::int32_t> counts = use_counts(graph);
  const NodeId f = graph.outputs[0].node, difference = (*graph.store)[f].operands[0];
  BOOST_TEST(counts[static_cast<std::size_t>(f)] == 1);
  BOOST_TEST(counts[static_cast<std::size_t>(difference)] == 2);
  BOOST_TEST(counts[static_cast<std::size_t>(leaf_called(graph, "X"))] == 1);
}

BOOST_AUTO_TEST_CASE(rewriting_with_kept_changes_nothing) {
  const Graph graph = graph::parse(residual);
  const NodeId before = graph.store->size();
  const Graph same =
      rewritten(graph, [](graph::Store& store, const graph::Node& node, NodeId) { return graph::kept(store, node); });
  BOOST_TEST((same.outputs == graph.outputs));
  BOOST_TEST(graph.store->size() == before);
}

BOOST_AUTO_TEST_CASE(rewriting_gives_users_their_new_operands_and_leaves_the_old_graph_alone) {
  const Graph graph = graph::parse(residual);
  const Graph doubled = rewritten(graph, [&](graph::Store& store, const graph::Node& node, NodeId) {
    const NodeId same = graph::kept(store, node);
    const auto* leaf = graph::as<graph::Leaf>(node);
    return leaf != nullptr && leaf->name == "B" ? graph::scaled(store, 2, same) : same;
  });
  verify(doubled);
  BOOST_TEST(print(graph) == residual);
  BOOST_TEST(print(doubled) == R"(data X(i=2,j=3)
unknown A(i,r=2)
unknown B(j,r)
T1(j,r) = 2*B(j,r)
T2(i,j) = A(i,r)*T1(j,r)
T3(i,j) = X(i,j) - T2(i,j)
T4() = T3(i,j)*T3(i,j)
output f = T4
)");
}

BOOST_AUTO_TEST_CASE(substitution_replaces_a_leaf_everywhere) {
  const Graph graph = graph::parse(residual);
  graph::Store& store = *graph.store;
  const NodeId f = graph.outputs[0].node, b = leaf_called(graph, "B");
  const NodeId at_zero = graph::substituted(store, f, b, graph::fill(store, 0, store[b].shape));
  BOOST_TEST(!depends_on(store, at_zero, b));
  const test::Values values = test::Values().set("X", {1, 2, 3, 4, 5, 6}).set("A", {7, 7, 7, 7});
  BOOST_TEST(test::evaluate(graph.store, at_zero, values)[0] == 91);
  BOOST_TEST(graph::substituted(store, f, b, b) == f);
}

BOOST_AUTO_TEST_CASE(verify_accepts_what_was_built) { BOOST_CHECK_NO_THROW(verify(graph::parse(residual))); }

BOOST_AUTO_TEST_CASE(verify_rejects_an_output_that_is_no_node) {
  Graph graph = graph::parse(residual);
  graph.outputs.push_back({"g", graph.store->size()});
  BOOST_TEST(test::error_of([&] { verify(graph); }) == "output g is node 6 of 6");
  graph.outputs.back().node = -1;
  BOOST_TEST(test::error_of([&] { verify(graph); }) == "output g is node -1 of 6");
}
