#pragma once
/// Times of the steps of a plan, measured while its cycle runs.
#include "session/flow.hpp"

namespace tyto::session {

/// Seconds of every step of every evaluation in plan.cycle, by their order there: medians over a few cycles, after one that is not
/// counted, less what the clock takes. Unknowns keep their starting values, but all that depends on them is computed anew as in a
/// run. 0 for a step that did not run where the plan expects it.
std::vector<std::vector<double>> measured_cycle(const Prepared&);

}  // namespace tyto::session
