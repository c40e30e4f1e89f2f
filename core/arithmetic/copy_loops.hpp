#pragma once
/// The loops of tiles that are copied or filled run by run, for any width of vectors.
#include <type_traits>
#include "arithmetic/copy.hpp"
#include "arithmetic/stream.hpp"
#include "arithmetic/vector.hpp"

namespace tyto::arithmetic {

template <int Bytes>
using ByteVector = Vector<char, Bytes>;

/// Runs shorter than this are not worth their ends, which are never written past the caches.
constexpr std::int64_t least_streamed = 2 * cache_line;

/// Bytes up to the next cache line.
inline std::int64_t to_next_line(const void* p) { return -reinterpret_cast<std::intptr_t>(p) & (cache_line - 1); }

/// Fewer bytes than a cache line, an even number, and not one more: a line that is in a cache is slow to write past it.
TYTO_ALWAYS_INLINE void copy_part_of_line(char* to, const char* from, std::int64_t n) {
  std::int64_t b = 0;
  const auto copy_bit = [&]<int Bit>(std::integral_constant<int, Bit>) __attribute__((always_inline)) {
    if ((n & Bit) == 0) return;
    __builtin_memcpy(to + b, from + b, Bit);
    b += Bit;
  };
  copy_bit(std::integral_constant<int, 32>());
  copy_bit(std::integral_constant<int, 16>());
  copy_bit(std::integral_constant<int, 8>());
  copy_bit(std::integral_constant<int, 4>());
  copy_bit(std::integral_constant<int, 2>());
}

/// n >= Bytes; the last vector overlaps the one before.
template <int Bytes>
TYTO_ALWAYS_INLINE void copy_long_run(char* to, const char* from, std::int64_t n) {
  using V = ByteVector<Bytes>;
  std::int64_t b = 0;
  for (; b + Bytes <= n; b += Bytes) vector_at<V>(to + b) = vector_at<V>(from + b);
  if (b < n) vector_at<V>(to + n - Bytes) = vector_at<V>(from + n - Bytes);
}

/// n >= cache_line; whole lines go past the caches, by stores of Register bytes.
template <int Bytes, int Register>
TYTO_ALWAYS_INLINE void stream_run(char* to, const char* from, std::int64_t n) {
  using V = ByteVector<Bytes>;
  std::int64_t b = to_next_line(to);
  copy_part_of_line(to, from, b);
  for (; b + cache_line <= n; b += cache_line) {
#pragma GCC unroll 4
    for (std::int64_t v = 0; v < cache_line; v += Bytes) stream<Register>(to + b + v, vector_at<V>(from + b + v));
  }
  copy_part_of_line(to + b, from + b, n - b);
}

/// Calls copy(to, from) for every run.
template <class Copy>
TYTO_ALWAYS_INLINE void for_each_run(void* to, const void* from, const CopyTile& t, const Copy& copy) {
  for (std::int64_t c = 0; c < t.columns; ++c) {
    char* column_to = static_cast<char*>(to) + t.column_to[c] * t.unit;
    const char* column_from = static_cast<const char*>(from) + t.column_from[c] * t.unit;
    for (std::int64_t r = 0; r < t.rows; ++r) copy(column_to + t.row_to[r] * t.unit, column_from + t.row_from[r] * t.unit);
  }
}

/// Runs of a length known to the compiler.
template <int Run>
struct CopyKnownRun {
  TYTO_ALWAYS_INLINE void operator()(char* to, const char* from) const { __builtin_memcpy(to, from, Run); }
};
template <int Bytes>
struct CopyRun {
  std::int64_t bytes;
  TYTO_ALWAYS_INLINE void operator()(char* to, const char* from) const { copy_long_run<Bytes>(to, from, bytes); }
};
template <int Bytes, int Register>
struct StreamRun {
  std::int64_t bytes;
  TYTO_ALWAYS_INLINE void operator()(char* to, const char* from) const { stream_run<Bytes, Register>(to, from, bytes); }
};
struct CopyShortRun {
  std::int64_t bytes;
  TYTO_ALWAYS_INLINE void operator()(char* to, const char* from) const {
    for (std::int64_t b = 0; b < bytes; b += 2) __builtin_memcpy(to + b, from + b, 2);  // no element is smaller
  }
};

/// The whole of copy_function: with vectors of Bytes, where the instruction set has stores of Register bytes.
template <int Bytes, int Register = Bytes>
TYTO_ALWAYS_INLINE void copy_runs(void* to, const void* from, const CopyTile& t) {
  switch (t.run) {
    case 2: return for_each_run(to, from, t, CopyKnownRun<2>());
    case 4: return for_each_run(to, from, t, CopyKnownRun<4>());
    case 8: return for_each_run(to, from, t, CopyKnownRun<8>());
    case 16: return for_each_run(to, from, t, CopyKnownRun<16>());
    case 32: return for_each_run(to, from, t, CopyKnownRun<32>());
    default: break;
  }
  if (t.streams && t.run >= least_streamed) return for_each_run(to, from, t, StreamRun<Bytes, Register>{t.run});
  if (t.run >= Bytes) return for_each_run(to, from, t, CopyRun<Bytes>{t.run});
  if (t.run >= 16) return for_each_run(to, from, t, CopyRun<16>{t.run});
  for_each_run(to, from, t, CopyShortRun{t.run});
}

/// n >= Bytes and the pattern's period divides n and Bytes, so that the last vector may overlap the one before.
template <int Bytes>
TYTO_ALWAYS_INLINE void fill_long_run(char* to, const ByteVector<Bytes>& pattern, std::int64_t n) {
  using V = ByteVector<Bytes>;
  std::int64_t b = 0;
  for (; b + Bytes <= n; b += Bytes) vector_at<V>(to + b) = pattern;
  if (b < n) vector_at<V>(to + n - Bytes) = pattern;
}

/// As above, n >= cache_line, and the period divides the bytes up to the next line too.
template <int Element, int Bytes, int Register>
TYTO_ALWAYS_INLINE void stream_fill(char* to, const ByteVector<Bytes>& pattern, std::int64_t n) {
  const char* element = reinterpret_cast<const char*>(&pattern);
  const std::int64_t head = to_next_line(to);
  std::int64_t b = 0;
  for (; b < head; b += Element) __builtin_memcpy(to + b, element, Element);
  for (; b + cache_line <= n; b += cache_line) {
#pragma GCC unroll 4
    for (std::int64_t v = 0; v < cache_line; v += Bytes) stream<Register>(to + b + v, pattern);
  }
  for (; b < n; b += Element) __builtin_memcpy(to + b, element, Element);
}

template <int Element, int Bytes, int Register>
struct FillRun {
  std::int64_t bytes;
  bool streams;
  TYTO_ALWAYS_INLINE void operator()(char* to, const char* from) const {
    ByteVector<Bytes> pattern;
#pragma GCC unroll 32
    for (int e = 0; e < Bytes; e += Element) __builtin_memcpy(reinterpret_cast<char*>(&pattern) + e, from, Element);
    const bool in_step = to_next_line(to) % Element == 0;
    if (bytes < Bytes) {
      for (std::int64_t b = 0; b < bytes; b += Element) __builtin_memcpy(to + b, from, Element);
    } else if (streams && in_step) {
      stream_fill<Element, Bytes, Register>(to, pattern, bytes);
    } else {
      fill_long_run<Bytes>(to, pattern, bytes);
    }
  }
};

/// The whole of fill_function.
template <int Element, int Bytes, int Register = Bytes>
TYTO_ALWAYS_INLINE void fill_runs(void* to, const void* from, const CopyTile& t) {
  for_each_run(to, from, t, FillRun<Element, Bytes, Register>{t.run, t.streams && t.run >= least_streamed});
}

}  // namespace tyto::arithmetic
