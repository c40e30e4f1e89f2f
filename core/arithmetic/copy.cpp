// One entry for each instruction set, and size of elements where it matters.
#include "arithmetic/copy.hpp"
#include "arithmetic/copy_loops.hpp"

namespace tyto::arithmetic {
namespace {

void copy_portable(void* to, const void* from, const CopyTile& t) { copy_runs<16>(to, from, t); }
template <int Element>
void fill_portable(void* to, const void* from, const CopyTile& t) {
  fill_runs<Element, 16>(to, from, t);
}
#if defined(TYTO_HAS_X86)
TYTO_TARGET_AVX2 void copy_with_avx2(void* to, const void* from, const CopyTile& t) { copy_runs<32>(to, from, t); }
TYTO_TARGET_AVX512 void copy_with_avx512(void* to, const void* from, const CopyTile& t) { copy_runs<64>(to, from, t); }
template <int Element>
TYTO_TARGET_AVX2 void fill_with_avx2(void* to, const void* from, const CopyTile& t) {
  fill_runs<Element, 32>(to, from, t);
}
template <int Element>
TYTO_TARGET_AVX512 void fill_with_avx512(void* to, const void* from, const CopyTile& t) {
  fill_runs<Element, 64>(to, from, t);
}
#endif

template <int Element>
CopyFunction fill_for(Isa isa) {
#if defined(TYTO_HAS_X86)
  if (isa == Isa::avx512) return fill_with_avx512<Element>;
  if (isa == Isa::avx2) return fill_with_avx2<Element>;
#endif
  return fill_portable<Element>;
}

}  // namespace

CopyFunction copy_function(Isa isa) {
#if defined(TYTO_HAS_X86)
  if (isa == Isa::avx512) return copy_with_avx512;
  if (isa == Isa::avx2) return copy_with_avx2;
#endif
  return copy_portable;
}

CopyFunction fill_function(Isa isa, std::int64_t element_bytes) {
  switch (element_bytes) {
    case 2: return fill_for<2>(isa);
    case 4: return fill_for<4>(isa);
    case 8: return fill_for<8>(isa);
    default: return fill_for<16>(isa);
  }
}

void finish_streams() {
#if defined(TYTO_HAS_X86)
  __builtin_ia32_sfence();
#endif
}

}  // namespace tyto::arithmetic
