#pragma once
/// One unrooted binary tree for each product network of an objective, and for networks that other products have in common (see
/// inferred_networks.hpp). An edge of the tree splits the operands in two; the contraction of either side is a message. A kernel
/// that is the network without some operands, perhaps with others in their place, is made of the largest messages that have nothing
/// of what is left out: often of one alone, which then is the kernel. The tree is the one with the least cost x number of times a
/// message must be computed anew in a cycle of kernels: found exactly by dynamic programming over subsets where operands are few
/// and every kernel is a message, else by improving the tree of a path part by part, products of several messages counted too (see
/// network_tree.hpp). Dimension trees, environments and the reuse of Grams are this one rule.
///
/// before:
///     data X(i=20,j=30,k=40)
///     unknown A(i,r=3) B(j,r) C(k,r)
///     MA(i,r) = X(i,j,k)*B(j,r)*C(k,r)
///     MB(j,r) = X(i,j,k)*A(i,r)*C(k,r)
///     MC(k,r) = X(i,j,k)*A(i,r)*B(j,r)
///     f() = X(i,j,k)*A(i,r)*B(j,r)*C(k,r)
///     output A = MA
///     output B = MB
///     output C = MC
///     output f = f
///     # the cycle is A, B, C, f; each of the first three changes the unknown of its name
/// after:
///     data X(i=20,j=30,k=40)
///     unknown A(i,r=3) B(j,r) C(k,r)
///     T(i,j,r) = X(i,j,k)*C(k,r)
///     MA(i,r) = T(i,j,r)*B(j,r)
///     MB(j,r) = T(i,j,r)*A(i,r)
///     K(i,j,r) = A(i,r)*B(j,r)
///     MC(k,r) = X(i,j,k)*K(i,j,r)
///     f() = MC(k,r)*C(k,r)
///     output A = MA
///     output B = MB
///     output C = MC
///     output f = f
#include "optimize/pass.hpp"

namespace tyto::optimize {
graph::Graph message_tree(const graph::Graph&, const Context&, Log&);
}  // namespace tyto::optimize
