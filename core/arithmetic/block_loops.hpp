#pragma once
/// The bodies of ProductFunctions, for a vector width; included where they are compiled for each instruction set.
#include <algorithm>
#include <numeric>
#include "arithmetic/product_block.hpp"
#include "arithmetic/vector.hpp"

namespace tyto::arithmetic::loops {

/// Columns of a packed panel: whole vectors, so that adjacent columns are copied as such, and whole tiles.
template <class T, int Bytes, bool Wide>
constexpr std::int64_t columns_of_panel = std::lcm(Wide ? wide_tile<T, Bytes>.columns : tall_tile<T, Bytes>.columns,
                                                   is_complex_type<T> ? 1 : static_cast<int>(lanes<Real<T>, Bytes>));

TYTO_ALWAYS_INLINE bool are_adjacent(const std::int64_t* offsets, std::int64_t count) {
  for (std::int64_t i = 1; i < count; ++i)
    if (offsets[i] != offsets[i - 1] + 1) return false;
  return true;
}

/// What lies in a panel for one element: itself, or real and imaginary part `width` apart.
template <class T, bool Split>
TYTO_ALWAYS_INLINE void put(T* row, std::int64_t width, std::int64_t i, T value, bool multiplies) {
  if constexpr (Split) {
    using R = typename T::value_type;
    R* parts = reinterpret_cast<R*>(row);
    if (multiplies) value = T(parts[i], parts[width + i]) * value;
    parts[i] = value.real();
    parts[width + i] = value.imag();
  } else {
    row[i] = multiplies ? row[i] * value : value;
  }
}

/// Elements that are adjacent across the panel, one depth at a time.
template <class T, int Bytes>
TYTO_ALWAYS_INLINE void copy_adjacent(T* __restrict to, const T* __restrict from, std::int64_t count, bool multiplies) {
  constexpr std::int64_t w = lanes<T, Bytes>;
  using V = Vector<T, Bytes>;
  std::int64_t i = 0;
  for (; i + w <= count; i += w) {
    V value = vector_at<V>(from + i);
    if (multiplies) value = value * vector_at<V>(to + i);
    vector_at<V>(to + i) = value;
  }
  for (; i < count; ++i) to[i] = multiplies ? to[i] * from[i] : from[i];
}

/// Four columns along depth to four rows across: 4 x 4 elements in registers.
template <class T>
TYTO_ALWAYS_INLINE void transpose_4(T* to, std::int64_t width, const T* a, const T* b, const T* c, const T* d) {
  using V = Vector<T, 4 * static_cast<int>(sizeof(T))>;
  const V x = vector_at<V>(a), y = vector_at<V>(b), z = vector_at<V>(c), u = vector_at<V>(d);
  const V xy_low = __builtin_shufflevector(x, y, 0, 4, 2, 6), xy_high = __builtin_shufflevector(x, y, 1, 5, 3, 7);
  const V zu_low = __builtin_shufflevector(z, u, 0, 4, 2, 6), zu_high = __builtin_shufflevector(z, u, 1, 5, 3, 7);
  vector_at<V>(to) = __builtin_shufflevector(xy_low, zu_low, 0, 1, 4, 5);
  vector_at<V>(to + width) = __builtin_shufflevector(xy_high, zu_high, 0, 1, 4, 5);
  vector_at<V>(to + 2 * width) = __builtin_shufflevector(xy_low, zu_low, 2, 3, 6, 7);
  vector_at<V>(to + 3 * width) = __builtin_shufflevector(xy_high, zu_high, 2, 3, 6, 7);
}

template <class T, int Bytes, bool Split>
TYTO_ALWAYS_INLINE void pack(const PackedPanel<T>& panel) {
  const std::int64_t width = panel.width, count = panel.count, depth = panel.depth_count;
  const std::int64_t* across = panel.across;
  if (count < width && !panel.multiplies) std::fill_n(panel.to, width * depth, T{0});
  std::int64_t p = 0;
  if constexpr (!is_complex_type<T>) {
    if (are_adjacent(across, count)) {
      const T* from = panel.from + across[0];
      for (; p < depth; ++p) copy_adjacent<T, Bytes>(panel.to + p * width, from + panel.depth[p], count, panel.multiplies);
      return;
    }
    if constexpr (std::is_floating_point_v<T> && Bytes >= 32) {
      if (!panel.multiplies && are_adjacent(panel.depth, depth)) {
        const T* from = panel.from + panel.depth[0];
        for (; p + 4 <= depth; p += 4) {
          std::int64_t i = 0;
          for (; i + 4 <= count; i += 4)
            transpose_4(panel.to + p * width + i, width, from + p + across[i], from + p + across[i + 1], from + p + across[i + 2],
                        from + p + across[i + 3]);
          for (; i < count; ++i)
            for (std::int64_t q = 0; q < 4; ++q) panel.to[(p + q) * width + i] = from[across[i] + p + q];
        }
      }
    }
  }
  for (; p < depth; ++p)
    for (std::int64_t i = 0; i < count; ++i)
      put<T, Split>(panel.to + p * width, width, i, panel.from[across[i] + panel.depth[p]], panel.multiplies);
}

/// One depth of adjacent columns, panel by panel; what lies `ahead` will be read next.
template <class T, int Bytes, std::int64_t Width>
TYTO_ALWAYS_INLINE void copy_row_to_panels(T* __restrict to, std::int64_t panel_step, const T* __restrict from, const T* ahead,
                                           std::int64_t panels) {
  using V = Vector<T, Bytes>;
  for (std::int64_t panel = 0; panel < panels; ++panel) {
    for (std::int64_t i = 0; i < Width; i += elements_of_line<T>) __builtin_prefetch(ahead + i);
#pragma GCC unroll 4
    for (std::int64_t i = 0; i < Width; i += lanes<T, Bytes>) vector_at<V>(to + i) = vector_at<V>(from + i);
    to += panel_step, from += Width, ahead += Width;
  }
}

/// Rows of adjacent columns are read as they lie, one depth after another. They are often pages apart, where no prefetcher follows.
template <class T, int Bytes, std::int64_t Width>
TYTO_ALWAYS_INLINE void copy_rows_to_panels(const PackedColumns<T>& block, std::int64_t panels) {
  const T* from = block.from + block.columns[0];
  for (std::int64_t p = 0; p < block.depth_count; ++p)
    copy_row_to_panels<T, Bytes, Width>(block.to + p * Width, block.panel_step, from + block.depth[p],
                                        from + block.depth[std::min(p + 2, block.depth_count - 1)], panels);
}

template <class T, int Bytes>
TYTO_ALWAYS_INLINE void pack_columns(const PackedColumns<T>& block) {
  const std::int64_t width = block.width;
  std::int64_t panels = 0;  // done
  if constexpr (!is_complex_type<T>) {
    const std::int64_t whole = block.count / width;
    constexpr std::int64_t wide = columns_of_panel<T, Bytes, true>, tall = columns_of_panel<T, Bytes, false>;
    if (whole > 0 && are_adjacent(block.columns, whole * width)) {
      if (width == wide) copy_rows_to_panels<T, Bytes, wide>(block, whole);
      else copy_rows_to_panels<T, Bytes, tall>(block, whole);
      panels = whole;
    }
  }
  PackedPanel<T> panel{.from = block.from, .width = width, .depth = block.depth};
  panel.depth_count = block.depth_count;
  for (; panels * width < block.count; ++panels) {
    panel.to = block.to + panels * block.panel_step;
    panel.across = block.columns + panels * width;
    panel.count = std::min(width, block.count - panels * width);
    pack<T, Bytes, false>(panel);
  }
}

/// One depth of adjacent rows, panel by panel.
template <class T, int Bytes>
TYTO_ALWAYS_INLINE void copy_row_to_left_panels(T* __restrict to, const LeftPanels& panels, std::int64_t whole_vectors,
                                                std::int64_t depth, std::int64_t p, const T* __restrict from, const T* ahead) {
  using V = Vector<T, Bytes>;
  constexpr std::int64_t w = lanes<T, Bytes>;
  for (std::int64_t vector = 0; vector < whole_vectors;) {
    const std::int64_t vectors = panels.width(vector);
    T* row = to + p * vectors * w;
    __builtin_prefetch(ahead);
    if (vectors * w > elements_of_line<T>) __builtin_prefetch(ahead + elements_of_line<T>);
    for (std::int64_t v = 0; v < vectors; ++v) vector_at<V>(row + v * w) = vector_at<V>(from + v * w);
    to += vectors * w * depth + panel_gap<T>, from += vectors * w, ahead += vectors * w;
    vector += vectors;
  }
}

/// Vectors of the panels that are full, from the first on.
template <std::int64_t Lanes>
std::int64_t vectors_in_whole_panels(const LeftPanels& panels, std::int64_t count) {
  std::int64_t vectors = 0;
  while (vectors < panels.vectors && (vectors + panels.width(vectors)) * Lanes <= count) vectors += panels.width(vectors);
  return vectors;
}

/// Rows that are adjacent are read as long as they are, one depth after another, as columns are.
template <class T, int Bytes>
TYTO_ALWAYS_INLINE void pack_rows(const PackedRows<T>& block) {
  constexpr std::int64_t w = row_lanes<T, Bytes>;
  std::int64_t whole = 0;  // vectors done
  if constexpr (!is_complex_type<T>) {
    whole = vectors_in_whole_panels<w>(block.panels, block.count);
    if (whole > 0 && !are_adjacent(block.rows, whole * w)) whole = 0;
    const T* from = block.from + block.rows[0];
    for (std::int64_t p = 0; p < block.depth_count && whole > 0; ++p)
      copy_row_to_left_panels<T, Bytes>(block.to, block.panels, whole, block.depth_count, p, from + block.depth[p],
                                        from + block.depth[std::min(p + 2, block.depth_count - 1)]);
  }
  PackedPanel<T> panel{.to = block.to, .from = block.from, .depth = block.depth};
  panel.depth_count = block.depth_count;
  for (std::int64_t vector = 0; vector < block.panels.vectors;) {
    const std::int64_t vectors = block.panels.width(vector);
    panel.width = vectors * w;
    panel.count = std::min(panel.width, block.count - vector * w);
    panel.across = block.rows + vector * w;
    if (vector >= whole) pack<T, Bytes, is_complex_type<T>>(panel);
    panel.to += panel.width * block.depth_count + panel_gap<T>;
    vector += vectors;
  }
}

/// Where one tile begins.
template <class T>
struct TilePlace {
  const T* left = nullptr;
  const T* right = nullptr;
  std::int64_t step = 0;
  std::int64_t row = 0, column = 0;
  std::int64_t rows = 0, columns = 0;  ///< that count; the tile may have more
};

/// Writes the sums of a tile from memory, for tiles at the border, outputs whose rows are not adjacent, and complex numbers; `sums`
/// has column_size elements for each column.
template <class T>
[[gnu::noinline]] void write_sums(const Block<T>& block, const TilePlace<T>& at, const T* sums, std::int64_t column_size) {
  const std::int64_t* out_rows = block.out_rows + at.row;
  for (std::int64_t c = 0; c < at.columns; ++c) {
    T* out = block.out + block.out_columns[at.column + c];
    const T* column = sums + c * column_size;
    for (std::int64_t i = 0; i < at.rows; ++i) {
      T value = column[i];
      if constexpr (is_complex_type<T>) {
        using R = typename T::value_type;
        const R* parts = reinterpret_cast<const R*>(column);
        value = T(parts[i], parts[column_size + i]);
      }
      T& there = out[out_rows[i]];
      there = block.accumulate ? there + value : value;
    }
  }
}

template <class T, int Bytes, int Rows, int Columns, Walk walk>
TYTO_ALWAYS_INLINE void multiply_tile(const Block<T>& block, const TilePlace<T>& at) {
  Tile<T, Bytes, Rows, Columns> tile;
  std::int64_t ahead = walk == Walk::depth_adjacent ? at.step : Columns + elements_of_line<T>;  // beyond the lines of this tile
  if (at.row > 0 || !block.asks_early) ahead = 0;
  tile.template add<walk>(block.depth, at.left, at.right, at.step, ahead);
  if (block.scale != T{1}) tile.scale(block.scale);
  constexpr std::int64_t rows = Rows * row_lanes<T, Bytes>;
  if constexpr (!is_complex_type<T>) {
    const std::int64_t* out_rows = block.out_rows + at.row;
    if (at.columns == Columns && at.rows == rows && are_adjacent(out_rows, rows)) {
      T* out = block.out + out_rows[0];
      if (block.accumulate) tile.add_to(out, block.out_columns + at.column);
      else tile.write_to(out, block.out_columns + at.column);
      return;
    }
  }
  alignas(64) T sums[static_cast<std::size_t>(rows * Columns)];
  tile.keep(sums);
  write_sums(block, at, sums, rows);
}

/// Tiles come with all their columns, half of them, and one; a packed operand has zeros in the columns that a tile has too many.
template <class T, int Bytes, int Rows, int Columns, Walk walk>
TYTO_ALWAYS_INLINE void multiply_columns(const Block<T>& block, const TilePlace<T>& at) {
  if (at.columns > Columns / 2) return multiply_tile<T, Bytes, Rows, Columns, walk>(block, at);
  if constexpr (Columns > 3) {
    if (at.columns > 1) return multiply_tile<T, Bytes, Rows, Columns / 2, walk>(block, at);
  }
  if constexpr (Columns > 1) multiply_tile<T, Bytes, Rows, 1, walk>(block, at);
}
/// Columns of the next tile where `left` remain in place, so that nothing beyond them is read.
template <int Columns>
constexpr std::int64_t columns_in_place(std::int64_t left) {
  if (left >= Columns) return Columns;
  return Columns > 3 && left >= Columns / 2 ? Columns / 2 : 1;
}

template <class T, int Bytes, int Rows, int Columns, Walk walk>
TYTO_ALWAYS_INLINE void multiply_rows(std::int64_t vectors, const Block<T>& block, const TilePlace<T>& at) {
  if (vectors == Rows) return multiply_columns<T, Bytes, Rows, Columns, walk>(block, at);
  if constexpr (Rows > 1) multiply_rows<T, Bytes, Rows - 1, Columns, walk>(vectors, block, at);
}

/// All row panels for the columns [column, column + count), which are one tile wide.
template <class T, int Bytes, int Rows, int Columns, Walk walk>
TYTO_ALWAYS_INLINE void multiply_panels(const Block<T>& block, const LeftPanels& panels, const T* right, std::int64_t step,
                                        std::int64_t column, std::int64_t count) {
  constexpr std::int64_t w = row_lanes<T, Bytes>;
  TilePlace<T> at{.left = block.left, .right = right, .step = step, .column = column, .columns = count};
  for (std::int64_t vector = 0; vector < panels.vectors;) {
    const std::int64_t vectors = panels.width(vector);
    at.row = vector * w;
    at.rows = std::min(block.rows - at.row, vectors * w);
    multiply_rows<T, Bytes, Rows, Columns, walk>(vectors, block, at);
    at.left += vectors * w * block.depth + panel_gap<T>;
    vector += vectors;
  }
}

/// Columns tile by tile. The tiles of a right operand in place begin anew where its columns are not evenly spaced.
template <class T, int Bytes, bool Wide>
TYTO_ALWAYS_INLINE void multiply_shape(const Block<T>& block) {
  constexpr TileShape shape = Wide ? wide_tile<T, Bytes> : tall_tile<T, Bytes>;
  constexpr int Rows = shape.vectors, Columns = shape.columns;
  constexpr std::int64_t panel = columns_of_panel<T, Bytes, Wide>, w = row_lanes<T, Bytes>;
  const LeftPanels panels{(block.rows + w - 1) / w, Rows};
  for (std::int64_t column = 0; column < block.columns;) {
    std::int64_t count = std::min<std::int64_t>(Columns, block.columns - column);
    if (block.walk == Walk::packed) {
      const std::int64_t inside = column % panel;
      count = std::min(count, panel - inside);
      const T* right = block.right + column / panel * block.right_panel_step + inside;
      multiply_panels<T, Bytes, Rows, Columns, Walk::packed>(block, panels, right, panel, column, count);
    } else {
      const std::int64_t* offsets = block.right_columns + column;
      const std::int64_t step = count > 1 ? offsets[1] - offsets[0] : 1;
      std::int64_t even = 1;
      while (even < count && offsets[even] - offsets[even - 1] == step) ++even;
      count = columns_in_place<Columns>(block.walk == Walk::columns_adjacent && step != 1 ? 1 : even);
      const T* right = block.right + offsets[0];
      if (block.walk == Walk::columns_adjacent)
        multiply_panels<T, Bytes, Rows, Columns, Walk::columns_adjacent>(block, panels, right, block.right_step, column, count);
      else multiply_panels<T, Bytes, Rows, Columns, Walk::depth_adjacent>(block, panels, right, step, column, count);
    }
    column += count;
  }
}

template <class T, int Bytes>
TYTO_ALWAYS_INLINE void multiply(const Block<T>& block) {
  if (block.wide) multiply_shape<T, Bytes, true>(block);
  else multiply_shape<T, Bytes, false>(block);
}

}  // namespace tyto::arithmetic::loops
