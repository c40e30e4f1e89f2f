#pragma once
/// Products of more than two operands become contractions of two, in the cheapest order (flops, then elements moved).
///
/// before:
///     data X(i=50,j=2) Y(j,k=50) Z(k,l=2)
///     T(i,l) = X(i,j)*Y(j,k)*Z(k,l)
///     output t = T
/// after:
///     data X(i=50,j=2) Y(j,k=50) Z(k,l=2)
///     S(j,l) = Y(j,k)*Z(k,l)
///     T(i,l) = X(i,j)*S(j,l)
///     output t = T
#include "optimize/pass.hpp"

namespace tyto::optimize {
graph::Graph contraction_path(const graph::Graph&, const Context&, Log&);
}  // namespace tyto::optimize
