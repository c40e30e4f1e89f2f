#include "optimize/schedule.hpp"
#include "error/fail.hpp"
#include "optimize/schedule_search.hpp"

namespace tyto::optimize {

Schedule::Schedule(std::vector<Halves> computed, Halves constant, cost::Cost total, bool is_exact)
    : computed_(std::move(computed)), constant_(std::move(constant)), total_(total), is_exact_(is_exact) {}

Schedule::Origin Schedule::origin(Operands message, std::size_t event) const {
  const auto fixed = constant_.find(message);
  if (fixed != constant_.end()) return {0, fixed->second, message ^ fixed->second};
  for (std::size_t back = 0; back < computed_.size(); ++back) {
    const std::size_t at = (event + computed_.size() - back) % computed_.size();
    const auto found = computed_[at].find(message);
    if (found != computed_[at].end()) return {at, found->second, message ^ found->second};
  }
  fail(Code::defect, "a schedule is asked for a message that it does not have");
}

std::optional<Schedule> cheapest_schedule(const cost::Network& network, const std::vector<Demand>& cycle,
                                          const ScheduleOptions& options) {
  const std::size_t operand_count = network.subscripts.inputs.size();
  if (operand_count > most_operands || cycle.empty()) return std::nullopt;
  const Operands all = (Operands{1} << operand_count) - 1;
  std::vector<Operands> sets, left_out;
  for (const Demand& event : cycle) {
    sets.push_back(event.changed);
    for (const Operands target : event.targets) left_out.push_back(all ^ target);
  }
  sets.insert(sets.end(), left_out.begin(), left_out.end());
  const std::vector<Operands> members = units_of(operand_count, sets, left_out);
  if (members.size() > std::min(options.most_units, most_units)) return std::nullopt;
  const UnitNetwork units(network, members);
  std::vector<ScheduleStep> steps;
  for (std::size_t event = 0; event < cycle.size(); ++event) {
    for (const Operands target : cycle[event].targets) steps.push_back({units.exactly(target).value(), 0, event});
    const Units changed = units.touched(cycle[event].changed);
    if (changed == 0) continue;
    if (cycle[event].targets.empty()) steps.push_back({0, changed, event});
    else steps.back().changed = changed;
  }
  if (steps.empty()) return std::nullopt;
  return best_schedule(units, std::move(steps), options, cycle.size());
}

}  // namespace tyto::optimize
