#pragma once
/// Orders of the nodes of a graph that do not depend on the order in which they were made.
#include "graph/graph.hpp"

namespace tyto::graph {

/// The nodes that the outputs need: leaves as they were made, then the others depth first, operands before what uses them, the
/// first output and the first operand before the next.
std::vector<NodeId> depth_first(const Graph&);

}  // namespace tyto::graph
