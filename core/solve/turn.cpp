#include "solve/turn.hpp"
#include <algorithm>

namespace tyto::solve {

std::size_t Turn::take(const Variants& variants, const execute::Evaluation& evaluation, std::int64_t sweep,
                       std::int64_t sweeps_per_cycle) {
  const auto count = static_cast<std::int64_t>(variants.of.size());
  if (count == 1) return 0;
  const auto version_of = [&](std::int64_t k) { return evaluation.version(variants.of[static_cast<std::size_t>(k)].kernel); };
  if (last_ >= 0 && version_of(last_) == version_) return static_cast<std::size_t>(last_);
  if (sweep != sweep_) sweep_ = sweep, taken_ = 0;
  const std::int64_t in_sweep = count / sweeps_per_cycle;
  last_ = std::max<std::int64_t>(0, sweep - 1) % sweeps_per_cycle * in_sweep + taken_++ % in_sweep;
  version_ = version_of(last_);
  return static_cast<std::size_t>(last_);
}

}  // namespace tyto::solve
