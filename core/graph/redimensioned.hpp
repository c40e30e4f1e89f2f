#pragma once
/// The same expressions over other extents.
#include "graph/graph.hpp"

namespace tyto::graph {

/// In a store of their own; `number` has the nodes there by those of the old store, -1 for what the outputs do not need. Leaves are
/// the old ones.
struct Redimensioned {
  Graph graph;
  std::vector<NodeId> number;
};
using OtherDimension = std::function<std::shared_ptr<const Dimension>(const std::shared_ptr<const Dimension>&)>;
Redimensioned redimensioned(const Graph&, const OtherDimension&);

}  // namespace tyto::graph
