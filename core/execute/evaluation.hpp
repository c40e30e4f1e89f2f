#pragma once
/// Runs kernels of a program, doing only what is needed: a value is used again exactly when no leaf that it depends on has changed
/// since it was made, and nothing has been written over it.
#include <memory>
#include <span>
#include <vector>
#include "execute/executor.hpp"
#include "execute/occupancy.hpp"
#include "tensor/dense.hpp"

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
  bool is_current(std::int32_t kernel);
  /// Grows whenever a leaf that the output of a kernel depends on changes.
  std::int64_t version(std::int32_t kernel) const;
  /// The values in the arena that are up to date, by buffer: none where each has the same bits whenever it is computed, which only
  /// sums over slabs spoil. See docs/decisions/0026-slabs.md.
  std::vector<std::pair<program::BufferId, tensor::Dense>> kept_values();
  /// Puts them back and forgets all others, once all leaves have the values that they had then.
  void restore(const std::vector<std::pair<program::BufferId, tensor::Dense>>&);
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
  std::span<const program::BufferId> inputs_of(program::StepId) const;
  bool overlap(program::BufferId, program::BufferId) const;
  bool is_arena(program::BufferId) const;
  /// Given that changed_ is right.
  bool current(program::BufferId) const;
  void update_changed(const Sequence&);
  void run(Sequence&);
  void decide(Sequence&);
  /// How many steps from here on run as one slab by slab; 0 if this one runs by itself.
  std::size_t slabs_at(const Sequence&, std::size_t position) const;
  void end_writing(program::StepId);

  std::shared_ptr<const program::Program> program_;
  std::unique_ptr<Instance> instance_;
  Occupancy occupancy_;
  std::int64_t now_ = 1;                                      ///< counts changes of leaves
  std::vector<std::int64_t> leaf_version_;                    ///< per leaf: how often it has changed
  std::vector<std::vector<program::BufferId>> leaf_buffers_;  ///< per leaf: those that view it
  std::vector<std::int64_t> changed_;                         ///< per buffer: when a leaf that it depends on last changed
  std::vector<std::int64_t> made_;                            ///< per buffer: when it was last written
  std::vector<char> wanted_;                                  ///< per buffer, scratch of run()
  std::vector<program::BufferId> output_;                     ///< per step
  std::vector<program::BufferId> inputs_;                     ///< of all steps, one after the other
  std::vector<std::size_t> inputs_end_;                       ///< per step: past its last
  std::vector<std::int32_t> slabs_;                           ///< per step, -1: none
  std::vector<Sequence> kernels_, joined_;
};

}  // namespace tyto::execute
