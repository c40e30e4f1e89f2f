#pragma once
/// Vectors of a given number of bytes as GCC knows them. Functions on them are always inlined into an entry that is compiled for
/// one instruction set (arithmetic/isa.hpp); wider vectors than the set has are split by the compiler, slowly but rightly.
#include <cstdint>
#include <type_traits>
#include "arithmetic/isa.hpp"

namespace tyto::arithmetic {

template <class T, int Bytes>
struct VectorOf {
  typedef T type __attribute__((vector_size(Bytes), aligned(alignof(T)), may_alias));
};
/// Loads and stores through pointers to it need no alignment but that of T.
template <class T, int Bytes>
using Vector = typename VectorOf<T, Bytes>::type;
template <class T, int Bytes>
constexpr std::int64_t lanes = Bytes / static_cast<std::int64_t>(sizeof(T));

template <class V, class T>
TYTO_ALWAYS_INLINE const V& vector_at(const T* p) {
  return *reinterpret_cast<const V*>(p);
}
template <class V, class T>
TYTO_ALWAYS_INLINE V& vector_at(T* p) {
  return *reinterpret_cast<V*>(p);
}

/// Calls function(i) for each i < Count, where i is a constant: what an array of vectors holds at such places stays in registers,
/// while an array in a loop that is unrolled late is first laid out in memory.
template <int Count, class Function>
TYTO_ALWAYS_INLINE void for_each(Function&& function) {
  if constexpr (Count > 1) for_each<Count - 1>(function);
  function(std::integral_constant<int, Count - 1>{});
}
#define TYTO_INLINE_BODY __attribute__((always_inline))

/// Four vectors of four numbers: rows become columns.
template <class V>
TYTO_ALWAYS_INLINE void transpose(V& a, V& b, V& c, V& d) {
  const V ab_low = __builtin_shufflevector(a, b, 0, 4, 2, 6), ab_high = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const V cd_low = __builtin_shufflevector(c, d, 0, 4, 2, 6), cd_high = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
  c = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
  d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

/// Whether so many elements follow each other.
TYTO_ALWAYS_INLINE bool are_adjacent(const std::int64_t* offsets, std::int64_t count) {
  for (std::int64_t i = 1; i < count; ++i)
    if (offsets[i] != offsets[i - 1] + 1) return false;
  return true;
}

}  // namespace tyto::arithmetic
