// The arithmetic here is modulo 2^32 and 2^64 by definition of the algorithms: the one place for unsigned numbers.
#include "tensor/random.hpp"

#include <cmath>
#include <numbers>

namespace tyto::tensor {
namespace {

constexpr std::uint64_t low_word = 0xFFFFFFFFU;

std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x & low_word); }
std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32U); }

/// FNV-1a, 64 bit (Fowler, Noll, Vo).
std::uint64_t hash(std::string_view name) {
  std::uint64_t value = 0xCBF29CE484222325U;
  for (const char c : name) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return value;
}

PhiloxCounter words(std::int64_t element, std::uint64_t stream, PhiloxKey key) {
  const auto number = static_cast<std::uint64_t>(element);
  return philox({low(number), high(number), low(stream), high(stream)}, key);
}

/// The upper 53 bits of two words as a fraction.
double fraction(std::uint32_t upper, std::uint32_t lower) {
  const std::uint64_t bits = (std::uint64_t{upper} << 32U) | lower;
  return static_cast<double>(bits >> 11U) * 0x1p-53;
}

}  // namespace

PhiloxCounter philox(PhiloxCounter counter, PhiloxKey key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53U} * counter[0], b = std::uint64_t{0xCD9E8D57U} * counter[2];
    counter = {high(b) ^ counter[1] ^ key[0], low(b), high(a) ^ counter[3] ^ key[1], low(a)};
    key = {key[0] + 0x9E3779B9U, key[1] + 0xBB67AE85U};
  }
  return counter;
}

Random::Random(std::uint64_t seed, std::string_view name) : key_{low(seed), high(seed)}, stream_(hash(name)) {}

double Random::uniform(std::int64_t element) const {
  const PhiloxCounter w = words(element, stream_, key_);
  return fraction(w[0], w[1]);
}

double Random::normal(std::int64_t element) const {
  const PhiloxCounter w = words(element, ~stream_, key_);
  const double radius = std::sqrt(-2 * std::log(1 - fraction(w[0], w[1])));
  return radius * std::cos(2 * std::numbers::pi * fraction(w[2], w[3]));
}

}  // namespace tyto::tensor
