#pragma once
/// Runs kernels of a program, doing only what is needed: every value remembers the versions of the leaves it was computed from and
/// is used again exactly when they all match and nothing has overwritten its memory.
#include <memory>
#include <vector>
#include "execute/executor.hpp"

namespace tyto::execute {

class Evaluation {
 public:
  /// The instance must be loaded with this program.
  Evaluation(std::shared_ptr<const program::Program>, std::unique_ptr<Instance>);

  /// Binds memory to a leaf and moves its version on.
  void bind(program::LeafId, const Array&);
  /// The contents of a leaf have changed.
  void touch(program::LeafId);
  /// Brings the output of a kernel up to date. Allocates nothing. The values are valid until the next run.
  const ConstArray& run(std::int32_t kernel);
  /// True if `run` would do nothing.
  bool is_current(std::int32_t kernel) const;
  /// Grows whenever a leaf that the output of a kernel depends on changes.
  std::int64_t version(std::int32_t kernel) const;
  const Counts& counts() const { return instance_->counts(); }
  const program::Program& program() const { return *program_; }

 private:
  /// One step as it stands in one kernel.
  struct Position {
    program::StepId step = -1;
    bool overwritten = false;  ///< another step of the kernel, before the last use of this one's value, writes over it
    bool needed = false;       ///< scratch of run()
  };
  std::vector<Position> positions_of(const program::Kernel&) const;
  bool overlap(program::BufferId, program::BufferId) const;
  bool current(program::BufferId) const;
  void decide(std::vector<Position>&, program::BufferId output);
  void execute(program::StepId);

  std::shared_ptr<const program::Program> program_;
  std::unique_ptr<Instance> instance_;
  std::vector<std::int64_t> leaf_version_;
  std::vector<std::int64_t> stamp_;  ///< per buffer: versions of its leaves when written, flattened; see stamp_start_
  std::vector<std::int32_t> stamp_start_;
  std::vector<char> valid_;                             ///< per buffer: written and not overwritten
  std::vector<char> wanted_;                            ///< per buffer, scratch of run()
  std::vector<program::BufferId> output_;               ///< per step
  std::vector<std::vector<program::BufferId>> inputs_;  ///< per step
  std::vector<std::vector<Position>> kernels_;
};

}  // namespace tyto::execute
