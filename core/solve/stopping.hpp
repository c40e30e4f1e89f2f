#pragma once
/// When a solve ends. Pure decisions on numbers; the iteration asks after every sweep.
#include <optional>
#include "solve/setup.hpp"

namespace tyto::solve {

/// What is known after a sweep. The gradient norm is relative to that of the first sweep; < 0 where no tolerance asks for it.
struct SweepFacts {
  std::int64_t sweep = 0;
  double objective = 0, previous = 0;  ///< previous: infinite after the first sweep
  double relative_error = -1;          ///< < 0: no sum of squares
  double gradient_norm = -1;
  double seconds = 0;
  bool parameter_changed = false, interrupted = false;
  std::optional<Outcome> end = {};  ///< what a kernel says that can go no further
};

/// |f - previous| / max(|f|, |previous|); 0 where both are 0, infinite without a previous value.
double relative_change(double objective, double previous);

/// The outcome, if the solve ends here.
std::optional<Outcome> stop(const Limits&, const SweepFacts&);

/// The outcome under the name that the plugin has for it, with what ended the solve in the reason: not where it failed or was
/// interrupted, nor where the fit is exact for all that double precision shows of a squared norm.
Outcome named(const Outcome&, const std::optional<Outcome>& as, const SweepFacts&);
constexpr double good_as_exact = 1e-8;

/// A fit this close to the data is exact: sixteen roundings of the data's norm.
constexpr double exact_relative_error = 16 * 2.220446049250313e-16;

}  // namespace tyto::solve
