#pragma once
/// A block of a matrix product, small enough that its packed left operand stays in the second-level cache: what one instruction
/// set does. The loops around it are arithmetic/product.hpp.
#include <complex>
#include <cstdint>
#include "arithmetic/isa.hpp"
#include "arithmetic/tile.hpp"

namespace tyto::arithmetic {

/// Copies count(across) x depth elements to panels of `width`: to[p * width + i] = or *= from[across[i] + depth[p]], zeros for i
/// from count to width. Of complex numbers in a left operand the real parts of each depth come first, then the imaginary ones.
template <class T>
struct PackedPanel {
  T* to = nullptr;
  const T* from = nullptr;
  std::int64_t width = 0, count = 0, depth_count = 0;
  const std::int64_t* across = nullptr;  ///< offsets in elements
  const std::int64_t* depth = nullptr;
  bool multiplies = false;
};

/// How rows are cut into panels of whole vectors, as many as a tile has.
struct LeftPanels {
  std::int64_t vectors = 0, most = 1;
  /// Vectors of the panel that begins at vector `at`.
  std::int64_t width(std::int64_t at) const {
    const std::int64_t left = vectors - at;
    if (most == 3 && left == 4) return 2;  // 2 and 2 are faster than 3 and 1
    return left < most ? left : most;
  }
  std::int64_t count() const { return (vectors + most - 1) / most; }
};

/// Elements between packed panels: a line, since panels whose distance is a multiple of a page would fall on the same sets of a
/// cache while they are written side by side.
template <class T>
constexpr std::int64_t panel_gap = 64 / static_cast<std::int64_t>(sizeof(T));

/// Copies all rows of a block of the left operand, which is one tensor, to its panels; see PackedPanel for what lies in one.
template <class T>
struct PackedRows {
  T* to = nullptr;
  const T* from = nullptr;
  LeftPanels panels;
  std::int64_t count = 0, depth_count = 0;
  const std::int64_t* rows = nullptr;  ///< offsets in elements
  const std::int64_t* depth = nullptr;
};

/// Copies all columns of a block of the right operand to panels of `width`, one behind the other: element (p, j) goes to panel j /
/// width, to[(j - j % width) * depth_count + p * width + j % width]; the last panel ends in zeros.
template <class T>
struct PackedColumns {
  T* to = nullptr;
  const T* from = nullptr;
  std::int64_t width = 0, panel_step = 0, count = 0, depth_count = 0;
  const std::int64_t* columns = nullptr;  ///< offsets in elements
  const std::int64_t* depth = nullptr;
};

/// Sums of a block of the output, column by column, the rows of each behind one another: out(m, n) = addend(m, n) + sums(m, n).
template <class T>
struct Sums {
  const T* from = nullptr;
  std::int64_t column_size = 0;  ///< elements from one column to the next
  bool parts_are_apart = false;  ///< of complex numbers: real parts of all rows, then the imaginary ones
  std::int64_t rows = 0, columns = 0;
  T* out = nullptr;
  const T* addend = nullptr;               ///< lies as the output does, or is the output; null: nothing is added to
  const std::int64_t* out_rows = nullptr;  ///< offsets
  const std::int64_t* out_columns = nullptr;
};

/// out(m, n) = addend(m, n) + scale * sum_p left(m, p) right(p, n), with m < rows, n < columns, p < depth.
template <class T>
struct Block {
  std::int64_t rows = 0, columns = 0, depth = 0;
  bool wide = false;         ///< tiles; both operands are packed for them
  const T* left = nullptr;   ///< panels as left_panels() says, each `depth` deep, panel_gap apart
  const T* right = nullptr;  ///< panels of column_panel columns; or the operand itself where `walk` is in place
  Walk walk = Walk::packed;
  std::int64_t right_panel_step = 0;            ///< packed
  const std::int64_t* right_columns = nullptr;  ///< offsets of the columns of a right operand in place
  std::int64_t right_step = 0;                  ///< of depth, in place with columns adjacent
  bool asks_early = false;                      ///< in place: the first rows fetch what the next tile reads
  const PackedColumns<T>* next = nullptr;       ///< packed: another block to be packed meanwhile
  T* out = nullptr;
  const std::int64_t* out_rows = nullptr;  ///< offsets
  const std::int64_t* out_columns = nullptr;
  const T* addend = nullptr;  ///< lies as the output does, or is the output; null: nothing is added to
  T scale = T{1};
  void (*write)(const Sums<T>&) = nullptr;  ///< of the same instruction set
};

/// One way to cut a product into tiles.
struct Tiling {
  TileShape tile;
  std::int64_t column_panel = 0;  ///< columns in a packed panel of the right operand, a multiple of the tile's
};

/// Elements from one packed panel of the right operand to the next.
template <class T>
constexpr std::int64_t panel_step(std::int64_t width, std::int64_t depth) {
  return width * depth + panel_gap<T>;
}

/// What one instruction set offers for one element type: tiles for few rows, and for many.
template <class T>
struct ProductFunctions {
  std::int64_t row_vector = 0;  ///< rows in a vector
  Tiling wide, tall;
  void (*pack_left)(const PackedPanel<T>&) = nullptr;
  void (*pack_rows)(const PackedRows<T>&) = nullptr;
  void (*pack_right)(const PackedColumns<T>&) = nullptr;
  void (*multiply)(const Block<T>&) = nullptr;
  void (*write)(const Sums<T>&) = nullptr;

  const Tiling& tiling(bool is_wide) const { return is_wide ? wide : tall; }
  LeftPanels left_panels(std::int64_t rows, bool is_wide) const {
    return {(rows + row_vector - 1) / row_vector, tiling(is_wide).tile.vectors};
  }
  /// Which tiles suit a product of so many rows.
  bool suits_wide(std::int64_t rows) const {
    const std::int64_t vectors = (rows + row_vector - 1) / row_vector;
    return vectors <= wide.tile.vectors || (wide.tile.vectors > 1 && vectors == 2 * wide.tile.vectors);
  }
};

/// For float, double and their complex numbers; the 16, 32 and 64 bit integers have one version, for every instruction set.
template <class T>
const ProductFunctions<T>& product_functions(Isa);

}  // namespace tyto::arithmetic
