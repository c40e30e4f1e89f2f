#pragma once
/// The innermost part of a matrix product: a tile of the output that stays in registers while the summed index runs. Rows of the
/// tile lie in vectors, columns are numbers that are spread over a vector; the left operand is packed in panels of whole vectors.
#include <complex>
#include "arithmetic/vector.hpp"

namespace tyto::arithmetic {

/// How the right operand is walked: packed, its columns side by side for each depth; the same in place; or each column along its
/// depth, in place.
enum class Walk : std::int8_t { packed, columns_adjacent, depth_adjacent };

/// Rows of a tile in vectors, and columns, so that sums, one vector of each operand and one number fit the registers. Two shapes
/// are used: `wide` for one, two or four vectors of rows, `tall` otherwise.
struct TileShape {
  int vectors = 0, columns = 0;
};
template <class T>
constexpr bool is_complex_type = false;
template <class T>
constexpr bool is_complex_type<std::complex<T>> = true;

template <class T, int Bytes>
constexpr TileShape wide_tile = is_complex_type<T> ? (Bytes == 64 ? TileShape{1, 12} : TileShape{1, 4})
                                                   : (Bytes == 64 ? TileShape{2, 12} : TileShape{2, 6});
template <class T, int Bytes>
constexpr TileShape tall_tile = is_complex_type<T> ? (Bytes == 64 ? TileShape{2, 6} : TileShape{2, 2})
                                                   : (Bytes == 64 ? TileShape{3, 8} : TileShape{3, 4});

template <class T>
struct RealOf {
  using type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
  using type = T;
};
template <class T>
using Real = typename RealOf<T>::type;

/// Lanes of one vector of rows: numbers of T, complex ones as a vector of real parts and one of imaginary parts.
template <class T, int Bytes>
constexpr std::int64_t row_lanes = lanes<Real<T>, Bytes>;

template <class T>
constexpr std::int64_t elements_of_line = 64 / static_cast<std::int64_t>(sizeof(T));

/// Adjacent elements of one depth of the right operand on their way to panels, and how far ahead of them those of the next depth
/// are.
template <class T>
struct PackedPiece {
  T* to = nullptr;
  const T* from = nullptr;
  std::int64_t vectors = 0, panel_step = 0, ahead = 0;
};

/// The sums of one tile of real numbers: Rows vectors by Columns.
template <class T, int Bytes, int Rows, int Columns>
struct Tile {
  using V = Vector<T, Bytes>;
  V sum[std::size_t{Rows}][std::size_t{Columns}];

  /// Zeros, vector by vector: a whole array is cleared in memory.
  TYTO_ALWAYS_INLINE Tile() {
    for_each<Rows>([&](auto r) TYTO_INLINE_BODY { for_each<Columns>([&](auto c) TYTO_INLINE_BODY { sum[r][c] = V{}; }); });
  }

  /// Adds left(row, p) * right(p, column) for one p.
  template <Walk walk>
  TYTO_ALWAYS_INLINE void add_one(const T* left, const T* right, std::int64_t step) {
    V rows[std::size_t{Rows}];
    for_each<Rows>([&](auto r) TYTO_INLINE_BODY { rows[r] = vector_at<V>(left + r * lanes<T, Bytes>); });
    for_each<Columns>([&](auto c) TYTO_INLINE_BODY {
      const T number = walk == Walk::depth_adjacent ? right[c * step] : right[c];
      for_each<Rows>([&](auto r) TYTO_INLINE_BODY { sum[r][c] = sum[r][c] + rows[r] * number; });
    });
  }
  /// For all p. `left` is packed: Rows vectors for each depth. `step` goes from one depth to the next where columns are adjacent,
  /// from one column to the next where depths are. In place, memory is asked for what the next tile reads, `ahead` of this one.
  template <Walk walk>
  TYTO_ALWAYS_INLINE void add(std::int64_t depth, const T* left, const T* right, std::int64_t step, std::int64_t ahead) {
#pragma GCC unroll 2
    for (std::int64_t p = 0; p < depth; ++p) {
      add_one<walk>(left, right, step);
      if constexpr (walk == Walk::columns_adjacent) __builtin_prefetch(right + ahead);
      if constexpr (walk == Walk::depth_adjacent) __builtin_prefetch(right + (Columns + p % elements_of_line<T>)*ahead);
      left += Rows * lanes<T, Bytes>;
      right += walk == Walk::depth_adjacent ? 1 : step;
    }
  }
  /// The same over packed columns for groups of p, with each of which as many vectors of another block are packed: InPanel of them
  /// side by side, then one panel further. Memory is asked for what lies `ahead` of them. The compiler is not shown that the
  /// sources follow each other: it would copy them all at once, before the loop.
  template <int Group, int InPanel>
  TYTO_ALWAYS_INLINE void add_and_pack(std::int64_t groups, const T* left, const T* right, std::int64_t step,
                                       const PackedPiece<T>& piece) {
    constexpr std::int64_t w = lanes<T, Bytes>;
    T* to = piece.to;
    const T* from = piece.from;
    for (; groups > 0; --groups) {
#pragma GCC unroll 4
      for (int g = 0; g < Group; ++g) {
        vector_at<V>(to + g / InPanel * piece.panel_step + g % InPanel * w) = vector_at<V>(from + g * w);
        if (g * Bytes % 64 == 0 || g == Group - 1) __builtin_prefetch(from + g * w + piece.ahead, 0, 2);
        add_one<Walk::packed>(left + g * Rows * w, right + g * step, step);
      }
      from += Group * w, to += Group / InPanel * piece.panel_step;
      asm("" : "+r"(from));
      left += Group * Rows * w, right += Group * step;
    }
  }
  TYTO_ALWAYS_INLINE void scale(T factor) {
    for_each<Rows>([&](auto r)
                       TYTO_INLINE_BODY { for_each<Columns>([&](auto c) TYTO_INLINE_BODY { sum[r][c] = sum[r][c] * factor; }); });
  }
  /// Writes columns to out + columns[c], rows adjacent.
  TYTO_ALWAYS_INLINE void write_to(T* out, const std::int64_t* columns) const {
    for_each<Rows>([&](auto r) TYTO_INLINE_BODY { write_vector_to(r, out + r * lanes<T, Bytes>, columns); });
  }
  /// The same, added to what lies at `addend`, which may be the output.
  TYTO_ALWAYS_INLINE void add_to(const T* addend, T* out, const std::int64_t* columns) const {
    for_each<Rows>([&](auto r)
                       TYTO_INLINE_BODY { add_vector_to(r, addend + r * lanes<T, Bytes>, out + r * lanes<T, Bytes>, columns); });
  }
  /// The same for one vector of rows.
  TYTO_ALWAYS_INLINE void write_vector_to(int r, T* out, const std::int64_t* columns) const {
    for_each<Columns>([&](auto c) TYTO_INLINE_BODY { vector_at<V>(out + columns[c]) = sum[r][c]; });
  }
  TYTO_ALWAYS_INLINE void add_vector_to(int r, const T* addend, T* out, const std::int64_t* columns) const {
    for_each<Columns>([&](auto c)
                          TYTO_INLINE_BODY { vector_at<V>(out + columns[c]) = vector_at<V>(addend + columns[c]) + sum[r][c]; });
  }
  TYTO_ALWAYS_INLINE void keep_vector(int r, T* sums) const {
    for_each<Columns>([&](auto c) TYTO_INLINE_BODY { vector_at<V>(sums + c * lanes<T, Bytes>) = sum[r][c]; });
  }
  /// Column by column behind one another.
  TYTO_ALWAYS_INLINE void keep(T* sums) const {
    for_each<Rows>([&](auto r) TYTO_INLINE_BODY {
      for_each<Columns>([&](auto c) TYTO_INLINE_BODY { vector_at<V>(sums + (c * Rows + r) * lanes<T, Bytes>) = sum[r][c]; });
    });
  }
};

/// The same for complex numbers. The left operand has for each depth Rows vectors of real parts, then Rows of imaginary parts.
template <class T, int Bytes, int Rows, int Columns>
struct Tile<std::complex<T>, Bytes, Rows, Columns> {
  using V = Vector<T, Bytes>;
  V real[std::size_t{Rows}][std::size_t{Columns}], imaginary[std::size_t{Rows}][std::size_t{Columns}];

