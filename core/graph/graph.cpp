#include "graph/graph.hpp"
#include <algorithm>
#include <fmt/format.h>
#include "error/fail.hpp"

namespace tyto::graph {

std::vector<NodeId> reachable(const Store& store, const std::vector<NodeId>& from) {
  std::vector<char> seen(static_cast<std::size_t>(store.size()), 0);
  for (const NodeId id : from) seen[static_cast<std::size_t>(id)] = 1;
  for (NodeId id = store.size() - 1; id >= 0; --id)
    if (seen[static_cast<std::size_t>(id)] != 0)
      for (const NodeId operand : store[id].operands) seen[static_cast<std::size_t>(operand)] = 1;
  std::vector<NodeId> order;
  for (NodeId id = 0; id < store.size(); ++id)
    if (seen[static_cast<std::size_t>(id)] != 0) order.push_back(id);
  return order;
}

std::vector<NodeId> reachable(const Graph& graph) {
  std::vector<NodeId> from;
  for (const Output& output : graph.outputs) from.push_back(output.node);
  return reachable(*graph.store, from);
}

bool depends_on(const Store& store, NodeId node, NodeId leaf) {
  const std::vector<NodeId> needed = reachable(store, {node});
  return std::find(needed.begin(), needed.end(), leaf) != needed.end();
}

std::vector<std::int32_t> use_counts(const Graph& graph) {
  std::vector<std::int32_t> counts(static_cast<std::size_t>(graph.store->size()), 0);
  for (const NodeId id : reachable(graph))
    for (const NodeId operand : (*graph.store)[id].operands) ++counts[static_cast<std::size_t>(operand)];
  for (const Output& output : graph.outputs) ++counts[static_cast<std::size_t>(output.node)];
  return counts;
}

NodeId kept(Store& store, const Node& node) {
  return node.operands.empty() ? store.insert_source(node.operation, node.shape) : store.insert(node.operation, node.operands);
}

Graph rewritten(const Graph& graph, const Visit& visit) {
  Store& store = *graph.store;
  std::vector<NodeId> replacement(static_cast<std::size_t>(store.size()), -1);
  for (const NodeId id : reachable(graph)) {
    Node node = store[id];
    for (NodeId& operand : node.operands) operand = replacement[static_cast<std::size_t>(operand)];
    replacement[static_cast<std::size_t>(id)] = visit(store, node, id);
  }
  Graph result = graph;
  for (Output& output : result.outputs) output.node = replacement[static_cast<std::size_t>(output.node)];
  return result;
}

NodeId substituted(Store& store, NodeId node, NodeId leaf, NodeId value) {
  TYTO_ASSERT(store.fits(store[leaf].shape, store[value].shape));
  const Graph whole{std::shared_ptr<Store>(std::shared_ptr<Store>(), &store), {{"", node}}};
  return rewritten(whole, [&](Store& s, const Node& n, NodeId old) { return old == leaf ? value : kept(s, n); }).outputs[0].node;
}

void verify(const Graph& graph) {
  Store& store = *graph.store;
  for (const Output& output : graph.outputs)
    if (output.node < 0 || output.node >= store.size())
      fail(Code::defect, fmt::format("output {} is node {} of {}", output.name, output.node, store.size()));
  for (const NodeId id : reachable(graph)) {
    const Node node = store[id];
    for (const NodeId operand : node.operands)
      if (operand < 0 || operand >= id)
        fail(Code::defect, fmt::format("node {} has operand {}, which does not come before it", id, operand));
    // Inserting checks shapes again and, where all is well, finds the node itself.
    if (kept(store, node) != id) fail(Code::defect, fmt::format("node {} is not the one that its parts make", id));
  }
}

}  // namespace tyto::graph
