#pragma once
/// The blocks of a product, for a vector width; included where they are compiled for each instruction set.
#include <algorithm>
#include <type_traits>
#include "arithmetic/pack_loops.hpp"

namespace tyto::arithmetic::loops {

/// Where one tile begins.
template <class T>
struct TilePlace {
  const T* left = nullptr;
  const T* right = nullptr;
  std::int64_t step = 0;
  std::int64_t row = 0, column = 0;
  std::int64_t rows = 0, columns = 0;  ///< that count; the tile may have more
};

/// Stands for the packer of another block where none is packed.
struct Nothing {};

/// Sums of a tile while pieces of another block are packed, one vector for each depth: memory is then not waited for.
template <class T, int Bytes, int Rows, int Columns, class BlockPacker>
TYTO_ALWAYS_INLINE void add_and_pack(Tile<T, Bytes, Rows, Columns>& tile, const Block<T>& block, TilePlace<T> at,
                                     BlockPacker& packer) {
  std::int64_t depth = block.depth;
  if constexpr (!is_complex_type<T>) {
    constexpr int in_panel = BlockPacker::in_panel, group = in_panel == 1 ? 2 : in_panel;
    packer.next_call();
    while (depth >= group) {
      const PackedPiece<T> piece = packer.take();
      if (piece.vectors == 0) break;
      const std::int64_t groups = std::min(depth, piece.vectors) / group, done = groups * group;
      tile.template add_and_pack<group, in_panel>(groups, at.left, at.right, at.step, piece);
      packer.copy(piece, done);
      at.left += done * Rows * lanes<T, Bytes>, at.right += done * at.step, depth -= done;
    }
  }
  tile.template add<Walk::packed>(depth, at.left, at.right, at.step, 0);
}

/// What Block::write needs to know of the rows [row, row + rows) of a tile.
template <class T>
TYTO_ALWAYS_INLINE Sums<T> sums_of(const Block<T>& block, const TilePlace<T>& at, std::int64_t row, std::int64_t rows,
                                   const T* from, std::int64_t column_size) {
  return {.from = from,
          .column_size = column_size,
          .parts_are_apart = true,
          .rows = rows,
          .columns = at.columns,
          .out = block.out,
          .addend = block.addend,
          .out_rows = block.out_rows + at.row + row,
          .out_columns = block.out_columns + at.column};
}

/// Whether some vector of rows is adjacent in the output.
template <class T, int Bytes>
TYTO_ALWAYS_INLINE bool some_vector_is_adjacent(const std::int64_t* out_rows, int vectors) {
  constexpr std::int64_t w = lanes<T, Bytes>;
  for (int r = 0; r < vectors; ++r)
    if (are_adjacent(out_rows + r * w, w)) return true;
  return false;
}

/// Writes the vectors of a whole tile, each from its registers if its rows are adjacent in the output.
template <class T, int Bytes, int Rows, int Columns>
TYTO_ALWAYS_INLINE void write_by_vectors(const Tile<T, Bytes, Rows, Columns>& tile, const Block<T>& block, const TilePlace<T>& at) {
  constexpr std::int64_t w = lanes<T, Bytes>;
  const std::int64_t *rows = block.out_rows + at.row, *columns = block.out_columns + at.column;
  for_each<Rows>([&](auto r) TYTO_INLINE_BODY {
    if (!are_adjacent(rows + r * w, w)) {
      alignas(64) T sums[static_cast<std::size_t>(w * Columns)];
      tile.keep_vector(r, sums);
      block.write(sums_of<T>(block, at, r * w, w, sums, w));
    } else if (block.addend != nullptr) {
      tile.add_vector_to(r, block.addend + rows[r * w], block.out + rows[r * w], columns);
    } else {
      tile.write_vector_to(r, block.out + rows[r * w], columns);
    }
  });
}

/// Asks for the lines of the output that a tile will write, while its sums are computed.
template <class T>
TYTO_ALWAYS_INLINE void ask_for_output(const Block<T>& block, const TilePlace<T>& at) {
  const std::int64_t first = block.out_rows[at.row], last = block.out_rows[at.row + at.rows - 1];
  for (std::int64_t c = 0; c < at.columns; ++c) {
    const T* column = block.out + block.out_columns[at.column + c];
    __builtin_prefetch(column + first, 1);
    __builtin_prefetch(column + last, 1);
  }
}

template <class T, int Bytes, int Rows, int Columns, Walk walk, class BlockPacker>
TYTO_ALWAYS_INLINE void multiply_tile(const Block<T>& block, const TilePlace<T>& at, BlockPacker& packer) {
  Tile<T, Bytes, Rows, Columns> tile;
  ask_for_output(block, at);
  if constexpr (!std::is_same_v<BlockPacker, Nothing>) {
    add_and_pack(tile, block, at, packer);
  } else {
    std::int64_t ahead = walk == Walk::depth_adjacent ? at.step : Columns + elements_of_line<T>;  // beyond the lines of this tile
    if (at.row > 0 || !block.asks_early) ahead = 0;
    tile.template add<walk>(block.depth, at.left, at.right, at.step, ahead);
  }
  if (block.scale != T{1}) tile.scale(block.scale);
  constexpr std::int64_t rows = Rows * row_lanes<T, Bytes>;
  if constexpr (!is_complex_type<T>) {
    const std::int64_t* out_rows = block.out_rows + at.row;
    const bool is_whole = at.columns == Columns && at.rows == rows;
    if (is_whole && are_adjacent(out_rows, rows)) {
      T* out = block.out + out_rows[0];
      if (block.addend != nullptr) tile.add_to(block.addend + out_rows[0], out, block.out_columns + at.column);
      else tile.write_to(out, block.out_columns + at.column);
      return;
    }
    if constexpr (Rows > 1) {
      if (is_whole && some_vector_is_adjacent<T, Bytes>(out_rows, Rows)) return write_by_vectors(tile, block, at);
    }
  }
  // At the border, where rows are not adjacent, and for complex numbers.
  alignas(64) T sums[static_cast<std::size_t>(rows * Columns)];
  tile.keep(sums);
  block.write(sums_of<T>(block, at, 0, at.rows, sums, rows));
}

/// Columns of the next tile where `left` remain in place, so that nothing beyond them is read.
template <int Columns>
constexpr std::int64_t columns_in_place(std::int64_t left) {
  if (left >= Columns) return Columns;
  return Columns > 3 && left >= Columns / 2 ? Columns / 2 : 1;
}

template <class T, int Bytes, int Rows, int Columns, Walk walk, class BlockPacker>
TYTO_ALWAYS_INLINE void multiply_rows(std::int64_t vectors, const Block<T>& block, const TilePlace<T>& at, BlockPacker& packer) {
  if (vectors == Rows) return multiply_tile<T, Bytes, Rows, Columns, walk>(block, at, packer);
  if constexpr (Rows > 1) multiply_rows<T, Bytes, Rows - 1, Columns, walk>(vectors, block, at, packer);
}

/// All row panels for the columns [column, column + count), which are one tile wide.
template <class T, int Bytes, int Rows, int Columns, Walk walk, class BlockPacker>
TYTO_ALWAYS_INLINE void multiply_panels(const Block<T>& block, const LeftPanels& panels, TilePlace<T> at, BlockPacker& packer) {
  constexpr std::int64_t w = row_lanes<T, Bytes>;
  at.left = block.left;
  for (std::int64_t vector = 0; vector < panels.vectors;) {
    const std::int64_t vectors = panels.width(vector);
    at.row = vector * w;
    at.rows = std::min(block.rows - at.row, vectors * w);
    multiply_rows<T, Bytes, Rows, Columns, walk>(vectors, block, at, packer);
    at.left += vectors * w * block.depth + panel_gap<T>;
    vector += vectors;
  }
}

/// Tiles come with all their columns, half of them, and one; a packed operand has zeros in the columns that a tile has too many.
///
/// Set is what one instruction set offers: the bytes of its vectors, and multiply_panels() as a function of its own for each
/// shape, so that registers are given to the loops of one shape alone.
template <class Set, int Rows, int Columns, Walk walk, class T, class BlockPacker>
TYTO_ALWAYS_INLINE void multiply_columns(const Block<T>& block, const LeftPanels& panels, const TilePlace<T>& at,
                                         BlockPacker& packer) {
  if (at.columns > Columns / 2) return Set::template multiply_panels<Rows, Columns, walk>(block, panels, at, packer);
  if constexpr (Columns > 3) {
    if (at.columns > 1) return Set::template multiply_panels<Rows, Columns / 2, walk>(block, panels, at, packer);
  }
  if constexpr (Columns > 1) Set::template multiply_panels<Rows, 1, walk>(block, panels, at, packer);
}

/// The tile at a column: as wide as its columns are evenly spaced.
template <class Set, bool Wide, Walk walk, class T>
TYTO_ALWAYS_INLINE TilePlace<T> tile_at(const Block<T>& block, std::int64_t column) {
  constexpr int Columns = (Wide ? wide_tile<T, Set::bytes> : tall_tile<T, Set::bytes>).columns;
  constexpr std::int64_t panel = columns_of_panel<T, Set::bytes, Wide>;
  TilePlace<T> at{.column = column};
  at.columns = std::min<std::int64_t>(Columns, block.columns - column);
  if constexpr (walk == Walk::packed) {
    const std::int64_t inside = column % panel;
    at.columns = std::min(at.columns, panel - inside);
    at.right = block.right + column / panel * block.right_panel_step + inside;
    at.step = panel;
    return at;
  }
  const std::int64_t* offsets = block.right_columns + column;
  const std::int64_t step = at.columns > 1 ? offsets[1] - offsets[0] : 1;
  std::int64_t even = 1;
  while (even < at.columns && offsets[even] - offsets[even - 1] == step) ++even;
  at.columns = columns_in_place<Columns>(walk == Walk::columns_adjacent && step != 1 ? 1 : even);
  at.right = block.right + offsets[0];
  at.step = walk == Walk::depth_adjacent ? step : block.right_step;
  return at;
}

/// Columns tile by tile.
template <class Set, bool Wide, Walk walk, class T, class BlockPacker>
TYTO_ALWAYS_INLINE void multiply_walk(const Block<T>& block, const LeftPanels& panels, BlockPacker& packer) {
  constexpr TileShape shape = Wide ? wide_tile<T, Set::bytes> : tall_tile<T, Set::bytes>;
  for (std::int64_t column = 0; column < block.columns;) {
    const TilePlace<T> at = tile_at<Set, Wide, walk>(block, column);
    multiply_columns<Set, shape.vectors, shape.columns, walk>(block, panels, at, packer);
    column += at.columns;
  }
}

template <class Set, bool Wide, class T>
TYTO_ALWAYS_INLINE void multiply_shape(const Block<T>& block) {
  constexpr TileShape shape = Wide ? wide_tile<T, Set::bytes> : tall_tile<T, Set::bytes>;
  using BlockPacker = Packer<T, Set::bytes, columns_of_panel<T, Set::bytes, Wide>>;
  constexpr std::int64_t w = row_lanes<T, Set::bytes>;
  Nothing nothing;
  const LeftPanels panels{(block.rows + w - 1) / w, shape.vectors};
  switch (block.walk) {
    case Walk::packed: break;
    case Walk::columns_adjacent: return multiply_walk<Set, Wide, Walk::columns_adjacent>(block, panels, nothing);
    case Walk::depth_adjacent: return multiply_walk<Set, Wide, Walk::depth_adjacent>(block, panels, nothing);
  }
  if (block.next == nullptr) return multiply_walk<Set, Wide, Walk::packed>(block, panels, nothing);
  const std::int64_t tiles = panels.count() * ((block.columns + shape.columns - 1) / shape.columns);
  const std::int64_t most = std::max<std::int64_t>(block.depth / BlockPacker::in_panel, 1) * BlockPacker::in_panel;
  BlockPacker packer(block.next, tiles, most);
  multiply_walk<Set, Wide, Walk::packed>(block, panels, packer);
  packer.pack_rest();
}

template <class Set, class T>
TYTO_ALWAYS_INLINE void multiply(const Block<T>& block) {
  if (block.wide) multiply_shape<Set, true>(block);
  else multiply_shape<Set, false>(block);
}

}  // namespace tyto::arithmetic::loops
