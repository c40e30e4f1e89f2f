// Stamps, and the walk backwards that decides what runs.
#include "execute/evaluation.hpp"
#include <algorithm>
#include "error/fail.hpp"

namespace tyto::execute {
namespace {

std::size_t at(std::int32_t id) { return static_cast<std::size_t>(id); }

}  // namespace

Evaluation::Evaluation(std::shared_ptr<const program::Program> program, std::unique_ptr<Instance> instance)
    : program_(std::move(program)), instance_(std::move(instance)) {
  leaf_version_.assign(program_->leaves.size(), 1);
  std::int32_t stamps = 0;
  for (const program::Buffer& buffer : program_->buffers) {
    stamp_start_.push_back(stamps);
    stamps += static_cast<std::int32_t>(buffer.depends_on.size());
  }
  stamp_.assign(at(stamps), 0);
  valid_.assign(program_->buffers.size(), 0);
  wanted_.assign(program_->buffers.size(), 0);
  for (const program::Step& step : program_->steps) {
    output_.push_back(program::output_of(step.operation));
    inputs_.push_back(program::inputs_of(step.operation));
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
      const std::vector<program::BufferId>& used = inputs_[at(steps[q])];
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

void Evaluation::touch(program::LeafId leaf) { ++leaf_version_[at(leaf)]; }

bool Evaluation::current(program::BufferId id) const {
  const program::Buffer& buffer = program_->buffers[at(id)];
  if (buffer.storage != program::Storage::arena) return true;
  if (valid_[at(id)] == 0) return false;
  const auto start = at(stamp_start_[at(id)]);
  for (std::size_t k = 0; k < buffer.depends_on.size(); ++k)
    if (stamp_[start + k] != leaf_version_[at(buffer.depends_on[k])]) return false;
  return true;
}

bool Evaluation::is_current(std::int32_t kernel) const { return current(program_->kernels[at(kernel)].output); }

std::int64_t Evaluation::version(std::int32_t kernel) const {
  std::int64_t sum = 0;
  for (const program::LeafId leaf : program_->buffers[at(program_->kernels[at(kernel)].output)].depends_on)
    sum += leaf_version_[at(leaf)];
  return sum;
}

const ConstArray& Evaluation::run(std::int32_t kernel) {
  const program::BufferId output = program_->kernels[at(kernel)].output;
  if (!current(output)) run(kernels_[at(kernel)]);
  return instance_->value(output);
}

void Evaluation::run_joined(const std::vector<std::int32_t>& kernels) {
  for (std::size_t k = 0; k < joined_.size(); ++k) {
    const std::vector<std::int32_t>& joined = program_->joined[k].kernels;
    const auto is_asked = [&](std::int32_t kernel) { return std::find(kernels.begin(), kernels.end(), kernel) != kernels.end(); };
    if (std::all_of(joined.begin(), joined.end(), is_asked)) run(joined_[k]);
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
    std::for_each(first, last, [&](const Position& position) { begin_writing(position.step); });
    if (count == 0) instance_->run(first->step);
    else instance_->run_slabs(*program_, at(slabs_[at(first->step)]));
    std::for_each(first, last, [&](const Position& position) { end_writing(position.step); });
  }
  for (const program::BufferId output : sequence.outputs) TYTO_ASSERT(current(output));
}

/// Backwards from the outputs: a step is needed if its value is wanted, and not there or not there for long enough.
void Evaluation::decide(Sequence& sequence) {
  std::fill(wanted_.begin(), wanted_.end(), char{0});
  for (const program::BufferId output : sequence.outputs) wanted_[at(output)] = 1;
  for (std::size_t p = sequence.positions.size(); p-- > 0;) {
    Position& position = sequence.positions[p];
    const program::BufferId value = output_[at(position.step)];
    position.needed = wanted_[at(value)] != 0 && (position.overwritten || !current(value));
    if (!position.needed) continue;
    for (const program::BufferId input : inputs_[at(position.step)]) wanted_[at(input)] = 1;
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

void Evaluation::begin_writing(program::StepId step) {
  const program::BufferId out = output_[at(step)];
  valid_[at(out)] = 0;
  for (const program::BufferId other : program_->buffers[at(out)].overlaps) valid_[at(other)] = 0;
}

void Evaluation::end_writing(program::StepId step) {
  const program::BufferId out = output_[at(step)];
  const program::Buffer& buffer = program_->buffers[at(out)];
  valid_[at(out)] = 1;
  const auto start = at(stamp_start_[at(out)]);
  for (std::size_t k = 0; k < buffer.depends_on.size(); ++k) stamp_[start + k] = leaf_version_[at(buffer.depends_on[k])];
}

}  // namespace tyto::execute
