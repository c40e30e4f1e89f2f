#pragma once
/// Where the operands of a product stand in a network: what is left of the network without some of its operands is found in a graph
/// by this.
#include <optional>
#include "optimize/product.hpp"
#include "optimize/tree.hpp"

namespace tyto::optimize {

/// A product that is what remains of a network without some operands.
struct Embedded {
  Operands left_out = 0;  ///< 0: the product is the whole network, a scalar
  einsum::Labels output;  ///< the product's output in the network's labels
};

/// Nothing if the product is no such part of the network. Of several places the one with the first operands is taken.
std::optional<Embedded> embedded(const Product& product, const Product& network);

/// Whether every operand of a product is in the network as often as in the product: what any embedding needs, and quickly told.
bool may_embed(const std::vector<graph::NodeId>& product, const std::vector<graph::NodeId>& sorted_network);

}  // namespace tyto::optimize
