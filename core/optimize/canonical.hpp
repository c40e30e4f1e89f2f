#pragma once
/// One way to write each product, so that equal products become equal values.
#include "optimize/product.hpp"

namespace tyto::optimize {

/// Operands sorted (leaves by id, then by structure), labels renumbered by that order, axes that a tensor's symmetry lets exchange
/// sorted; the output keeps its order of axes. Operands that are the same node are told apart by what they share labels with, by
/// colour refinement (Weisfeiler and Leman, 1968) and, where that leaves a choice, by taking one and refining again. Two products
/// that differ only in the order of factors, names of labels and such exchanges come out equal; a choice among operands that look
/// alike but are not exchangeable, as in strongly regular networks, could leave two equal products unmerged.
Product canonical(const graph::Store&, const Product&);

/// The order of factors and terms: leaves first, as they were made, then by structure.
bool comes_before(const graph::Store&, graph::NodeId, graph::NodeId);

/// Groups of axes of a node that may be exchanged: of a leaf as declared, of its conjugate, of an identity.
std::vector<std::vector<std::int32_t>> exchangeable_axes(const graph::Store&, graph::NodeId);
/// The labels of an operand in every order that such exchanges make of them, as they are first; above most_exchanges only that.
constexpr std::size_t most_exchanges = 720;
std::vector<einsum::Labels> exchanged(const graph::Store&, graph::NodeId, const einsum::Labels&);

}  // namespace tyto::optimize
