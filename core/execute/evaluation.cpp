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
  for (const program::Kernel& kernel : program_->kernels) kernels_.push_back(positions_of(kernel));
}

bool Evaluation::overlap(program::BufferId a, program::BufferId b) const {
  const std::vector<program::BufferId>& others = program_->buffers[at(a)].overlaps;
  return std::find(others.begin(), others.end(), b) != others.end();
}

std::vector<Evaluation::Position> Evaluation::positions_of(const program::Kernel& kernel) const {
  const std::size_t count = kernel.steps.size();
  std::vector<Position> positions(count);
  for (std::size_t p = 0; p < count; ++p) {
    const program::BufferId value = output_[at(kernel.steps[p])];
    std::size_t last_use = value == kernel.output ? count : p;
    for (std::size_t q = p + 1; q < count && value != kernel.output; ++q) {
      const std::vector<program::BufferId>& used = inputs_[at(kernel.steps[q])];
      if (std::find(used.begin(), used.end(), value) != used.end()) last_use = q;
    }
    positions[p].step = kernel.steps[p];
    for (std::size_t q = 0; q < last_use; ++q)
      positions[p].overwritten = positions[p].overwritten || (q != p && overlap(value, output_[at(kernel.steps[q])]));
  }
  return positions;
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
  if (!current(output)) {
    std::vector<Position>& positions = kernels_[at(kernel)];
    decide(positions, output);
    for (const Position& position : positions)
      if (position.needed) execute(position.step);
    TYTO_ASSERT(current(output));
  }
  return instance_->value(output);
}

/// Backwards from the output: a step is needed if its value is wanted, and not there or not there for long enough.
void Evaluation::decide(std::vector<Position>& positions, program::BufferId output) {
  std::fill(wanted_.begin(), wanted_.end(), char{0});
  wanted_[at(output)] = 1;
  for (std::size_t p = positions.size(); p-- > 0;) {
    Position& position = positions[p];
    const program::BufferId value = output_[at(position.step)];
    position.needed = wanted_[at(value)] != 0 && (position.overwritten || !current(value));
    if (!position.needed) continue;
    for (const program::BufferId input : inputs_[at(position.step)]) wanted_[at(input)] = 1;
  }
}

void Evaluation::execute(program::StepId step) {
  const program::BufferId out = output_[at(step)];
  const program::Buffer& buffer = program_->buffers[at(out)];
  valid_[at(out)] = 0;
  for (const program::BufferId other : buffer.overlaps) valid_[at(other)] = 0;
  instance_->run(step);
  valid_[at(out)] = 1;
  const auto start = at(stamp_start_[at(out)]);
  for (std::size_t k = 0; k < buffer.depends_on.size(); ++k) stamp_[start + k] = leaf_version_[at(buffer.depends_on[k])];
}

}  // namespace tyto::execute
