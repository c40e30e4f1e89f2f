#pragma once
/// Products that are equal up to the order of their factors, their labels, a transposition, or an exchange of axes that a declared
/// symmetry allows become one node, and like terms of sums one term. What uses a symmetry is equal for symmetric values only: its
/// derivative by that leaf is the same up to the antisymmetric part.
///
/// before:
///     unknown A(i=3,r=2) B(j=4,r)
///     P(r,r') = A(i,r)*A(i,r')*B(j,r)*B(j,r')
///     Q(r,r') = B(j,r')*A(i,r')*A(i,r)*B(j,r)
///     U(i,j) = A(i,r)*B(j,r)
///     V(j,i) = B(j,r)*A(i,r)
///     output p = P
///     output q = Q
///     output u = U
///     output v = V
/// after:
///     unknown A(i=3,r=2) B(j=4,r)
///     P(r,r') = A(i,r)*A(i,r')*B(j,r)*B(j,r')
///     U(i,j) = A(i,r)*B(j,r)
///     V(j,i) = U(i,j)
///     output p = P
///     output q = P
///     output u = U
///     output v = V
#include "optimize/pass.hpp"

namespace tyto::optimize {
graph::Graph common_subexpressions(const graph::Graph&, const Context&, Log&);
}  // namespace tyto::optimize
