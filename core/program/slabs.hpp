#pragma once
/// One step on a slab of its operands: some positions of a label, as an operation on views.
#include <optional>
#include "program/program.hpp"

namespace tyto::program {

/// The axis of the label in each operand of a step; -1: the operand lacks it and is whole in every slab.
struct SlabAxes {
  std::int32_t out = -1;
  std::vector<std::int32_t> inputs;  ///< as inputs_of() lists them
};
/// Nothing if the step cannot run slab by slab along the label: it is no contraction or elementwise step, an operand has the label
/// twice, the output lacks it and cannot go on summing, or what is formed once would be formed in every slab.
std::optional<SlabAxes> slab_axes(const Operation&, einsum::Label, const std::vector<Buffer>&);

/// Operations on slabs, and the views that they name.
class SlabViews {
 public:
  explicit SlabViews(std::vector<Buffer> buffers) : buffers_(std::move(buffers)), count_(buffers_.size()) {}

  /// The step on `positions` of the label, for which slab_axes() has an answer. Where the output lacks the label, every slab but
  /// the first adds to what the output holds: `goes_on`.
  Operation slab(const Operation&, einsum::Label, std::int64_t positions, bool goes_on);

  /// Those given, then views.
  const std::vector<Buffer>& buffers() const { return buffers_; }
  /// What a buffer is a view of, and the elements from one position of the label to the next: 0 if it is no view.
  struct Origin {
    BufferId whole = -1;
    std::int64_t step = 0;
  };
  Origin origin(BufferId) const;

 private:
  BufferId view(BufferId whole, std::int32_t axis, std::int64_t positions);
  std::vector<Buffer> buffers_;
  std::size_t count_;
  std::vector<Origin> origins_;  // of the views
};

}  // namespace tyto::program
