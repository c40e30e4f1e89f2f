#pragma once
/// Terms of a sum with a common factor become that factor times a sum, where that takes fewer flops: what distribution took apart,
/// and what derivatives give as sums over unknowns. Terms that are kernels of an objective stay, since they share a tree.
/// Distribution is a property of the operations: (min, sum) contractions distribute over minima, (max, sum) ones over maxima.
///
/// before:
///     unknown A(i=30,r=3) B(j=40,r) C(k=50,r) U(j,r) V(k,r)
///     P(i,r) = A(i,s)*U(j,s)*B(j,r)*C(k,s)*C(k,r)
///     Q(i,r) = A(i,s)*B(j,s)*B(j,r)*V(k,s)*C(k,r)
///     S(i,r) = P(i,r) + Q(i,r)
///     output s = S
/// after:
///     unknown A(i=30,r=3) B(j=40,r) C(k=50,r) U(j,r) V(k,r)
///     P(r,s) = B(j,r)*C(k,r)*C(k,s)*U(j,s)
///     Q(r,s) = B(j,r)*B(j,s)*C(k,r)*V(k,s)
///     G(r,s) = P(r,s) + Q(r,s)
///     S(i,r) = A(i,s)*G(r,s)
///     output s = S
#include "optimize/pass.hpp"

namespace tyto::optimize {
graph::Graph factor(const graph::Graph&, const Context&, Log&);
}  // namespace tyto::optimize
