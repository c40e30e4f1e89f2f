#pragma once
/// A product with its scalar factor as a value: the form on which fusion, identities and scalar factors are worked out, each by
/// one function, each used by the pass of its name and by sum_of_products.
#include "cost/path.hpp"
#include "graph/build.hpp"

namespace tyto::optimize {

/// coefficient * einsum over (sum, product) of the operands.
struct Product {
  double coefficient = 1;
  std::vector<graph::NodeId> operands;
  einsum::Subscripts subscripts;
};

/// The node as a product: an ordinary einsum as it is, anything else as one operand.
Product as_product(const graph::Store&, graph::NodeId);
graph::NodeId to_node(graph::Store&, const Product&, const graph::Shape& shape);
cost::Network network_of(const graph::Store&, const Product&);
/// Labels numbered by the operands, so that ascending order, the order of axes of intermediates, follows the operands' axes.
Product numbered_by_operands(Product);

/// Operands that are ordinary einsums, or such with a scalar factor, replaced by their operands, up to most_fused_operands in all.
Product fused(const graph::Store&, Product);
/// The same, but an inner product that stands several times is kept where making it once costs less: squares of squares.
Product fused_where_cheaper(const graph::Store&, Product);
constexpr std::size_t most_fused_operands = 1024;
/// Operands that are transposed or diagonal views of one node replaced by that node.
Product without_permutations(const graph::Store&, Product);
/// Identities with a label that is not in the output, or twice the same label, removed; the trace of one is its extent.
Product without_identities(graph::Store&, Product);
/// Pairs conj(Q) Q of an orthonormal leaf, joined by every axis that is summed in its fact and by nothing else, replaced by
/// identities; see tyto::Facts.
Product without_orthonormal_pairs(graph::Store&, Product);
/// Scalar factors and fills moved into the coefficient; what remains of a fill is a fill of 1 along labels that nothing else has.
Product without_factors(graph::Store&, Product);

}  // namespace tyto::optimize
