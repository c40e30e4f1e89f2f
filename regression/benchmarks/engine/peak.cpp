// The most that one core does in double precision: fused multiply-adds on registers, as many independent chains as hide their
// latency.
#include "arithmetic/isa.hpp"
#include "kernel.hpp"

namespace tyto::benchmarks {

namespace {

using arithmetic::Isa;

constexpr int chains = 12;
constexpr double flops = 1e6;  // of one execution; rounded up to whole rounds of all chains

template <int Lanes>
struct VectorOf {
  typedef double type __attribute__((vector_size(Lanes * sizeof(double))));
};

/// The sum is returned so that no compiler may leave the work out. Values stay near 1: no denormals.
template <int Lanes>
TYTO_ALWAYS_INLINE double multiply_add(std::int64_t rounds) {
  using Vector = typename VectorOf<Lanes>::type;
  Vector sums[chains], factor, addend;
  for (int lane = 0; lane < Lanes; ++lane) factor[lane] = 1 - 1e-9, addend[lane] = 1e-9;
  for (int chain = 0; chain < chains; ++chain) sums[chain] = addend * static_cast<double>(chain);
  for (std::int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (int chain = 0; chain < chains; ++chain) sums[chain] = sums[chain] * factor + addend;
  }
  double total = 0;
  for (int chain = 0; chain < chains; ++chain)
    for (int lane = 0; lane < Lanes; ++lane) total += sums[chain][lane];
  return total;
}

double portable(std::int64_t rounds) { return multiply_add<2>(rounds); }
#ifdef TYTO_HAS_X86
TYTO_TARGET_AVX2 double avx2(std::int64_t rounds) { return multiply_add<4>(rounds); }
TYTO_TARGET_AVX512 double avx512(std::int64_t rounds) { return multiply_add<8>(rounds); }
#endif

/// Of the strongest instruction set of the machine, whatever the engine was told to use.
class Peak final : public Kernel {
 public:
  double seconds(int repetitions) override {
    const Isa isa = arithmetic::available_isas().back();
    const int lanes = arithmetic::vector_bytes(isa) / static_cast<int>(sizeof(double));
    const double flops_of_round = 2.0 * chains * lanes;
    const auto rounds = static_cast<std::int64_t>(repetitions * flops / flops_of_round) + 1;
    const double start = processor_seconds();
    sink_ = run(isa, rounds);
    const double taken = processor_seconds() - start;
    return taken * (repetitions * flops) / (static_cast<double>(rounds) * flops_of_round);
  }

 private:
  static double run(Isa isa, std::int64_t rounds) {
#ifdef TYTO_HAS_X86
    if (isa == Isa::avx512) return avx512(rounds);
    if (isa == Isa::avx2) return avx2(rounds);
#endif
    (void)isa;
    return portable(rounds);
  }
  volatile double sink_ = 0;
};

}  // namespace

std::unique_ptr<Kernel> peak(const Arguments&) { return std::make_unique<Peak>(); }

}  // namespace tyto::benchmarks
