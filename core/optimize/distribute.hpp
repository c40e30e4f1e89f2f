#pragma once
/// Products over sums, where the terms together cost less than forming the sum. The residual of a least-squares problem is not
/// formed this way, while a mask keeps its residual: with it the terms would cost more. Costs count changing parts only.
///
/// before:
///     data X(i=20,j=30)
///     unknown A(i,r=2) B(j,r)
///     M(i,j) = A(i,r)*B(j,r)
///     E(i,j) = X(i,j) - M(i,j)
///     G(i,r) = E(i,j)*B(j,r)
///     output g = G
/// after:
///     data X(i=20,j=30)
///     unknown A(i,r=2) B(j,r)
///     T1(i,r) = X(i,j)*B(j,r)
///     T2(i,r) = A(i,r')*B(j,r)*B(j,r')
///     G(i,r) = T1(i,r) - T2(i,r)
///     output g = G
#include "optimize/pass.hpp"

namespace tyto::optimize {
graph::Graph distribute(const graph::Graph&, const Context&, Log&);
}  // namespace tyto::optimize
