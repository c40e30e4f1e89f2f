// When leaves changed and values were made, and the walk backwards that decides what runs.
#include "execute/evaluation.hpp"
#include <algorithm>
#include "error/fail.hpp"

namespace tyto::execute {
namespace {

std::size_t at(std::int32_t id) { return static_cast<std::size_t>(id); }

}  // namespace

Evaluation::Evaluation(std::shared_ptr<const program::Program> program, std::unique_ptr<Instance> instance)
    : program_(std::move(program)),
      instance_(std::move(instance)),
      occupancy_(program_->buffers),
      leaf_version_(program_->leaves.size(), 0),
      leaf_buffers_(program_->leaves.size()),
      changed_(program_->buffers.size(), 0),
      made_(program_->buffers.size(), 0),
      wanted_(program_->buffers.size(), 0) {
  for (std::size_t b = 0; b < program_->buffers.size(); ++b)
    if (const program::LeafId leaf = program_->buffers[b].leaf; leaf >= 0)
      leaf_buffers_[at(leaf)].push_back(static_cast<program::BufferId>(b));
  for (const program::Step& step : program_->steps) {
    output_.push_back(program::output_of(step.operation));
    const std::vector<program::BufferId> inputs = program::inputs_of(step.operation);
    inputs_.insert(inputs_.end(), inputs.begin(), inputs.end());
    inputs_end_.push_back(inputs_.size());
  }
  slabs_.assign(program_->steps.size(), -1);
  for (std::size_t k = 0; k < program_->slabs.size(); ++k)
    for (const program::StepId step : program_->slabs[k].steps) slabs_[at(step)] = static_cast<std::int32_t>(k);
  for (const program::Kernel& kernel : program_->kernels) kernels_.push_back(sequence_of(kernel.steps, {kernel.output}));
  for (const program::Joined& joined : program_->joined) {
    std::vector<program::BufferId> outputs;
    for (const std::int32_t kernel : joined.kernels) outputs.push_back(program_->kernels[at(kernel)].output);
    joined_.push_back(sequence_of(joined.steps, std::move(outputs)));
  }
}

std::span<const program::BufferId> Evaluation::inputs_of(program::StepId step) const {
  const std::size_t first = step == 0 ? 0 : inputs_end_[at(step) - 1];
  return std::span(inputs_).subspan(first, inputs_end_[at(step)] - first);
}

bool Evaluation::is_arena(program::BufferId id) const { return program_->buffers[at(id)].storage == program::Storage::arena; }

bool Evaluation::overlap(program::BufferId a, program::BufferId b) const {
  const std::vector<program::BufferId>& others = program_->buffers[at(a)].overlaps;
  return std::find(others.begin(), others.end(), b) != others.end();
}

Evaluation::Sequence Evaluation::sequence_of(const std::vector<program::StepId>& steps,
                                             std::vector<program::BufferId> outputs) const {
  const std::size_t count = steps.size();
  Sequence sequence{std::vector<Position>(count), std::move(outputs)};
  for (std::size_t p = 0; p < count; ++p) {
    const program::BufferId value = output_[at(steps[p])];
    const bool is_output = std::find(sequence.outputs.begin(), sequence.outputs.end(), value) != sequence.outputs.end();
    std::size_t last_use = is_output ? count : p;
    for (std::size_t q = p + 1; q < count && !is_output; ++q) {
      const std::span<const program::BufferId> used = inputs_of(steps[q]);
      if (std::find(used.begin(), used.end(), value) != used.end()) last_use = q;
    }
    Position& position = sequence.positions[p];
    position.step = steps[p];
    for (std::size_t q = 0; q < last_use; ++q)
      position.overwritten = position.overwritten || (q != p && overlap(value, output_[at(steps[q])]));
  }
  return sequence;
}

void Evaluation::bind(program::LeafId leaf, const Array& array) {
  instance_->bind(leaf, array);
  touch(leaf);
}

void Evaluation::touch(program::LeafId leaf) {
  ++leaf_version_[at(leaf)];
  ++now_;
  for (const program::BufferId view : leaf_buffers_[at(leaf)]) changed_[at(view)] = now_;
}

bool Evaluation::current(program::BufferId id) const {
  return !is_arena(id) || (made_[at(id)] >= changed_[at(id)] && occupancy_.holds(id));
}

std::int64_t Evaluation::version(std::int32_t kernel) const {
  std::int64_t sum = 0;
  for (const program::LeafId leaf : program_->buffers[at(program_->kernels[at(kernel)].output)].depends_on)
    sum += leaf_version_[at(leaf)];
  return sum;
}

bool Evaluation::is_current(std::int32_t kernel) {
  update_changed(kernels_[at(kernel)]);
  return current(program_->kernels[at(kernel)].output);
}

const ConstArray& Evaluation::run(std::int32_t kernel) {
  if (!is_current(kernel)) run(kernels_[at(kernel)]);
  return instance_->value(program_->kernels[at(kernel)].output);
}

/// In the order of the steps, so that each finds its inputs up to date.
void Evaluation::update_changed(const Sequence& sequence) {
  for (const Position& position : sequence.positions) {
    std::int64_t last = 0;
    for (const program::BufferId input : inputs_of(position.step)) last = std::max(last, changed_[at(input)]);
    changed_[at(output_[at(position.step)])] = last;
  }
}

void Evaluation::run_joined(const std::vector<std::int32_t>& kernels) {
  for (std::size_t k = 0; k < joined_.size(); ++k) {
    const std::vector<std::int32_t>& joined = program_->joined[k].kernels;
    const auto is_asked = [&](std::int32_t kernel) { return std::find(kernels.begin(), kernels.end(), kernel) != kernels.end(); };
    if (!std::all_of(joined.begin(), joined.end(), is_asked)) continue;
    update_changed(joined_[k]);
    run(joined_[k]);
  }
}

void Evaluation::run(Sequence& sequence) {
  decide(sequence);
  const std::vector<Position>& positions = sequence.positions;
  for (std::size_t p = 0; p < positions.size();) {
    const std::size_t count = slabs_at(sequence, p);
    const auto first = positions.begin() + static_cast<std::ptrdiff_t>(p);
    p += std::max<std::size_t>(count, 1);
    if (count == 0 && !first->needed) continue;
    const auto last = first + static_cast<std::ptrdiff_t>(std::max<std::size_t>(count, 1));
    std::for_each(first, last, [&](const Position& position) { occupancy_.clear(output_[at(position.step)]); });
    if (count == 0) instance_->run(first->step);
    else instance_->run_slabs(*program_, at(slabs_[at(first->step)]));
    std::for_each(first, last, [&](const Position& position) { end_writing(position.step); });
  }
  for (const program::BufferId output : sequence.outputs) TYTO_ASSERT(current(output));
}

/// Given that changed_ is right. Backwards from the outputs: a step is needed if its value is wanted, and not there or not there
/// for long enough.
void Evaluation::decide(Sequence& sequence) {
  std::fill(wanted_.begin(), wanted_.end(), char{0});
  for (const program::BufferId output : sequence.outputs) wanted_[at(output)] = 1;
  for (std::size_t p = sequence.positions.size(); p-- > 0;) {
    Position& position = sequence.positions[p];
    const program::BufferId value = output_[at(position.step)];
    position.needed = wanted_[at(value)] != 0 && (position.overwritten || !current(value));
    if (!position.needed) continue;
    for (const program::BufferId input : inputs_of(position.step)) wanted_[at(input)] = 1;
  }
}

std::size_t Evaluation::slabs_at(const Sequence& sequence, std::size_t position) const {
  const std::int32_t slabs = slabs_[at(sequence.positions[position].step)];
  if (slabs < 0) return 0;
  const std::vector<program::StepId>& steps = program_->slabs[at(slabs)].steps;
  if (position + steps.size() > sequence.positions.size()) return 0;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const Position& member = sequence.positions[position + k];
    if (member.step != steps[k] || !member.needed) return 0;
  }
  return steps.size();
}

