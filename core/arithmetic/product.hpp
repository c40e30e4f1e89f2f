#pragma once
/// Matrix products over tensors where they lie: out(m, n) = sum_p left(m, p) right(p, n), where each of m, n and p may run over
/// several loops with any strides, repeated along batch loops, and where the left operand may be a product of several tensors
/// (a Khatri-Rao product, say) that is formed as it is packed and never stored.
///
/// The loops around the blocks follow Goto and van de Geijn, "Anatomy of high-performance matrix multiplication" (2008); packing
/// through offsets follows Matthews, "High-performance tensor contraction without transposition" (2018).
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>
#include "arithmetic/caches.hpp"
#include "arithmetic/pool.hpp"
#include "arithmetic/product_block.hpp"

namespace tyto::arithmetic {

constexpr std::size_t most_factors = 6;

/// Tensors of a product: the output, the right operand, then the factors of the left one.
enum ProductPlace : std::int8_t { product_out = 0, product_right = 1, product_left = 2 };

/// One loop, with the step in elements of each tensor.
struct ProductLoop {
  std::int64_t extent = 1;
  std::array<std::int64_t, 2 + most_factors> step = {};
};

/// Loops of one index, slowest first.
using ProductIndex = std::vector<ProductLoop>;
std::int64_t extent_of(const ProductIndex&);

/// rows: index of output and left operand; columns: of output and right; depth: of both operands, summed; batch: of any.
struct Product {
  ProductIndex rows, columns, depth, batch;
  std::int64_t factors = 1;
};

/// Bytes of so many elements in the scratch, whose parts begin at lines of the cache.
constexpr std::int64_t scratch_part(std::int64_t elements, std::int64_t element_bytes) {
  return (elements * element_bytes + 63) / 64 * 64;
}

/// How a product is cut into blocks. Blocks of rows, columns and depth, in elements.
struct ProductPlan {
  Product product;
  Walk right = Walk::packed;
  bool packs_left_once = false;  ///< the whole left operand is packed before the first block
  bool left_moves = false;       ///< along the batch
  bool wide = false;             ///< tiles
  bool asks_early = false;       ///< see Block
  bool packs_ahead = false;      ///< a block of the right operand is packed while the one before it is multiplied
  /// Blocks of an output whose rows lie apart are summed up in the scratch and written once: rows would often fall on the same sets
  /// of a cache. Only where the block is small against what else is in the second-level cache.
  bool keeps_out = false;
  std::int64_t rows = 0, columns = 0, depth = 0;
  std::int64_t row_block = 0, column_block = 0, depth_block = 0;
  std::int64_t depth_run = 0;                          ///< blocks of depth do not cross multiples of it
  std::int64_t left_elements = 0, right_elements = 0;  ///< packed, in the scratch
  std::int64_t out_elements = 0;                       ///< of a block that is kept there
  std::int64_t offset_rows = 0;                        ///< rows whose offsets lie there
  std::int64_t scratch_bytes = 0;
  std::int64_t row_vector = 1, tile_columns = 1;  ///< what extents are filled up to
  /// Of the block that begins at a depth.
  std::int64_t depth_count(std::int64_t first) const {
    return std::min({depth_block, depth_run - first % depth_run, depth - first});
  }
};

/// Whether the right operand can be walked so: in place, the last loop of columns or of depth has step 1.
bool allows(const Product&, Walk);
template <class T>
ProductPlan plan_product(Product, Walk, const ProductFunctions<T>&, const Caches&);

/// Memory of a product: `factors` has one address for each factor of the left operand; scratch has plan.scratch_bytes, aligned
/// to 64.
template <class T>
struct ProductMemory {
  T* out = nullptr;
  const T* right = nullptr;
  std::array<const T*, most_factors> factors = {};
  char* scratch = nullptr;
  char* worker_scratch = nullptr;
  const T* addend = nullptr;  ///< lies as the output does, or is the output; null: nothing is added to
};

/// out = addend + scale * product. Allocates nothing. Threads share rows, columns and batch, never a sum: the result is the same,
/// bit by bit, for any number of them.
template <class T>
void run(const ProductPlan&, const ProductFunctions<T>&, const ProductMemory<T>&, T scale, Pool&);

}  // namespace tyto::arithmetic
