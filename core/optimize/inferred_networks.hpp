#pragma once
/// Networks that products have in common where no objective names one: gradients alone, or a tensor times all factors but one.
///
/// before:
///     data X(i=20,j=30,k=40)
///     unknown A(i,r=3) B(j,r) C(k,r)
///     MA(i,r) = X(i,j,k)*B(j,r)*C(k,r)
///     MB(j,r) = X(i,j,k)*A(i,r)*C(k,r)
///     MC(k,r) = X(i,j,k)*A(i,r)*B(j,r)
///     output A = MA
///     output B = MB
///     output C = MC
///     # the network is X(i,j,k)*A(i,r)*B(j,r)*C(k,r); message_tree does the rest
/// after:
///     data X(i=20,j=30,k=40)
///     unknown A(i,r=3) B(j,r) C(k,r)
///     T(i,j,r) = X(i,j,k)*C(k,r)
///     MA(i,r) = T(i,j,r)*B(j,r)
///     MB(j,r) = T(i,j,r)*A(i,r)
///     K(i,j,r) = A(i,r)*B(j,r)
///     MC(k,r) = X(i,j,k)*K(i,j,r)
///     output A = MA
///     output B = MB
///     output C = MC
#include "optimize/pass.hpp"
#include "optimize/product.hpp"

namespace tyto::optimize {

/// Two products that are one network without one operand each, P = N without a and Q = N without b, give N: Q and the operand b
/// that it lacks, joined by the labels of what they share. Labels that neither of them sums and that a or b lacks are the output
/// of N: none for the kernels of CP, the ranks for those of Tucker. Products that are messages of a network found before give no
/// other. Partners are found by what is left of a product without an operand, so the work grows with the operands of all products;
/// at most most_inferred_networks are found from at most most_comparisons pairs, and the log says where that was too few.
std::vector<Product> inferred_networks(const graph::Store&, const std::vector<Product>&, Log&);
/// Networks of more operands have no tree.
constexpr std::size_t most_network_operands = 1024;
constexpr std::size_t most_inferred_networks = 64, most_comparisons = 4096;

}  // namespace tyto::optimize
