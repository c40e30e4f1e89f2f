#pragma once
/// Elementary algebra: a canonical form of sums, scalar factors, zeros and small powers. Numbers and products of nodes only; what
/// needs a choice is elsewhere.
///
/// before:
///     data X(i=3,j=2)
///     unknown A(i)
///     Z(i) = fill(0; i)
///     S(i,j) = 2*X(i,j)
///     P(i) = S(i,j)*S(i,j)
///     Q(i) = Z(i)*A(i)
///     R(i) = P(i) + Q(i) + A(i) - 3*A(i)
///     V(i) = A(i)^2
///     output r = R
///     output v = V
/// after:
///     data X(i=3,j=2)
///     unknown A(i)
///     P(i) = X(i,j)*X(i,j)
///     R(i) = 4*P(i) - 2*A(i)
///     V(i) = A(i)*A(i)
///     output r = R
///     output v = V
#include "optimize/pass.hpp"

namespace tyto::optimize {
graph::Graph algebra(const graph::Graph&, const Context&, Log&);
}  // namespace tyto::optimize
