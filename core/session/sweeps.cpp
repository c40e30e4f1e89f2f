#include "session/sweeps.hpp"
#include "session/switches.hpp"
#include <algorithm>
#include <limits>
#include <fmt/format.h>
#include "error/fail.hpp"

namespace tyto::session {

namespace {

constexpr std::int64_t most_automatic_sweeps = 4;
constexpr double worthwhile = 1.01;  // of the least time a sweep

/// Of one output, by event of a cycle that repeats: whether it is asked for, and whether something that it depends on changes
/// after.
struct Timeline {
  std::vector<char> is_asked, changes;
};

Timeline timeline_of(const Kernels& kernels, const graph::Output& output) {
  Timeline timeline;
  for (const optimize::Event& event : kernels.context.cycle) {
    const bool is_asked = std::find(event.outputs.begin(), event.outputs.end(), output.name) != event.outputs.end();
    const bool changes = event.changes >= 0 && graph::depends_on(*kernels.graph.store, output.node, event.changes);
    timeline.is_asked.push_back(is_asked ? 1 : 0), timeline.changes.push_back(changes ? 1 : 0);
  }
  return timeline;
}

struct Turns {
  std::vector<std::int64_t> of_event;  ///< -1 where it is not asked for
  std::int64_t count = 0;              ///< in the cycle
};

/// A new turn begins where the output is asked for and is no longer what it was when it was asked for before.
Turns turns_of(const Timeline& timeline, std::int64_t sweeps) {
  Turns turns;
  bool is_stale = false;  // as the cycle before has left it
  for (std::size_t event = 0; event < timeline.changes.size(); ++event)
    is_stale = timeline.changes[event] != 0 || (is_stale && timeline.is_asked[event] == 0);
  for (std::int64_t sweep = 0; sweep < sweeps; ++sweep)
    for (std::size_t event = 0; event < timeline.changes.size(); ++event) {
      const bool is_asked = timeline.is_asked[event] != 0;
      if (is_asked && is_stale) ++turns.count;
      turns.of_event.push_back(is_asked ? turns.count - 1 : -1);
      is_stale = timeline.changes[event] != 0 || (is_stale && !is_asked);
    }
  for (std::size_t event = 0; event < turns.of_event.size(); ++event)
    if (timeline.is_asked[event % timeline.is_asked.size()] != 0 && turns.of_event[event] < 0)
      turns.of_event[event] = std::max<std::int64_t>(0, turns.count - 1);  // still that of the cycle before
  turns.count = std::max<std::int64_t>(1, turns.count);
  return turns;
}

std::string name_of_turn(const std::string& name, std::int64_t turn, std::int64_t in_sweep) {
  const std::int64_t sweep = turn / in_sweep + 1, time = turn % in_sweep + 1;
  return name + (sweep > 1 ? fmt::format(" in sweep {}", sweep) : "") + (time > 1 ? fmt::format(", time {}", time) : "");
}

/// Of one sweep as it is planned.
struct Forecast {
  double seconds = std::numeric_limits<double>::infinity();  ///< as the device model predicts; no plan where the memory does not do
  double flops = 0;
};

Forecast forecast_of(const Kernels& kernels, const Declared& d, const execute::Executor& executor,
                     const config::RunConfig& config) {
  const optimize::Optimized optimized =
      optimize::optimize(kernels.graph, kernels.context, switches_of(config.plan.switched_off).passes);
  try {
    const plan::Plan plan = plan::make_plan(optimized.graph, executor.model(), plan_options(d, kernels, config));
    const auto sweeps = static_cast<double>(kernels.sweeps);
    return {plan.seconds / sweeps, static_cast<double>(plan.cycle_flops) / sweeps};
  } catch (const Error& error) {
    if (error.findings().front().code != Code::memory) throw;
    return {};
  }
}

/// Blocks that a sweep updates.
std::int64_t block_count(const Kernels& one_sweep) {
  std::vector<graph::NodeId> blocks;
  for (const optimize::Event& event : one_sweep.context.cycle)
    if (event.changes >= 0 && std::find(blocks.begin(), blocks.end(), event.changes) == blocks.end())
      blocks.push_back(event.changes);
  return static_cast<std::int64_t>(blocks.size());
}

}  // namespace

Kernels unrolled(const Kernels& one_sweep, std::int64_t sweeps) {
  Kernels all = one_sweep;
  all.sweeps = sweeps;
  all.context.trees_by_event = true;
  all.context.cycle.clear();
  for (std::int64_t sweep = 0; sweep < sweeps; ++sweep)
    for (const optimize::Event& event : one_sweep.context.cycle) all.context.cycle.push_back({{}, event.changes});
  for (const graph::Output& output : one_sweep.graph.outputs) {
    const Turns turns = turns_of(timeline_of(one_sweep, output), sweeps);
    const std::int64_t in_sweep = std::max<std::int64_t>(1, turns.count / sweeps);
    std::vector<std::string>& names = all.turns[output.name];
    for (std::int64_t turn = 0; turn < turns.count; ++turn) {
      names.push_back(name_of_turn(output.name, turn, in_sweep));
      if (turn > 0) all.graph.outputs.push_back({names.back(), output.node});
    }
    for (std::size_t event = 0; event < turns.of_event.size(); ++event)
      if (turns.of_event[event] >= 0)
        all.context.cycle[event].outputs.push_back(names[static_cast<std::size_t>(turns.of_event[event])]);
  }
  return all;
}

std::int64_t sweeps_per_cycle(const Declared& d, const Kernels& one_sweep, const execute::Executor& executor,
                              const config::RunConfig& config) {
  if (config.plan.sweeps_per_cycle) return *config.plan.sweeps_per_cycle;
  const std::int64_t most = one_sweep.swept_objectives > 1 ? 1 : std::min(most_automatic_sweeps, block_count(one_sweep) - 1);
  std::vector<Forecast> forecasts;  // of 1, 2, ... sweeps
  for (std::int64_t sweeps = 1; sweeps <= most && most > 1; ++sweeps) {
    forecasts.push_back(forecast_of(unrolled(one_sweep, sweeps), d, executor, config));
    if (sweeps == 2 && forecasts[1].flops == forecasts[0].flops) return 1;  // no network gains from it
  }
  double least = std::numeric_limits<double>::infinity();
  for (const Forecast& forecast : forecasts) least = std::min(least, forecast.seconds);
  for (std::size_t k = 0; k < forecasts.size(); ++k)
    if (forecasts[k].seconds <= worthwhile * least) return static_cast<std::int64_t>(k) + 1;
  return 1;
}

}  // namespace tyto::session
