#pragma once
/// The dynamic programming behind cheapest_schedule, over units instead of operands.
#include "optimize/schedule.hpp"
#include "optimize/units.hpp"

namespace tyto::optimize {

/// One target, or none; an event with several is several steps, and operands change after the last.
struct ScheduleStep {
  Units target = 0, changed = 0;
  std::size_t event = 0;
};

/// The cheapest schedule of the steps, which repeat. There is at least one step; events are numbered below event_count.
Schedule best_schedule(UnitNetwork, std::vector<ScheduleStep>, const ScheduleOptions&, std::size_t event_count);

}  // namespace tyto::optimize
