// Twelve chains: enough to hide the latency of two units, few enough for the registers of every set.
#include "arithmetic/peak.hpp"

namespace tyto::arithmetic {
namespace {

constexpr int chains = 12;

template <int Bytes>
struct VectorOf {
  typedef double type __attribute__((vector_size(Bytes)));
};

template <int Bytes>
TYTO_ALWAYS_INLINE std::int64_t multiply_adds(std::int64_t rounds, double& seed) {
  constexpr std::int64_t lanes = Bytes / static_cast<int>(sizeof(double));
  using Vector = typename VectorOf<Bytes>::type;
  Vector sum[chains];
#pragma GCC unroll 12
  for (int c = 0; c < chains; ++c) sum[c] = Vector{} + (seed + c);
  const Vector factor = Vector{} + 0.5 * seed, term = Vector{} + seed;
  for (std::int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (int c = 0; c < chains; ++c) sum[c] = sum[c] * factor + term;
  }
#pragma GCC unroll 12
  for (int c = 1; c < chains; ++c) sum[0] = sum[0] + sum[c];
  seed = sum[0][0] > 0 ? 1 : 0.5;
  return rounds * chains * lanes * 2;
}

std::int64_t portable(std::int64_t rounds, double& seed) { return multiply_adds<16>(rounds, seed); }
#if defined(TYTO_HAS_X86)
TYTO_TARGET_AVX2 std::int64_t with_avx2(std::int64_t rounds, double& seed) { return multiply_adds<32>(rounds, seed); }
TYTO_TARGET_AVX512 std::int64_t with_avx512(std::int64_t rounds, double& seed) { return multiply_adds<64>(rounds, seed); }
#endif

}  // namespace

std::int64_t run_multiply_adds(Isa isa, std::int64_t rounds, double& seed) {
#if defined(TYTO_HAS_X86)
  if (isa == Isa::avx512) return with_avx512(rounds, seed);
  if (isa == Isa::avx2) return with_avx2(rounds, seed);
#endif
  return portable(rounds, seed);
}

}  // namespace tyto::arithmetic
