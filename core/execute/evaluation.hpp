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
  /// To be called before run() of these kernels, one after the other, and no change between: brings up to date those of them that
  /// the program joins, as one run of steps.
  void run_joined(const std::vector<std::int32_t>& kernels);
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
  /// What runs as one: the steps of a kernel or of joined ones.
  struct Sequence {
    std::vector<Position> positions;
    std::vector<program::BufferId> outputs;
  };
  Sequence sequence_of(const std::vector<program::StepId>&, std::vector<program::BufferId> outputs) const;
  bool overlap(program::BufferId, program::BufferId) const;
  bool current(program::BufferId) const;
  void run(Sequence&);
  void decide(Sequence&);
  /// How many steps from here on run as one slab by slab; 0 if this one runs by itself.
  std::size_t slabs_at(const Sequence&, std::size_t position) const;
  void begin_writing(program::StepId);
  void end_writing(program::StepId);

  std::shared_ptr<const program::Program> program_;
  std::unique_ptr<Instance> instance_;
  std::vector<std::int64_t> leaf_version_;
  std::vector<std::int64_t> stamp_;  ///< per buffer: versions of its leaves when written, flattened; see stamp_start_
  std::vector<std::int32_t> stamp_start_;
  std::vector<char> valid_;                             ///< per buffer: written and not overwritten
  std::vector<char> wanted_;                            ///< per buffer, scratch of run()
  std::vector<program::BufferId> output_;               ///< per step
  std::vector<std::vector<program::BufferId>> inputs_;  ///< per step
  std::vector<std::int32_t> slabs_;                     ///< per step, -1: none
  std::vector<Sequence> kernels_, joined_;
};

}  // namespace tyto::execute
