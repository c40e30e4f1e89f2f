// The brand string of x86 processors.
#include "arithmetic/processor.hpp"
#include <array>
#include <cstring>
#include "arithmetic/isa.hpp"
#if defined(TYTO_HAS_X86)
#include <cpuid.h>
#endif

namespace tyto::arithmetic {

std::string processor_name() {
  std::array<char, 49> text{};
#if defined(TYTO_HAS_X86)
  constexpr unsigned first = 0x80000002, leaves = 3;
  if (__get_cpuid_max(0x80000000, nullptr) < first + leaves - 1) return "unknown";
  for (unsigned leaf = 0; leaf < leaves; ++leaf) {
    std::array<unsigned, 4> words{};
    __get_cpuid(first + leaf, &words[0], &words[1], &words[2], &words[3]);
    std::memcpy(text.data() + std::size_t{16} * leaf, words.data(), 16);
  }
#endif
  const std::string name = text.data();
  const std::size_t begin = name.find_first_not_of(' '), end = name.find_last_not_of(' ');
  return begin == std::string::npos ? "unknown" : name.substr(begin, end - begin + 1);
}

}  // namespace tyto::arithmetic
