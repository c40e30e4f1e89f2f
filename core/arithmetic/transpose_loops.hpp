#pragma once
/// The loops of a transposed tile, for any width of vectors. Rows are read 16 bytes at a time and turned within the 16-byte lanes
/// of a register, a lane for each group of rows; columns are written a cache line at a time. Lanes are never crossed, which is what
/// makes wide registers slow at this.
#include <algorithm>
#include <utility>
#include "arithmetic/copy.hpp"
#include "arithmetic/copy_loops.hpp"
#include "arithmetic/stream.hpp"
#include "arithmetic/vector.hpp"

namespace tyto::arithmetic {

constexpr std::int64_t piece_bytes = 1024;  ///< of a column written at a time: shorter ones waste what memory can do

template <int Element>
struct WordOf {
  using type = std::int64_t;
};
template <>
struct WordOf<4> {
  using type = std::int32_t;
};
template <>
struct WordOf<2> {
  using type = std::int16_t;
};
/// Vectors of words; an element of 16 bytes is two of them.
template <int Element, int Bytes>
using Words = Vector<typename WordOf<Element>::type, Bytes>;
template <int Element>
constexpr std::int64_t in_lane = 16 / Element;  // elements

/// Where position p of the result of an unpacking comes from: units of `Unit` words of two vectors `a, b` by turns, lane by lane,
/// of the lower or upper half of the lane. Words of b count from `words` on.
template <int Unit>
constexpr int unpacked(int p, int words, int lane, bool upper) {
  const int within = p % lane, unit = within / Unit;
  const int source = unit / 2 + (upper ? lane / Unit / 2 : 0);
  return p / lane * lane + source * Unit + within % Unit + (unit % 2 == 1 ? words : 0);
}

template <int Unit, bool Upper, class V, int... P>
TYTO_ALWAYS_INLINE void unpack(V& out, const V& a, const V& b, std::integer_sequence<int, P...>) {
  constexpr int words = sizeof...(P), lane = static_cast<int>(16 / (sizeof(V) / words));
  out = __builtin_shufflevector(a, b, unpacked<Unit>(P, words, lane, Upper)...);
}

/// Turns Count vectors within their lanes, as a matrix of units: v[c](r) = v[r](c).
template <int Unit, int Count, int WordCount, class V>
TYTO_ALWAYS_INLINE void turn(V* v) {
  if constexpr (Count > 1) {
    constexpr int half = Count / 2;
    constexpr auto words = std::make_integer_sequence<int, WordCount>();
    V low[std::size_t{half}], high[std::size_t{half}];
#pragma GCC unroll 8
    for (int i = 0; i < half; ++i) {
      unpack<Unit, false>(low[i], v[2 * i], v[2 * i + 1], words);
      unpack<Unit, true>(high[i], v[2 * i], v[2 * i + 1], words);
    }
    turn<2 * Unit, half, WordCount>(low);
    turn<2 * Unit, half, WordCount>(high);
#pragma GCC unroll 8
    for (int i = 0; i < half; ++i) v[i] = low[i], v[half + i] = high[i];
  }
}

template <class V, class Half, int... P>
TYTO_ALWAYS_INLINE void join(V& out, const Half& a, const Half& b, std::integer_sequence<int, P...>) {
  out = __builtin_shufflevector(a, b, P...);
}

/// The 16 bytes at `shift` from rows[0], rows[step], ... side by side, `Bytes` in all.
template <int Element, int Bytes, class V>
TYTO_ALWAYS_INLINE void gather(V& out, const char* const* rows, std::int64_t step, std::int64_t shift) {
  if constexpr (Bytes == 16) {
    out = vector_at<V>(reinterpret_cast<const typename WordOf<Element>::type*>(*rows + shift));
  } else {
    using Half = Words<Element, Bytes / 2>;
    Half a, b;
    gather<Element, Bytes / 2>(a, rows, step, shift);
    gather<Element, Bytes / 2>(b, rows + Bytes / 32 * step, step, shift);
    join(out, a, b, std::make_integer_sequence<int, static_cast<int>(sizeof(V) / sizeof(typename WordOf<Element>::type))>());
  }
}

/// Groups * Bytes / Element rows, in_lane columns; `shift` bytes into the rows.
template <int Element, int Bytes, int Groups>
TYTO_ALWAYS_INLINE void turn_block(char* to, const char* const* row, std::int64_t shift, const std::int64_t* column_to) {
  using Word = typename WordOf<Element>::type;
  using V = Words<Element, Bytes>;
  constexpr std::int64_t lane = in_lane<Element>, rows = Bytes / Element;
#pragma GCC unroll 4
  for (int g = 0; g < Groups; ++g) {
    V v[std::size_t{lane}];
#pragma GCC unroll 8
    for (std::int64_t i = 0; i < lane; ++i) gather<Element, Bytes>(v[i], row + g * rows + i, lane, shift);
    turn<1, static_cast<int>(lane), static_cast<int>(sizeof(V) / sizeof(Word))>(v);
#pragma GCC unroll 8
    for (std::int64_t c = 0; c < lane; ++c) vector_at<V>(reinterpret_cast<Word*>(to + column_to[c] * Element + g * Bytes)) = v[c];
  }
}

/// All columns of some rows. Columns that fill no lane are done with their neighbours once more. Meanwhile the rows that come next
/// are fetched: the processor does not foresee them.
template <int Element, int Bytes, int Groups>
TYTO_ALWAYS_INLINE void turn_rows(char* to, const char* from, const CopyTile& t, std::int64_t first) {
  constexpr std::int64_t lane = in_lane<Element>, rows = Groups * Bytes / Element, share = (rows + 3) / 4;
  const char* row[std::size_t{rows}];
  for (std::int64_t r = 0; r < rows; ++r) row[r] = from + t.row_from[first + r] * Element;
  const std::int64_t* next = t.row_from + (first + 2 * rows <= t.rows ? first + rows : first);
  char* target = to + first * Element;
  std::int64_t c = 0;
  for (; c + lane <= t.columns; c += lane) {
    const std::int64_t* ahead = next + c / lane % 4 * share;
#pragma GCC unroll 8
    for (std::int64_t r = 0; r < share && rows >= 4; ++r) __builtin_prefetch(from + (ahead[r] + c) * Element);
    turn_block<Element, Bytes, Groups>(target, row, c * Element, t.column_to + c);
  }
  if (c == t.columns) return;
  c = t.columns - lane;
  turn_block<Element, Bytes, Groups>(target, row, c * Element, t.column_to + c);
}

template <int Element>
TYTO_ALWAYS_INLINE void turn_singly(char* to, const char* from, const CopyTile& t) {
  for (std::int64_t c = 0; c < t.columns; ++c)
    for (std::int64_t r = 0; r < t.rows; ++r)
      __builtin_memcpy(to + (t.column_to[c] + r) * Element, from + (t.row_from[r] + c) * Element, Element);
}

/// Rows that fill no cache line are done with their neighbours once more, or by narrower registers where there are too few.
template <int Element, int Bytes>
TYTO_ALWAYS_INLINE void turn_tile(char* to, const char* from, const CopyTile& t) {
  constexpr int groups = static_cast<int>(cache_line) / Bytes;
  constexpr std::int64_t lane = in_lane<Element>, rows = cache_line / Element;
  if (t.rows < lane || t.columns < lane) return turn_singly<Element>(to, from, t);
  std::int64_t r = 0;
  for (; r + rows <= t.rows; r += rows) turn_rows<Element, Bytes, groups>(to, from, t, r);
  if (r == t.rows) return;
  if (t.rows >= rows) return turn_rows<Element, Bytes, groups>(to, from, t, t.rows - rows);
  for (; r + lane <= t.rows; r += lane) turn_rows<Element, 16, 1>(to, from, t, r);
  if (r < t.rows) turn_rows<Element, 16, 1>(to, from, t, t.rows - lane);
}

/// The size of the blocks that `count` is cut into: at most `most`, all about the same.
inline std::int64_t block_of(std::int64_t count, std::int64_t most, std::int64_t step) {
  const std::int64_t blocks = (count + most - 1) / most;
  return std::min(most, ((count + blocks - 1) / blocks + step - 1) / step * step);
}

/// By way of a buffer that the second-level cache keeps, so that memory is read and written in long pieces.
template <int Element, int Bytes, int Register>
TYTO_ALWAYS_INLINE void turn_by_buffer(char* to, const char* from, const CopyTile& t) {
  constexpr std::int64_t most_rows = piece_bytes / Element, most_columns = piece_bytes / Element / 2;
  constexpr std::int64_t column = most_rows + cache_line / Element;  // padded: columns would fall on the same sets of the cache
  alignas(cache_line) char buffer[std::size_t{most_columns * column * Element}];
  std::int64_t column_to[std::size_t{most_columns}];
  for (std::int64_t c = 0; c < most_columns; ++c) column_to[c] = c * column;
  const std::int64_t row_block = block_of(t.rows, most_rows, cache_line / Element);
  const std::int64_t column_block = block_of(t.columns, most_columns, cache_line / Element);
  for (std::int64_t c = 0; c < t.columns; c += column_block) {
    for (std::int64_t r = 0; r < t.rows; r += row_block) {
      CopyTile block = t;
      block.rows = std::min(row_block, t.rows - r);
      block.columns = std::min(column_block, t.columns - c);
      block.row_from = t.row_from + r;
      block.column_to = column_to;
      turn_tile<Element, Bytes>(buffer, from + c * Element, block);
      const std::int64_t run = block.rows * Element;
      for (std::int64_t k = 0; k < block.columns; ++k) {
        char* target = to + (t.column_to[c + k] + r) * Element;
        if (run >= cache_line) stream_run<Bytes, Register>(target, buffer + k * column * Element, run);
        else copy_part_of_line(target, buffer + k * column * Element, run);
      }
    }
  }
}

/// The whole of transpose_function: with vectors of Bytes, where the instruction set has stores of Register bytes.
template <int Element, int Bytes, int Register = Bytes>
TYTO_ALWAYS_INLINE void transpose(void* to, const void* from, const CopyTile& t) {
  char* target = static_cast<char*>(to);
  if (t.streams && t.rows * Element >= least_streamed)
    turn_by_buffer<Element, Bytes, Register>(target, static_cast<const char*>(from), t);
  else turn_tile<Element, Bytes>(target, static_cast<const char*>(from), t);
}

}  // namespace tyto::arithmetic
