#pragma once
/// How operands of a block are brought near, for a vector width: packed in panels, or copied as they lie. Included where it is
/// compiled for each instruction set.
#include <algorithm>
#include <numeric>
#include "arithmetic/product_block.hpp"
#include "arithmetic/vector.hpp"

namespace tyto::arithmetic::loops {

/// Columns of a packed panel: whole vectors, so that adjacent columns are copied as such, and whole tiles.
template <class T, int Bytes, bool Wide>
constexpr std::int64_t columns_of_panel = std::lcm(Wide ? wide_tile<T, Bytes>.columns : tall_tile<T, Bytes>.columns,
                                                   is_complex_type<T> ? 1 : static_cast<int>(lanes<Real<T>, Bytes>));

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

/// Four columns along depth to four rows across.
template <class T>
TYTO_ALWAYS_INLINE void transpose_4(T* to, std::int64_t width, const T* a, const T* b, const T* c, const T* d) {
  using V = Vector<T, 4 * static_cast<int>(sizeof(T))>;
  V x = vector_at<V>(a), y = vector_at<V>(b), z = vector_at<V>(c), u = vector_at<V>(d);
  transpose(x, y, z, u);
  vector_at<V>(to) = x;
  vector_at<V>(to + width) = y;
  vector_at<V>(to + 2 * width) = z;
  vector_at<V>(to + 3 * width) = u;
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

/// Packs a block of the right operand in pieces that others take, spread evenly over so many calls of next_call(): rows of the
/// whole panels whose columns are adjacent.
template <class T, int Bytes, std::int64_t Width>
class Packer {
 public:
  /// Pieces have `most` vectors, but the last one of a row.
  TYTO_ALWAYS_INLINE Packer(const PackedColumns<T>* block, std::int64_t calls, std::int64_t most) : most_(most) {
    if (block == nullptr) return;
    block_ = *block;
    if constexpr (!is_complex_type<T>) {
      panels_ = block_.count / Width;
      if (panels_ > 0 && !are_adjacent(block_.columns, panels_ * Width)) panels_ = 0;
    }
    const std::int64_t pieces = std::max<std::int64_t>(block_.depth_count * ((panels_ * in_panel + most - 1) / most), 1);
    pieces_of_call_ = (pieces + calls - 1) / calls;
    period_ = std::max<std::int64_t>(calls / pieces, 1);
  }
  TYTO_ALWAYS_INLINE void next_call() {
    pieces_left_ = ++call_ == period_ ? pieces_of_call_ : 0;
    if (call_ == period_) call_ = 0;
  }
  /// The next piece of this call for somebody else to copy; without vectors: there is none.
  TYTO_ALWAYS_INLINE PackedPiece<T> take() {
    if (pieces_left_-- <= 0) return {};
    return next(most_);
  }
  /// What nobody has taken, and what does not lie in whole panels.
  TYTO_ALWAYS_INLINE void pack_rest() {
    for (PackedPiece<T> piece = next(in_panel); piece.vectors > 0; piece = next(in_panel)) copy(piece, 0);
    PackedColumns<T> rest = block_;
    rest.to += panels_ * rest.panel_step, rest.columns += panels_ * Width, rest.count -= panels_ * Width;
    if (rest.count > 0) pack_columns<T, Bytes>(rest);
  }
  /// The vectors of a piece from one on.
  TYTO_ALWAYS_INLINE static void copy(const PackedPiece<T>& piece, std::int64_t first) {
    if constexpr (!is_complex_type<T>) {
      using V = Vector<T, Bytes>;
      constexpr std::int64_t w = lanes<T, Bytes>;
      for (std::int64_t v = first; v < piece.vectors; ++v)
        vector_at<V>(piece.to + v / in_panel * piece.panel_step + v % in_panel * w) = vector_at<V>(piece.from + v * w);
    }
  }
  static constexpr std::int64_t in_panel = std::max<std::int64_t>(Width / row_lanes<T, Bytes>, 1);  ///< vectors

 private:
  TYTO_ALWAYS_INLINE PackedPiece<T> next(std::int64_t most) {
    const std::int64_t vectors = panels_ * in_panel;
    if (vectors == 0 || depth_ >= block_.depth_count) return {};
    const T* row = block_.from + block_.columns[0] + block_.depth[depth_];
    PackedPiece<T> piece{.to = block_.to + depth_ * Width + at_ / in_panel * block_.panel_step,
                         .from = row + at_ * row_lanes<T, Bytes>,
                         .vectors = std::min(most, vectors - at_),
                         .panel_step = block_.panel_step};
    if (depth_ + 1 < block_.depth_count) piece.ahead = block_.depth[depth_ + 1] - block_.depth[depth_];
    at_ += piece.vectors;
    if (at_ >= vectors) ++depth_, at_ = 0;
    return piece;
  }

  PackedColumns<T> block_;
  std::int64_t panels_ = 0;  ///< whole ones, of adjacent columns
  std::int64_t most_ = 0, period_ = 1, pieces_of_call_ = 0;
  std::int64_t call_ = 0, pieces_left_ = 0;
  std::int64_t depth_ = 0, at_ = 0;  ///< of the next piece; at_ is a vector, the first one of a panel
};

}  // namespace tyto::arithmetic::loops
