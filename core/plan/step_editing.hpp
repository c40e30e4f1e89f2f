#pragma once
/// The steps of a lowered program while some of them become one: who makes and reads each value, what must stay, what it costs.
#include "plan/fuse.hpp"

namespace tyto::plan {

class StepEditing {
 public:
  StepEditing(const Lowered&, const FusionContext&);

  program::StepId count() const { return static_cast<program::StepId>(lowered_.program.steps.size()); }
  const program::Operation& operation(program::StepId) const;
  const std::vector<program::Buffer>& buffers() const { return lowered_.program.buffers; }
  const program::Buffer& buffer(program::BufferId id) const { return lowered_.program.buffers[static_cast<std::size_t>(id)]; }
  /// -1 of a leaf.
  program::StepId maker(program::BufferId) const;
  bool is_removed(program::StepId) const;
  /// Whether the step writes to the arena each time, rather than once a constant.
  bool is_repeated(program::StepId) const;
  /// Whether nobody but this step reads the value, no output is it, and it is never there from before when the step runs.
  bool is_inner(program::BufferId, program::StepId reader) const;
  /// As the device model predicts; infinite for what the device refuses. With other buffers where they are to change.
  double seconds(const program::Operation&) const;
  double seconds(const program::Operation&, const std::vector<program::Buffer>&) const;

  void replace(program::StepId, program::Operation);
  void remove(program::StepId);
  /// Runs directly behind another step from now on. The steps between must not read what it writes.
  void move_behind(program::StepId, program::StepId other);
  void set_strides(program::BufferId, const Extents& strides);
  program::BufferId add_buffer(program::Buffer);
  /// The step now computes the value of another: its node, and kept where that is kept.
  void take_part_of(program::StepId, program::StepId other);

  /// The program with numbers, sizes, dependencies, constants and kernels in order again; without what nobody reads any more.
  Lowered finished() const;

 private:
  /// Steps are ordered by these, then by their numbers.
  struct Position {
    std::int32_t slot = 0, rank = 0;
    auto operator<=>(const Position&) const = default;
  };
  bool is_output(program::BufferId) const;
  void note(program::StepId);
  void forget(program::StepId);

  Lowered lowered_;
  const FusionContext& context_;
  std::vector<program::StepId> makers_;                ///< per buffer
  std::vector<std::vector<program::StepId>> readers_;  ///< per buffer, each step once
  std::vector<Position> position_;
  std::vector<char> removed_, kept_;  ///< per step; kept: its value is current somewhere in the cycle when it is read
  bool is_changed_ = false;           ///< by anything but steps that are not used
};

}  // namespace tyto::plan
