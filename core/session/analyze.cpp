/// The cycle of the plan, replayed under a clock.
#include "session/analyze.hpp"
#include <algorithm>
#include <chrono>
#include "execute/evaluation.hpp"
#include "execute/timed_instance.hpp"
#include "solve/start.hpp"

namespace tyto::session {
namespace {

constexpr std::size_t fewest_cycles = 3, most_cycles = 25;
constexpr double enough = 1;  // seconds for all cycles

using Times = std::vector<std::vector<double>>;  // by evaluation and step

/// One thread alone is not disturbed by what else runs on the machine.
execute::Clock clock_of(const Prepared& p) {
  return p.declared.setup.options.threads == 1 ? execute::Clock::thread : execute::Clock::wall;
}

class Replay {
 public:
  explicit Replay(const Prepared& p)
      : plan_(p.plan),
        events_(p.kernels.context.cycle),
        state_(p.declared.setup.tensors, p.declared.setup.precision),
        evaluation_(p.plan.program, std::make_unique<execute::TimedInstance>(
                                        p.executor->load(p.plan.program, p.declared.setup.options), clock_of(p), record_)) {
    const std::vector<solve::Tensor>& tensors = p.declared.setup.tensors;
    solve::fill_start(tensors, state_, static_cast<std::uint64_t>(p.config.solver.seed), nullptr);
    for (std::size_t k = 0; k < tensors.size(); ++k)
      if (tensors[k].leaf >= 0) evaluation_.bind(tensors[k].leaf, state_.array(static_cast<std::int32_t>(k)));
  }

  Times cycle() {
    Times times(plan_.cycle.size());
    for (std::size_t event = 0; event < events_.size(); ++event) {
      for (std::size_t k = 0; k < plan_.cycle.size(); ++k)
        if (plan_.cycle[k].event == static_cast<std::int32_t>(event)) times[k] = evaluate(plan_.cycle[k]);
      const program::LeafId leaf = events_[event].changes < 0 ? -1 : plan_.leaf(events_[event].changes);
      if (leaf >= 0) evaluation_.touch(leaf);
    }
    return times;
  }

 private:
  std::vector<double> evaluate(const plan::Evaluated& evaluated) {
    record_.clear();
    evaluation_.run(plan_.outputs[static_cast<std::size_t>(evaluated.output)].kernel);
    std::vector<double> seconds;
    for (const program::StepId step : evaluated.computed) {
      const auto ran =
          std::find_if(record_.begin(), record_.end(), [step](const execute::StepTime& one) { return one.step == step; });
      seconds.push_back(ran == record_.end() ? 0 : ran->seconds);
    }
    return seconds;
  }

  const plan::Plan& plan_;
  const std::vector<optimize::Event>& events_;
  solve::State state_;
  std::vector<execute::StepTime> record_;  ///< before the evaluation, which writes into it
  execute::Evaluation evaluation_;
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// What the clock itself adds to the time of a step.
double clock_seconds(execute::Clock clock) {
  std::vector<double> values;
  for (int k = 0; k < 101; ++k) {
    const double start = execute::now(clock);
    values.push_back(execute::now(clock) - start);
  }
  return median(std::move(values));
}

}  // namespace

std::vector<std::vector<double>> measured_cycle(const Prepared& p) {
  Replay replay(p);
  replay.cycle();  // what is kept from the cycle before, and first touches of memory
  std::vector<Times> cycles;
  const auto start = std::chrono::steady_clock::now();
  const auto spent = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  while (cycles.size() < fewest_cycles || (cycles.size() < most_cycles && spent() < enough)) cycles.push_back(replay.cycle());
  const double clock = clock_seconds(clock_of(p));
  Times medians = cycles.front();
  for (std::size_t k = 0; k < medians.size(); ++k) {
    for (std::size_t step = 0; step < medians[k].size(); ++step) {
      std::vector<double> values;
      for (const Times& one : cycles) values.push_back(one[k][step]);
      medians[k][step] = std::max(median(std::move(values)) - clock, 0.0);
    }
  }
  return medians;
}

}  // namespace tyto::session
