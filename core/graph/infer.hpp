#pragma once
/// What the shape and the field of a node follow from.
#include "graph/store.hpp"

namespace tyto::graph {

/// The shape of an operation with operands. Throws Error{shape} or Error{extent} if they do not fit.
Shape shape_of(const Store&, const Operation&, const std::vector<NodeId>& operands);
/// The dimensions that an operation names.
std::vector<DimensionId*> dimensions_in(Operation&);
/// Whether its values are complex. Throws Error{unsupported} where complex operands have no meaning: comparisons, softmax.
Field field_of(const Store&, const Operation&, const std::vector<NodeId>& operands);

}  // namespace tyto::graph
