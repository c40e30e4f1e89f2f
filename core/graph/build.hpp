#pragma once
/// Makes nodes from nodes: the vocabulary of derivative rules and passes. Only what is always right is simplified here: sums
/// are flat and have no zero or repeated terms, a trivial einsum is its operand, zero factors make zero.
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
NodeId scaled(Store&, double, NodeId);
NodeId power(Store&, NodeId, double exponent);
/// Elementwise product of nodes of one shape.
NodeId elementwise_product(Store&, const std::vector<NodeId>&);
/// Axes in another order: axis k of the result is axis order[k] of the node.
NodeId permuted(Store&, NodeId, const std::vector<std::int32_t>& order);

bool is_zero(const Store&, NodeId);
/// The node without its scalar factor: c * node' = node.
Term without_factor(const Store&, NodeId);
/// Labels 0, 1, ..., n-1, shifted by `first`.
einsum::Labels counted(std::size_t n, einsum::Label first = 0);

}  // namespace tyto::graph
