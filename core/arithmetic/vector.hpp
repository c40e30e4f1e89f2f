#pragma once
/// Vectors of a given number of bytes as GCC knows them. Functions on them are always inlined into an entry that is compiled for
/// one instruction set (arithmetic/isa.hpp); wider vectors than the set has are split by the compiler, slowly but rightly.
#include <cstdint>
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

}  // namespace tyto::arithmetic