std::vector<std::pair<program::BufferId, tensor::Dense>> Evaluation::kept_values() {
  std::vector<std::pair<program::BufferId, tensor::Dense>> kept;
  if (program_->slabs.empty()) return kept;
  for (const Sequence& sequence : kernels_) update_changed(sequence);
  for (program::BufferId b = 0; b < static_cast<program::BufferId>(made_.size()); ++b)
    if (is_arena(b) && current(b)) kept.emplace_back(b, tensor::Dense::copy(instance_->value(b)));
  return kept;
}

void Evaluation::restore(const std::vector<std::pair<program::BufferId, tensor::Dense>>& kept) {
  for (program::BufferId b = 0; b < static_cast<program::BufferId>(made_.size()); ++b)
    if (is_arena(b)) occupancy_.clear(b);
  for (const auto& [buffer, values] : kept) {
    const ConstArray& place = instance_->value(buffer);
    tensor::copy_to(values.view(), Array(const_cast<void*>(place.data), place.dtype, place.extents, place.strides));
    occupancy_.fill(buffer);
    made_[at(buffer)] = now_;
  }
}

void Evaluation::end_writing(program::StepId step) {
  const program::BufferId out = output_[at(step)];
  occupancy_.fill(out);
  made_[at(out)] = now_;
}

}  // namespace tyto::execute
