#pragma once
/// Normal equations with structure become small systems: an identity that ties a row to its column in every term makes the system
/// block diagonal there (one matrix for all, or one for each entry where the terms depend on it), and a product of unconnected
/// parts is a Kronecker product, solved part by part (pseudoinverses of Kronecker products are products of pseudoinverses). Of
/// non-negative systems only those that are independent of each other part: a bound on x is none on a product with a matrix.
///
/// before:
///     data M(i=5,r=2)
///     unknown B(j=4,r) C(k=3,r)
///     H(i,r,i',r') = I(i,i')*B(j,r)*B(j,r')*C(k,r)*C(k,r')
///     A(i,r) = solve+[i',r'](H(i',r',i,r), M(i',r'))
///     output a = A
/// after:
///     data M(i=5,r=2)
///     unknown B(j=4,r) C(k=3,r)
///     N(r,i) = M(i,r)
///     G(r,r') = B(j,r)*B(j,r')*C(k,r)*C(k,r')
///     S(r,i) = solve+[r'](G(r',r), N(r',i))
///     A(i,r) = S(r,i)
///     output a = A
#include "optimize/pass.hpp"

namespace tyto::optimize {
graph::Graph structured_solve(const graph::Graph&, const Context&, Log&);
}  // namespace tyto::optimize
