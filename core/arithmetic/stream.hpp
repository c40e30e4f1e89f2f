#pragma once
/// Stores that go past the caches, for results larger than they are: a store through them would first read the line it overwrites.
#include <cstdint>
#include <cstring>
#include "arithmetic/vector.hpp"
#if defined(TYTO_HAS_X86)
#include <immintrin.h>
#endif

namespace tyto::arithmetic {

constexpr std::int64_t cache_line = 64;  // bytes

/// Stores a vector by pieces of Register bytes, at an address that is a multiple of them. An ordinary store where there is no
/// other.
template <int Register, class V>
TYTO_ALWAYS_INLINE void stream(void* to, const V& value) {
#if defined(TYTO_HAS_X86)
  using Piece = Vector<long long, Register>;
  constexpr int pieces = static_cast<int>(sizeof(V)) / Register;
#pragma GCC unroll 4
  for (int p = 0; p < pieces; ++p) {
    auto* place = static_cast<Piece*>(to) + p;
    Piece piece;
    std::memcpy(&piece, reinterpret_cast<const char*>(&value) + p * Register, Register);
    if constexpr (Register == 64) __builtin_ia32_movntdq512(place, piece);
    else if constexpr (Register == 32) __builtin_ia32_movntdq256(place, piece);
    else __builtin_ia32_movntdq(place, piece);
  }
#else
  *static_cast<V*>(to) = value;
#endif
}

inline bool is_aligned(const void* p, std::int64_t bytes) { return reinterpret_cast<std::intptr_t>(p) % bytes == 0; }

}  // namespace tyto::arithmetic
