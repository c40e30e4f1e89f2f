// What the processor says of itself, and what the environment asks for.
#include "arithmetic/isa.hpp"
#include <algorithm>
#include <cstdlib>
#include "error/fail.hpp"
#include <fmt/format.h>

namespace tyto::arithmetic {

std::string name_of(Isa isa) {
  switch (isa) {
    case Isa::portable: return "portable";
    case Isa::avx2: return "avx2";
    case Isa::avx512: return "avx512";
  }
  return "";
}

std::vector<Isa> available_isas() {
  std::vector<Isa> isas = {Isa::portable};
#if defined(TYTO_HAS_X86)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) isas.push_back(Isa::avx2);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw"))
    isas.push_back(Isa::avx512);
#endif
  return isas;
}

Isa chosen_isa() {
  const std::vector<Isa> available = available_isas();
  const char* asked = std::getenv("TYTO_ISA");
  if (asked == nullptr || *asked == '\0') return available.back();
  std::vector<std::string> names;
  for (const Isa isa : available) {
    if (name_of(isa) == asked) return isa;
    names.push_back(name_of(isa));
  }
  const std::vector<std::string> known = {name_of(Isa::portable), name_of(Isa::avx2), name_of(Isa::avx512)};
  if (std::find(known.begin(), known.end(), asked) != known.end())
    fail(Code::unsupported, "TYTO_ISA of the environment asks for instructions that this processor lacks", listed(names), asked,
         "unsetting TYTO_ISA, which takes the best there is");
  fail(Code::unknown_word, "TYTO_ISA of the environment names no instruction set", listed(known), asked,
       "unsetting TYTO_ISA, which takes the best there is");
}

}  // namespace tyto::arithmetic
