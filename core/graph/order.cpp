#include "graph/order.hpp"

namespace tyto::graph {

std::vector<NodeId> depth_first(const Graph& graph) {
  const Store& store = *graph.store;
  struct Opened {
    NodeId node;
    std::size_t next = 0;  // of its operands
  };
  std::vector<char> seen(static_cast<std::size_t>(store.size()), 0);
  std::vector<NodeId> order;
  std::vector<Opened> path;
  for (const NodeId id : reachable(graph))
    if (is<Leaf>(store[id])) seen[static_cast<std::size_t>(id)] = 1, order.push_back(id);
  const auto enter = [&](NodeId id) {
    if (seen[static_cast<std::size_t>(id)] == 0) path.push_back({id});
    seen[static_cast<std::size_t>(id)] = 1;
  };
  for (const Output& output : graph.outputs) {
    enter(output.node);
    while (!path.empty()) {
      Opened& visit = path.back();
      const std::vector<NodeId>& operands = store[visit.node].operands;
      if (visit.next < operands.size()) {
        enter(operands[visit.next++]);
      } else {
        order.push_back(visit.node);
        path.pop_back();
      }
    }
  }
  return order;
}

}  // namespace tyto::graph
