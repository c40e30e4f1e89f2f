#pragma once
/// Where the operands of a product stand in a network: kernels of an objective are known by this, and what they have in common.
#include <optional>
#include "optimize/operand_set.hpp"
#include "optimize/product.hpp"

namespace tyto::optimize {

/// A product that is a network without some operands, and perhaps with others in their place.
struct Embedded {
  std::vector<std::int32_t> places;  ///< of each operand of the product: where it stands in the network, or -1
  OperandSet left_out;               ///< operands of the network that the product lacks; none: the whole network, a scalar
  einsum::Labels labels;             ///< of each label of the network that a placed operand has: the product's; others -1
  std::size_t strangers = 0;         ///< operands of the product that have no place
};

/// Operands that have a place are joined in the product as they are in the network, and no label that the network sums among them
/// is needed elsewhere, but for exchanges that declared symmetries allow: any of them contracted for the network serve the product.
/// Nothing if fewer than two have one. Equal operands are told apart by their neighbours, one after the other; of equal ways the
/// first is taken. Where the search takes too long or all operands cannot be placed together, those that fit no more are strangers.
std::optional<Embedded> embedded(const graph::Store&, const Product& product, const Product& network);

/// Whether the product is the message of all operands that it has: it has no others, and keeps just the labels that operands left
/// out or the output of the network have too.
bool is_message(const Product& product, const Embedded& place, const Product& network);

}  // namespace tyto::optimize
