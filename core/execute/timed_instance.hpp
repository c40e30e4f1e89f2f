#pragma once
/// An instance that keeps a record of how long each of its steps took.
#include "execute/executor.hpp"

namespace tyto::execute {

/// What time is: that of the wall, or of the processor in the calling thread, which other processes do not lengthen but which
/// misses what other threads do.
enum class Clock : std::int8_t { wall, thread };
/// Seconds since some moment in the past.
double now(Clock);

/// Seconds of one step, in the order in which steps ran.
struct StepTime {
  program::StepId step = -1;
  double seconds = 0;
};

class TimedInstance final : public Instance {
 public:
  /// Adds to `record`, which outlives the instance.
  TimedInstance(std::unique_ptr<Instance> timed, Clock clock, std::vector<StepTime>& record)
      : timed_(std::move(timed)), clock_(clock), record_(record) {}
  void bind(program::LeafId leaf, const Array& array) override { timed_->bind(leaf, array); }
  void run(program::StepId) override;
  /// The time of all steps, divided among them by their flops.
  void run_slabs(const program::Program&, std::size_t slabs) override;
  const ConstArray& value(program::BufferId buffer) const override { return timed_->value(buffer); }
  const Counts& counts() const override { return timed_->counts(); }

 private:
  std::unique_ptr<Instance> timed_;
  Clock clock_;
  std::vector<StepTime>& record_;
};

}  // namespace tyto::execute
