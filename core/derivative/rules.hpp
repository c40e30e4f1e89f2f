#pragma once
/// One rule per operation, forward and backward. Adjoints and tangents carry `seeds` leading axes that no operation touches, so
/// that one reverse sweep from an identity gives an explicit Jacobian.
#include "graph/build.hpp"

namespace tyto::derivative {

/// The contribution of `node` to the adjoint of its operand k: shape (seeds..., operand k), from the adjoint (seeds..., node) of
/// the node. Error{unsupported} where the operation has no derivative.
graph::NodeId backward(graph::Store&, graph::NodeId node, std::size_t k, graph::NodeId adjoint, std::size_t seeds);

/// The contribution of the tangent of operand k (its shape) to the tangent of `node`.
graph::NodeId forward(graph::Store&, graph::NodeId node, std::size_t k, graph::NodeId tangent);

}  // namespace tyto::derivative
