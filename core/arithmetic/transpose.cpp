// One entry for each instruction set and size of elements.
#include "arithmetic/transpose_loops.hpp"

namespace tyto::arithmetic {
namespace {

template <int Element>
void portable(void* to, const void* from, const CopyTile& t) {
  transpose<Element, 16>(to, from, t);
}
#if defined(TYTO_HAS_X86)
template <int Element>
TYTO_TARGET_AVX2 void with_avx2(void* to, const void* from, const CopyTile& t) {
  transpose<Element, 32>(to, from, t);
}
template <int Element>
TYTO_TARGET_AVX512 void with_avx512(void* to, const void* from, const CopyTile& t) {
  transpose<Element, 64>(to, from, t);
}
#endif

template <int Element>
CopyFunction function_for(Isa isa) {
#if defined(TYTO_HAS_X86)
  if (isa == Isa::avx512) return with_avx512<Element>;
  if (isa == Isa::avx2) return with_avx2<Element>;
#endif
  return portable<Element>;
}

}  // namespace

CopyFunction transpose_function(Isa isa, std::int64_t element_bytes) {
  switch (element_bytes) {
    case 2: return function_for<2>(isa);
    case 4: return function_for<4>(isa);
    case 8: return function_for<8>(isa);
    default: return function_for<16>(isa);
  }
}

}  // namespace tyto::arithmetic
