#pragma once
/// Counter-based random numbers: a value is a function of the seed, the name of the unknown and the global number of the element,
/// so it does not depend on the order of evaluation, the layout, threads or ranks.
#include <array>
#include <cstdint>
#include <string_view>

namespace tyto::tensor {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

/// Philox-4x32 with ten rounds: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3",
/// SC 2011, section 4.3. Four independent words for each counter and key.
PhiloxCounter philox(PhiloxCounter, PhiloxKey);

/// The streams of one unknown. Streams of different seeds or names are independent, and so are the two functions.
class Random {
 public:
  Random(std::uint64_t seed, std::string_view name);
  /// In [0, 1), a multiple of 2^-53; the same on every machine. The element counts in row-major order of the whole tensor.
  double uniform(std::int64_t element) const;
  /// Standard normal by Box and Muller (1958); differs between machines at most in the rounding of log and cos.
  double normal(std::int64_t element) const;

 private:
  PhiloxKey key_;
  std::uint64_t stream_;
};

}  // namespace tyto::tensor
