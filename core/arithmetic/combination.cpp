// All terms of an element are added in registers: each input is read once, the output written once.
#include "arithmetic/combination.hpp"
#include <algorithm>
#include "arithmetic/stream.hpp"
#include "arithmetic/vector.hpp"

namespace tyto::arithmetic {
namespace {

template <class V, int Terms, class T>
TYTO_ALWAYS_INLINE void combined(V& sum, const CombinedRow<T>& r, std::int64_t e) {
  sum = r.coefficients[0] * vector_at<V>(r.inputs[0] + e);
#pragma GCC unroll 4
  for (std::size_t k = 1; k < Terms; ++k) sum = sum + r.coefficients[k] * vector_at<V>(r.inputs[k] + e);
}

template <int Terms, class T>
TYTO_ALWAYS_INLINE void combine_singly(const CombinedRow<T>& r, std::int64_t first, std::int64_t last) {
  for (std::int64_t e = first; e < last; ++e) {
    T sum = r.coefficients[0] * r.inputs[0][e];
    for (std::size_t k = 1; k < Terms; ++k) sum += r.coefficients[k] * r.inputs[k][e];
    r.out[e] = sum;
  }
}

/// A cache line at a time, so that lines written past the caches are whole.
template <class T, int Bytes, int Terms, bool Streams>
TYTO_ALWAYS_INLINE void combine_row(const CombinedRow<T>& given) {
  using V = Vector<T, Bytes>;
  const CombinedRow<T> r = given;  // of its own: stores cannot change it
  constexpr std::int64_t width = lanes<T, Bytes>, line = cache_line / static_cast<std::int64_t>(sizeof(T));
  std::int64_t e = 0;
  if constexpr (Streams) {
    while (e < r.count && !is_aligned(r.out + e, cache_line)) ++e;
    combine_singly<Terms>(r, 0, e);
  }
  for (; e + line <= r.count; e += line) {
#pragma GCC unroll 4
    for (std::int64_t v = 0; v < line; v += width) {
      V sum;
      combined<V, Terms>(sum, r, e + v);
      if constexpr (Streams) stream<Bytes>(r.out + e + v, sum);
      else vector_at<V>(r.out + e + v) = sum;
    }
  }
  combine_singly<Terms>(r, e, r.count);
}

template <class T, int Bytes, bool Streams>
TYTO_ALWAYS_INLINE void combine_terms(const CombinedRow<T>& r) {
  switch (r.terms) {
    case 1: return combine_row<T, Bytes, 1, Streams>(r);
    case 2: return combine_row<T, Bytes, 2, Streams>(r);
    case 3: return combine_row<T, Bytes, 3, Streams>(r);
    default: return combine_row<T, Bytes, 4, Streams>(r);
  }
}

template <class T, int Bytes>
TYTO_ALWAYS_INLINE void combine(const CombinedRow<T>& r) {
  if (r.streams) combine_terms<T, Bytes, true>(r);
  else combine_terms<T, Bytes, false>(r);
}

template <class T>
void portable(const CombinedRow<T>& r) {
  combine<T, 16>(r);
}
#if defined(TYTO_HAS_X86)
template <class T>
TYTO_TARGET_AVX2 void with_avx2(const CombinedRow<T>& r) {
  combine<T, 32>(r);
}
template <class T>
TYTO_TARGET_AVX512 void with_avx512(const CombinedRow<T>& r) {
  combine<T, 64>(r);
}
#endif

}  // namespace

template <class T>
CombineFunction<T> combine_function(Isa isa) {
#if defined(TYTO_HAS_X86)
  if (isa == Isa::avx512) return with_avx512<T>;
  if (isa == Isa::avx2) return with_avx2<T>;
#endif
  return portable<T>;
}

template CombineFunction<double> combine_function<double>(Isa);
template CombineFunction<float> combine_function<float>(Isa);

}  // namespace tyto::arithmetic
