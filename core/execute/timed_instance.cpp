// The clock around each step.
#include "execute/timed_instance.hpp"
#include <ctime>

namespace tyto::execute {

namespace {

template <class Run>
double seconds_of(Clock clock, Run run) {
  const double start = now(clock);
  run();
  return now(clock) - start;
}

}  // namespace

double now(Clock clock) {
  timespec time{};
  clock_gettime(clock == Clock::thread ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void TimedInstance::run(program::StepId step) {
  const double seconds = seconds_of(clock_, [&] { timed_->run(step); });
  record_.push_back({step, seconds});
}

void TimedInstance::run_slabs(const program::Program& program, std::size_t slabs) {
  const std::vector<program::StepId>& steps = program.slabs[slabs].steps;
  const double seconds = seconds_of(clock_, [&] { timed_->run_slabs(program, slabs); });
  const auto flops = [&](program::StepId step) { return static_cast<double>(program.steps[static_cast<std::size_t>(step)].flops); };
  double all = 0;
  for (const program::StepId step : steps) all += flops(step);
  for (const program::StepId step : steps) record_.push_back({step, all > 0 ? seconds * flops(step) / all : 0});
}

}  // namespace tyto::execute
