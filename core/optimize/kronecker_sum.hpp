#pragma once
/// Systems with the matrix A x I + I x B, A and B symmetric: what separable operators and Sylvester equations A X + X B = C are.
#include "graph/build.hpp"

namespace tyto::optimize {

/// With A = U diag(a) U^H and B = V diag(b) V^H the solution is (U x V) diag(1 / (a_i + b_j)) (U x V)^H right, where 1/0 counts as
/// 0: the solution of minimum norm (Bartels and Stewart 1972, for symmetric matrices). -1 if the matrix is not of this kind, or is
/// so small that the eigenvectors cost more than the system.
graph::NodeId kronecker_sum(graph::Store&, const graph::Solve&, graph::NodeId matrix, graph::NodeId right);

}  // namespace tyto::optimize
