#pragma once
/// Instruction sets: for which ones loops are compiled, and which one this processor is to use. A loop is written once, with
/// vectors of a width that is a template parameter, and compiled once per set by the TYTO_TARGET_* attributes on its entry.
#include <cstdint>
#include <string>
#include <vector>

namespace tyto::arithmetic {

/// Weakest first. `portable` is what every processor of the build's architecture runs.
enum class Isa : std::int8_t { portable, avx2, avx512 };

/// "portable", "avx2", "avx512", as TYTO_ISA spells them.
std::string name_of(Isa);
/// Those that this processor and its operating system run, weakest first.
std::vector<Isa> available_isas();
/// The one to use: TYTO_ISA of the environment, else the strongest available. Throws Error{unknown_word} for a word that is none,
/// Error{unsupported} for one that this processor lacks.
Isa chosen_isa();

/// Bytes of a vector register.
constexpr int vector_bytes(Isa isa) { return isa == Isa::avx512 ? 64 : isa == Isa::avx2 ? 32 : 16; }

#define TYTO_ALWAYS_INLINE [[gnu::always_inline]] inline
#if defined(__x86_64__)
#define TYTO_HAS_X86 1
#define TYTO_TARGET_AVX2 __attribute__((target("avx2,fma")))
#define TYTO_TARGET_AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,fma,prefer-vector-width=512")))
#endif

}  // namespace tyto::arithmetic
