#pragma once
/// Derivatives of nodes by nodes, as nodes. tyto/derivative.hpp is the same in terms of labels.
#include "graph/build.hpp"

namespace tyto::derivative {

/// Adjoints of the xs for one adjoint of y, shape (seeds..., y): results have shapes (seeds..., x). Where y does not depend on an
/// x the result is zero. The xs may be leaves or intermediates and count as independent of each other.
std::vector<graph::NodeId> reverse(graph::Store&, graph::NodeId y, const std::vector<graph::NodeId>& xs, graph::NodeId adjoint);

/// Tangent of y for tangents of the xs (their shapes).
graph::NodeId forward(graph::Store&, graph::NodeId y, const std::vector<graph::NodeId>& xs,
                      const std::vector<graph::NodeId>& tangents);

/// d y / d x with axes of y, then of x; from identities, never column by column.
graph::NodeId jacobian(graph::Store&, graph::NodeId y, graph::NodeId x);

/// Gradients of a scalar node.
std::vector<graph::NodeId> gradient(graph::Store&, graph::NodeId f, const std::vector<graph::NodeId>& xs);

}  // namespace tyto::derivative
