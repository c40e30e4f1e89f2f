#pragma once
/// One step on memory of its own, to be run and timed: how the rates of a machine are measured, and how the device model is judged.
#include <functional>
#include <optional>
#include "execute/cpu/prepared_step.hpp"

namespace tyto::execute::cpu {

/// Seconds of processor time of this thread.
double thread_seconds();
/// The median over several batches of runs, in seconds a run. Batches are long against the clock; `budget` is for all of them, in
/// seconds, but there are at least three.
double median_seconds(const std::function<void()>& run, double budget);

/// An operation, and the buffers it names. All of them lie in the arena of the trial.
struct Sample {
  program::Operation operation;
  std::vector<program::Buffer> buffers;
};
/// out = einsum of two operands, or of one where `right` is empty, row-major, from letters: ("ik", "kj", "ij", {{'i', 20}, ...}).
Sample sample_contraction(const std::string& out, const std::string& left, const std::string& right,
                          const std::vector<std::pair<char, std::int64_t>>& extents, Dtype type = Dtype::f64);

class Trial {
 public:
  /// As the executor would run it with these rates; operands hold numbers near 1.
  Trial(Sample, const Rates&);
  /// As the executor would run it if there were no other class; nothing if that class does not apply.
  static std::optional<Trial> of_class(Sample, const Rates&, ContractionClass);

  void run() { step_->run(*memory_, spare_, *workers_, counts_); }
  double measured(double budget) {
    return median_seconds([this] { run(); }, budget);
  }
  /// What the device model says of this step, run as it is run here.
  double predicted(const Rates&) const;
  std::string kernel_class() const;
  double flops() const { return static_cast<double>(program::flops_of(sample_.operation, sample_.buffers)); }

 private:
  Trial(Sample, const Rates&, std::optional<ContractionPlan>);
  Sample sample_;
  std::optional<ContractionPlan> plan_;  ///< of a contraction with a kernel
  std::unique_ptr<HostMemory> memory_;
  SpareRoom spare_;
  std::unique_ptr<Workers> workers_ = std::make_unique<Workers>(1, 0);
  std::unique_ptr<PreparedStep> step_;
  Counts counts_;
};

}  // namespace tyto::execute::cpu
