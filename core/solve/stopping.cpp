#include "solve/stopping.hpp"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace tyto::solve {

double relative_change(double objective, double previous) {
  if (objective == previous) return 0;
  return std::abs(objective - previous) / std::max(std::abs(objective), std::abs(previous));
}

std::optional<Outcome> stop(const Limits& limits, const SweepFacts& facts) {
  if (!std::isfinite(facts.objective))
    return Outcome{Stop::failed,
                   fmt::format("the objective is not finite after sweep {}: it over- or underflows; scale the data (scale: auto)",
                               facts.sweep)};
  if (facts.relative_error >= 0 && facts.relative_error <= exact_relative_error)
    return Outcome{Stop::converged, fmt::format("relative error {:.2g}: exact to rounding", facts.relative_error)};
  if (facts.end) return facts.end;
  const double change =
      std::isfinite(facts.previous) ? relative_change(facts.objective, facts.previous) : std::numeric_limits<double>::infinity();
  if (!facts.parameter_changed && change <= limits.tolerance && limits.tolerance > 0)
    return Outcome{Stop::converged, fmt::format("relative change of the objective {:.2g} <= {:g}", change, limits.tolerance)};
  if (facts.gradient_norm >= 0 && facts.gradient_norm <= limits.gradient_tolerance)
    return Outcome{Stop::converged,
                   fmt::format("gradient norm {:.2g} of its first value <= {:g}", facts.gradient_norm, limits.gradient_tolerance)};
  if (facts.interrupted) return Outcome{Stop::interrupted, fmt::format("interrupted after sweep {}", facts.sweep)};
  if (limits.time_limit > 0 && facts.seconds >= limits.time_limit)
    return Outcome{Stop::time_limit, fmt::format("time limit of {:g} s", limits.time_limit)};
  if (facts.sweep >= limits.max_sweeps) return Outcome{Stop::sweep_limit, fmt::format("sweep limit of {}", limits.max_sweeps)};
  return std::nullopt;
}

Outcome named(const Outcome& outcome, const std::optional<Outcome>& as, const SweepFacts& facts) {
  const bool is_exact = facts.relative_error >= 0 && facts.relative_error <= good_as_exact;
  if (!as || is_exact || outcome.stop == Stop::failed || outcome.stop == Stop::interrupted) return outcome;
  return {as->stop, as->reason + "; " + outcome.reason};
}

}  // namespace tyto::solve
