#include "plan/step_editing.hpp"
#include <algorithm>
#include <limits>

namespace tyto::plan {

using program::BufferId;
using program::Operation;
using program::StepId;

namespace {

std::size_t at(std::int32_t id) { return static_cast<std::size_t>(id); }

/// Sizes, scratch, dependencies and constants of steps that are in order.
void complete(program::Program& p, const device::Model& device) {
  p.constants.clear();
  for (StepId id = 0; id < static_cast<StepId>(p.steps.size()); ++id) {
    program::Step& step = p.steps[at(id)];
    step.flops = program::flops_of(step.operation, p.buffers);
    step.bytes = program::bytes_of(step.operation, p.buffers);
    step.scratch_bytes = device.scratch_bytes(step.operation, p.buffers);
    std::vector<program::LeafId> depends;
    for (const BufferId input : program::inputs_of(step.operation)) {
      const std::vector<program::LeafId>& of_input = p.buffers[at(input)].depends_on;
      depends.insert(depends.end(), of_input.begin(), of_input.end());
    }
    std::sort(depends.begin(), depends.end());
    depends.erase(std::unique(depends.begin(), depends.end()), depends.end());
    program::Buffer& out = p.buffers[at(program::output_of(step.operation))];
    out.storage = depends.empty() ? program::Storage::constant : program::Storage::arena;
    out.depends_on = std::move(depends);
    if (out.storage == program::Storage::constant) p.constants.push_back(id);
  }
}

/// All steps that a kernel needs.
void collect_steps(program::Kernel& kernel, const program::Program& p) {
  std::vector<char> wanted(p.buffers.size(), 0);
  wanted[at(kernel.output)] = 1;
  kernel.steps.clear();
  for (auto id = static_cast<StepId>(p.steps.size()); id-- > 0;) {
    const Operation& operation = p.steps[at(id)].operation;
    const BufferId out = program::output_of(operation);
    if (wanted[at(out)] == 0) continue;
    for (const BufferId input : program::inputs_of(operation)) wanted[at(input)] = 1;
    if (p.buffers[at(out)].storage == program::Storage::arena) kernel.steps.push_back(id);
  }
  std::reverse(kernel.steps.begin(), kernel.steps.end());
}

/// Takes away buffers of the arena that no step writes.
void drop_unused_buffers(program::Program& p) {
  std::vector<char> used(p.buffers.size(), 0);
  for (const program::Step& step : p.steps) used[at(program::output_of(step.operation))] = 1;
  std::vector<BufferId> renamed(p.buffers.size(), -1);
  std::vector<program::Buffer> kept;
  for (std::size_t b = 0; b < p.buffers.size(); ++b) {
    if (used[b] == 0 && p.buffers[b].storage != program::Storage::leaf) continue;
    renamed[b] = static_cast<BufferId>(kept.size());
    kept.push_back(std::move(p.buffers[b]));
  }
  p.buffers = std::move(kept);
  for (program::Step& step : p.steps) program::rename_buffers(step.operation, renamed);
  for (program::Kernel& kernel : p.kernels) kernel.output = renamed[at(kernel.output)];
}

}  // namespace

StepEditing::StepEditing(const Lowered& lowered, const FusionContext& context)
    : lowered_(lowered), context_(context), removed_(at(count()), 0), kept_(at(count()), 0) {
  makers_.assign(buffers().size(), -1), readers_.resize(buffers().size());
  for (StepId id = 0; id < count(); ++id) position_.push_back({id, 0}), note(id);
  for (const Evaluated& evaluated : simulated(lowered_.program, context.cycle, context.keeps_slices))
    if (!evaluated.computed.empty())
      for (const StepId step : evaluated.reused) kept_[at(step)] = 1;
}

const Operation& StepEditing::operation(StepId id) const { return lowered_.program.steps[at(id)].operation; }

StepId StepEditing::maker(BufferId id) const { return makers_[at(id)]; }

void StepEditing::note(StepId id) {
  makers_[at(program::output_of(operation(id)))] = id;
  for (const BufferId input : program::inputs_of(operation(id))) {
    std::vector<StepId>& readers = readers_[at(input)];
    if (std::find(readers.begin(), readers.end(), id) == readers.end()) readers.push_back(id);
  }
}

void StepEditing::forget(StepId id) {
  const BufferId out = program::output_of(operation(id));
  if (makers_[at(out)] == id) makers_[at(out)] = -1;
  for (const BufferId input : program::inputs_of(operation(id))) std::erase(readers_[at(input)], id);
}

bool StepEditing::is_removed(StepId id) const { return removed_[at(id)] != 0; }

bool StepEditing::is_repeated(StepId id) const {
  return !is_removed(id) && buffer(program::output_of(operation(id))).storage == program::Storage::arena;
}

bool StepEditing::is_output(BufferId id) const {
  const std::vector<program::Kernel>& kernels = lowered_.program.kernels;
  return std::any_of(kernels.begin(), kernels.end(), [id](const program::Kernel& kernel) { return kernel.output == id; });
}

bool StepEditing::is_inner(BufferId id, StepId reader) const {
  const StepId made_by = maker(id);
  if (made_by < 0 || !is_repeated(made_by) || kept_[at(made_by)] != 0 || is_output(id)) return false;
  return readers_[at(id)] == std::vector<StepId>{reader};
}

double StepEditing::seconds(const Operation& operation) const { return seconds(operation, buffers()); }

double StepEditing::seconds(const Operation& operation, const std::vector<program::Buffer>& buffers) const {
  if (context_.device.refuses(operation, buffers)) return std::numeric_limits<double>::infinity();
  return context_.device.seconds(operation, buffers);
}

void StepEditing::replace(StepId id, Operation operation) {
  is_changed_ = true;
  forget(id);
  lowered_.program.steps[at(id)].operation = std::move(operation);
  note(id);
}

void StepEditing::remove(StepId id) {
  is_changed_ = true;
  forget(id);
  removed_[at(id)] = 1;
}

void StepEditing::move_behind(StepId id, StepId other) {
  is_changed_ = true;
  const Position behind{position_[at(other)].slot, position_[at(other)].rank + 1};
  position_[at(id)] = std::max(position_[at(id)], behind);
}

void StepEditing::set_strides(BufferId id, const Extents& strides) {
  is_changed_ = true;
  lowered_.program.buffers[at(id)].strides = strides;
}

BufferId StepEditing::add_buffer(program::Buffer made) {
  lowered_.program.buffers.push_back(std::move(made));
  makers_.push_back(-1), readers_.emplace_back();
  return static_cast<BufferId>(lowered_.program.buffers.size()) - 1;
}

void StepEditing::take_part_of(StepId id, StepId other) {
  lowered_.step_nodes[at(id)] = lowered_.step_nodes[at(other)];
  kept_[at(id)] = kept_[at(other)];
}

Lowered StepEditing::finished() const {
  std::vector<StepId> order;
  for (StepId id = 0; id < count(); ++id) {
    const BufferId out = program::output_of(operation(id));
    const bool is_used = is_repeated(id) || is_output(out) || !readers_[at(out)].empty();
    if (!is_removed(id) && is_used) order.push_back(id);
  }
  if (!is_changed_ && static_cast<StepId>(order.size()) == count()) return lowered_;  // costs and scratch are known
  std::stable_sort(order.begin(), order.end(), [&](StepId a, StepId b) { return position_[at(a)] < position_[at(b)]; });
  Lowered result = lowered_;
  result.program.steps.clear(), result.step_nodes.clear();
  for (const StepId id : order) {
    result.program.steps.push_back(lowered_.program.steps[at(id)]);
    result.step_nodes.push_back(lowered_.step_nodes[at(id)]);
  }
  drop_unused_buffers(result.program);
  complete(result.program, context_.device);
  for (program::Kernel& kernel : result.program.kernels) collect_steps(kernel, result.program);
  return result;
}

}  // namespace tyto::plan
