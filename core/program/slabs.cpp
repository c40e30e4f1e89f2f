#include "program/slabs.hpp"
#include <algorithm>
#include "error/fail.hpp"

namespace tyto::program {
namespace {

bool is_distinct(einsum::Labels labels) {
  std::sort(labels.begin(), labels.end());
  return std::adjacent_find(labels.begin(), labels.end()) == labels.end();
}

std::int32_t axis_of(const Operand& operand, einsum::Label label) {
  const auto found = std::find(operand.labels.begin(), operand.labels.end(), label);
  return found == operand.labels.end() ? -1 : static_cast<std::int32_t>(found - operand.labels.begin());
}

/// Nothing if an operand has the label twice, or none but the output has it.
std::optional<SlabAxes> axes_of(const std::vector<Operand>& inputs, const Operand& out, einsum::Label label) {
  SlabAxes axes{axis_of(out, label), {}};
  bool is_read = false;
  for (const Operand& input : inputs) {
    if (std::count(input.labels.begin(), input.labels.end(), label) > 1) return std::nullopt;
    axes.inputs.push_back(axis_of(input, label));
    is_read = is_read || axes.inputs.back() >= 0;
  }
  if (!is_read || !is_distinct(out.labels)) return std::nullopt;
  return axes;
}

std::optional<SlabAxes> axes_of(const Contraction& contraction, einsum::Label label, const std::vector<Buffer>& buffers) {
  std::optional<SlabAxes> axes = axes_of(contraction.inputs, contraction.out, label);
  if (!is_ordinary(contraction.pair) || !axes) return std::nullopt;
  const Dtype type = buffers[static_cast<std::size_t>(contraction.out.buffer)].dtype;
  if (axes->out < 0 && type != Dtype::f32 && type != Dtype::f64) return std::nullopt;
  const auto first_factor = axes->inputs.end() - contraction.factors;
  if (contraction.factors > 0 && std::all_of(first_factor, axes->inputs.end(), [](std::int32_t axis) { return axis < 0; }))
    return std::nullopt;
  if (contraction.addend >= 0) axes->inputs.push_back(axes->out);
  return axes;
}

}  // namespace

std::optional<SlabAxes> slab_axes(const Operation& operation, einsum::Label label, const std::vector<Buffer>& buffers) {
  if (const auto* contraction = std::get_if<Contraction>(&operation)) return axes_of(*contraction, label, buffers);
  const auto* elementwise = std::get_if<Elementwise>(&operation);
  if (elementwise == nullptr || axis_of(elementwise->out, label) < 0) return std::nullopt;
  return axes_of(elementwise->inputs, elementwise->out, label);
}

BufferId SlabViews::view(BufferId whole, std::int32_t axis, std::int64_t positions) {
  if (axis < 0) return whole;
  Buffer made = buffers_[static_cast<std::size_t>(whole)];
  made.extents[static_cast<std::size_t>(axis)] = positions;
  origins_.push_back({whole, made.strides[static_cast<std::size_t>(axis)]});
  buffers_.push_back(std::move(made));
  return static_cast<BufferId>(buffers_.size()) - 1;
}

SlabViews::Origin SlabViews::origin(BufferId id) const {
  const auto at = static_cast<std::size_t>(id);
  return at < count_ ? Origin{id, 0} : origins_[at - count_];
}

Operation SlabViews::slab(const Operation& operation, einsum::Label label, std::int64_t positions, bool goes_on) {
  const std::optional<SlabAxes> axes = slab_axes(operation, label, buffers_);
  TYTO_ASSERT(axes);
  Operation made = operation;
  const auto look_through = [&](auto& step) {
    for (std::size_t k = 0; k < step.inputs.size(); ++k)
      step.inputs[k].buffer = view(step.inputs[k].buffer, axes->inputs[k], positions);
    step.out.buffer = view(step.out.buffer, axes->out, positions);
  };
  if (auto* contraction = std::get_if<Contraction>(&made)) {
    look_through(*contraction);
    if (contraction->addend >= 0) contraction->addend = view(contraction->addend, axes->out, positions);
    if (goes_on && axes->out < 0) contraction->addend = contraction->out.buffer, contraction->addend_scale = 1;
  } else {
    look_through(std::get<Elementwise>(made));
  }
  return made;
}

}  // namespace tyto::program
