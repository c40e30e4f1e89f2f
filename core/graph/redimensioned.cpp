#include "graph/redimensioned.hpp"
#include "graph/infer.hpp"

namespace tyto::graph {

Redimensioned redimensioned(const Graph& graph, const OtherDimension& other) {
  const Store& from = *graph.store;
  Redimensioned result{{std::make_shared<Store>(), {}}, std::vector<NodeId>(static_cast<std::size_t>(from.size()), -1)};
  Store& to = *result.graph.store;
  const auto dimension = [&](DimensionId d) { return to.dimension(other(from.shared_dimension(d))); };
  for (const NodeId id : reachable(graph)) {
    const Node& node = from[id];
    Operation operation = node.operation;
    for (DimensionId* d : dimensions_in(operation)) *d = dimension(*d);
    std::vector<NodeId> operands;
    for (const NodeId operand : node.operands) operands.push_back(result.number[static_cast<std::size_t>(operand)]);
    NodeId& made = result.number[static_cast<std::size_t>(id)];
    if (is_source(node.operation)) {
      Shape shape;
      for (const DimensionId d : node.shape) shape.push_back(dimension(d));
      made = to.insert_source(std::move(operation), std::move(shape));
    } else {
      made = to.insert(std::move(operation), std::move(operands));
    }
  }
  for (const Output& output : graph.outputs)
    result.graph.outputs.push_back({output.name, result.number[static_cast<std::size_t>(output.node)]});
  return result;
}

}  // namespace tyto::graph
