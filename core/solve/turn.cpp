#include "solve/turn.hpp"
#include <algorithm>

namespace tyto::solve {

namespace {

std::int64_t version_of(const Variants& variants, std::int64_t variant, const execute::Evaluation& evaluation) {
  return evaluation.version(variants.of[static_cast<std::size_t>(variant)].kernel);
}

}  // namespace

std::size_t Turn::take(const Variants& variants, const execute::Evaluation& evaluation, std::int64_t sweep,
                       std::int64_t sweeps_per_cycle) {
  const auto count = static_cast<std::int64_t>(variants.of.size());
  if (count == 1) return 0;
  if (last_ >= 0 && version_of(variants, last_, evaluation) == version_) return static_cast<std::size_t>(last_);
  if (sweep != sweep_) sweep_ = sweep, taken_ = 0;
  const std::int64_t in_sweep = count / sweeps_per_cycle;
  last_ = std::max<std::int64_t>(0, sweep - 1) % sweeps_per_cycle * in_sweep + taken_++ % in_sweep;
  version_ = version_of(variants, last_, evaluation);
  return static_cast<std::size_t>(last_);
}

Turn::Kept Turn::kept(const Variants& variants, const execute::Evaluation& evaluation) const {
  return {last_, sweep_, taken_, last_ >= 0 && version_of(variants, last_, evaluation) == version_};
}

void Turn::restore(const Kept& kept, const Variants& variants, const execute::Evaluation& evaluation) {
  last_ = kept.last, sweep_ = kept.sweep, taken_ = kept.taken;
  version_ = kept.is_current ? version_of(variants, last_, evaluation) : -1;
}

}  // namespace tyto::solve
