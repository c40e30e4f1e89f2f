#pragma once
/// Contractions as matrix products over the operands where they lie: which operand is read as the matrix on the right, which ones
/// are multiplied into the one on the left, and what that is expected to cost.
#include <string>
#include <vector>
#include "arithmetic/product.hpp"
#include "execute/cpu/loops.hpp"
#include "execute/cpu/rates.hpp"

namespace tyto::execute::cpu {

struct ProductChoice {
  arithmetic::ProductPlan plan;
  arithmetic::Isa isa = arithmetic::Isa::portable;
  arithmetic::TileShape tile;     ///< at most
  std::int64_t column_panel = 1;  ///< columns of a packed panel
  std::size_t right = 0;          ///< number of the input
  std::vector<std::size_t> left;  ///< numbers of the inputs whose product is the left operand
  bool through_offsets = false;   ///< some index of a packed operand runs over several loops
};

/// All ways to run the contraction so; none if it sums over nothing, or over a label that its operands do not share.
std::vector<ProductChoice> product_choices(const program::Contraction&, const std::vector<program::Buffer>&, const Rates&);

/// The sum of its cost, see product_cost.hpp.
double seconds_of(const ProductChoice&, Dtype, const Rates&);

/// "gemm", "batched gemm in place", "gemm on a Khatri-Rao product", ...
std::string class_of(const ProductChoice&);

}  // namespace tyto::execute::cpu
