#pragma once
/// What a product is expected to take: its tiles, what is packed for them, and what comes from beyond the caches.
#include "execute/cpu/product_choice.hpp"

namespace tyto::execute::cpu {

/// Seconds of each part, for the whole batch.
struct ProductCost {
  double calls = 0;    ///< a call for each point of the batch, and offsets
  double tiles = 0;    ///< arithmetic, with what tiles compute that does not count
  double writing = 0;  ///< of numbers one by one, where the rows of a tile are not adjacent in the output
  double packing = 0;  ///< with what is waited for meanwhile
  double waiting = 0;  ///< for an operand in place, and for the output, beyond what arithmetic hides
  double seconds() const { return calls + tiles + writing + packing + waiting; }
};

ProductCost cost_of(const ProductChoice&, Dtype, const Rates&);

}  // namespace tyto::execute::cpu
