#pragma once
/// Makes nodes from nodes: the vocabulary of derivative rules and passes. Only what is always right is simplified here: sums
/// are flat and have no zero or repeated terms, a trivial einsum is its operand, zero factors make zero.
#include <complex>
#include "graph/graph.hpp"

namespace tyto::graph {

struct Term {
  double coefficient = 1;
  NodeId node = -1;
};

NodeId fill(Store&, double value, const Shape&);
NodeId identity(Store&, DimensionId row, DimensionId column);
NodeId einsum(Store&, const std::vector<NodeId>& operands, const einsum::Subscripts&, einsum::Pair = {});
/// Sum of the terms, which have `shape`; nested sums are opened, equal nodes merged, zeros dropped.
NodeId combination(Store&, const std::vector<Term>&, const Shape&);
/// The same without opening nested sums: they stay nodes, and so intermediates that a derivative can be taken by.
NodeId nested_combination(Store&, const std::vector<Term>&, const Shape&);
NodeId scaled(Store&, double, NodeId);
NodeId power(Store&, NodeId, double exponent);
/// Elementwise product of nodes of one shape.
NodeId elementwise_product(Store&, const std::vector<NodeId>&);
/// Real functions of fills are worked out; conj, real and imag of real values are gone.
NodeId map(Store&, operation::Function, const std::vector<NodeId>& operands);
/// Complex conjugate: the node itself where it is real.
NodeId conjugate(Store&, NodeId);
/// Re + Im i everywhere.
NodeId complex_fill(Store&, std::complex<double>, const Shape&);
NodeId log_sum_exp(Store&, NodeId, std::int32_t reduced);
NodeId softmax(Store&, NodeId, std::int32_t reduced);
NodeId reshape(Store&, NodeId, const Shape&);
/// A slice of what was padded or filled is what was put there.
NodeId slice(Store&, NodeId, const Slice&);
NodeId pad(Store&, NodeId, const Pad&);
NodeId concatenate(Store&, const std::vector<NodeId>&, const Concatenate&);
/// The last two axes exchanged.
NodeId transposed(Store&, NodeId);
/// Product of matrices: the last axis of `a` with the last but one of `b`, all axes before these in common.
NodeId matrix_product(Store&, NodeId a, NodeId b);
/// Axes in another order: axis k of the result is axis order[k] of the node.
NodeId permuted(Store&, NodeId, const std::vector<std::int32_t>& order);

bool is_zero(const Store&, NodeId);
/// The node without its scalar factor: c * node' = node.
Term without_factor(const Store&, NodeId);
/// Labels 0, 1, ..., n-1, shifted by `first`.
einsum::Labels counted(std::size_t n, einsum::Label first = 0);

}  // namespace tyto::graph