  TYTO_ALWAYS_INLINE Tile() {
    for_each<Rows>(
        [&](auto r) TYTO_INLINE_BODY { for_each<Columns>([&](auto c) TYTO_INLINE_BODY { real[r][c] = imaginary[r][c] = V{}; }); });
  }

  template <Walk walk>
  TYTO_ALWAYS_INLINE void add(std::int64_t depth, const std::complex<T>* left, const std::complex<T>* right, std::int64_t step,
                              std::int64_t /*ahead*/) {
    const T* parts = reinterpret_cast<const T*>(left);
    const T* numbers = reinterpret_cast<const T*>(right);
    for (std::int64_t p = 0; p < depth; ++p) {
      V x[std::size_t{Rows}], y[std::size_t{Rows}];
      for_each<Rows>([&](auto r) TYTO_INLINE_BODY {
        x[r] = vector_at<V>(parts + r * lanes<T, Bytes>);
        y[r] = vector_at<V>(parts + (Rows + r) * lanes<T, Bytes>);
      });
      for_each<Columns>([&](auto c) TYTO_INLINE_BODY {
        const T* number = numbers + 2 * (walk == Walk::depth_adjacent ? c * step : c);
        const T u = number[0], v = number[1];
        for_each<Rows>([&](auto r) TYTO_INLINE_BODY {
          real[r][c] = real[r][c] + x[r] * u;
          imaginary[r][c] = imaginary[r][c] + x[r] * v;
          real[r][c] = real[r][c] - y[r] * v;
          imaginary[r][c] = imaginary[r][c] + y[r] * u;
        });
      });
      parts += 2 * Rows * lanes<T, Bytes>;
      numbers += 2 * (walk == Walk::depth_adjacent ? 1 : step);
    }
  }
  TYTO_ALWAYS_INLINE void scale(std::complex<T> factor) {
    const T u = factor.real(), v = factor.imag();
    for_each<Rows>([&](auto r) TYTO_INLINE_BODY {
      for_each<Columns>([&](auto c) TYTO_INLINE_BODY {
        const V x = real[r][c], y = imaginary[r][c];
        real[r][c] = x * u - y * v;
        imaginary[r][c] = x * v + y * u;
      });
    });
  }
  /// Column by column behind one another: the real parts of all rows, then the imaginary ones.
  TYTO_ALWAYS_INLINE void keep(std::complex<T>* sums) const {
    T* parts = reinterpret_cast<T*>(sums);
    for_each<Rows>([&](auto r) TYTO_INLINE_BODY {
      for_each<Columns>([&](auto c) TYTO_INLINE_BODY {
        vector_at<V>(parts + (2 * c * Rows + r) * lanes<T, Bytes>) = real[r][c];
        vector_at<V>(parts + ((2 * c + 1) * Rows + r) * lanes<T, Bytes>) = imaginary[r][c];
      });
    });
  }
};

}  // namespace tyto::arithmetic
