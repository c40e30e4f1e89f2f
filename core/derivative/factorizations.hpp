#pragma once
/// Derivatives of the parts of matrix factorizations. Where values agree to rounding, what would mix their vectors counts as zero
/// (see graph::Reciprocal), so derivatives stay finite; they are right for functions that do not depend on the choice of vectors
/// among equals, nor on the phases of complex ones.
#include "graph/build.hpp"

namespace tyto::derivative {

/// The adjoint of the matrix, from that of one part (seed axes first); node `id` is the part.
graph::NodeId backward_factorization(graph::Store&, graph::NodeId id, graph::NodeId adjoint, std::size_t seeds);
/// The tangent of the part, from that of the matrix.
graph::NodeId forward_factorization(graph::Store&, graph::NodeId id, graph::NodeId tangent);

}  // namespace tyto::derivative
