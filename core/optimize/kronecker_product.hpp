#pragma once
/// Systems and inverses whose matrix is a product of identities, of matrices that differ along a tied axis, and of parts that no
/// operand connects.
#include "optimize/pass.hpp"

namespace tyto::optimize {

/// The solution by smaller systems, axes as the solve had them; -1 if the matrix has no such structure.
graph::NodeId kronecker_solution(graph::Store&, const graph::Solve&, graph::NodeId matrix, graph::NodeId right, Log&);
/// The transposed inverse as a product of smaller ones and identities; -1 if there is no such structure.
graph::NodeId kronecker_inverse(graph::Store&, const graph::Inverse&, graph::NodeId matrix, Log&);

}  // namespace tyto::optimize
