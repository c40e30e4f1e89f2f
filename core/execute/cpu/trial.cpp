// Memory and a prepared step for one sample; the clock.
#include "execute/cpu/trial.hpp"
#include <algorithm>
#include <ctime>
#include "error/fail.hpp"
#include "execute/cpu/model.hpp"

namespace tyto::execute::cpu {
namespace {

/// The arena of the sample alone: its buffers in order, then the scratch of its step.
program::Program laid_out(Sample& sample, std::int64_t scratch_bytes, std::int64_t& scratch_offset) {
  program::Program program;
  for (program::Buffer& buffer : sample.buffers) {
    buffer.offset = program.arena_bytes;
    program.arena_bytes += (element_count(buffer.extents) * size_of(buffer.dtype) + 63) / 64 * 64;
  }
  program.buffers = sample.buffers;
  scratch_offset = program.arena_bytes;
  program.arena_bytes += scratch_bytes;
  return program;
}

template <class T>
void fill(void* memory, std::int64_t count) {
  for (std::int64_t k = 0; k < count; ++k) static_cast<T*>(memory)[k] = static_cast<T>(1 + static_cast<double>(k % 7) / 8);
}

/// Numbers near 1; a square matrix is made diagonally dominant, so that systems are solved without detours.
void fill(void* memory, const program::Buffer& buffer) {
  const std::int64_t count = element_count(buffer.extents);
  if (buffer.dtype == Dtype::f32) fill<float>(memory, count);
  if (buffer.dtype == Dtype::c64) fill<float>(memory, 2 * count);
  if (buffer.dtype == Dtype::c128) fill<double>(memory, 2 * count);
  if (buffer.dtype != Dtype::f64) return;
  fill<double>(memory, count);
  if (buffer.extents.size() != 2 || buffer.extents[0] != buffer.extents[1]) return;
  const std::int64_t order = buffer.extents[0];
  auto* matrix = static_cast<double*>(memory);
  for (std::int64_t i = 0; i < order; ++i)
    for (std::int64_t j = 0; j < order; ++j) matrix[i * order + j] = i == j ? 2.0 * static_cast<double>(order) : 1;
}

}  // namespace

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double median_seconds(const std::function<void()>& run, double budget) {
  constexpr double shortest_batch = 50e-6;  // a hundred times what it takes to read the clock
  const auto batch_seconds = [&](std::int64_t runs) {
    const double start = thread_seconds();
    for (std::int64_t k = 0; k < runs; ++k) run();
    return thread_seconds() - start;
  };
  std::int64_t runs = 1;
  double seconds = batch_seconds(runs);  // the first run also fetches what the others find near
  while ((seconds = batch_seconds(runs)) < shortest_batch) runs *= 2;
  std::vector<double> batches;
  for (double spent = 0; batches.size() < 3 || (spent < budget && batches.size() < 31); spent += seconds)
    batches.push_back(seconds = batch_seconds(runs));
  const auto middle = batches.begin() + static_cast<std::ptrdiff_t>(batches.size() / 2);
  std::nth_element(batches.begin(), middle, batches.end());
  return *middle / static_cast<double>(runs);
}

Sample sample_contraction(const std::string& out, const std::string& left, const std::string& right,
                          const std::vector<std::pair<char, std::int64_t>>& extents, Dtype type) {
  Sample sample;
  const auto add = [&](const std::string& letters) {
    program::Operand operand{static_cast<program::BufferId>(sample.buffers.size()), {}};
    program::Buffer buffer{.dtype = type};
    for (const char letter : letters) {
      const auto at = std::find_if(extents.begin(), extents.end(), [&](const auto& one) { return one.first == letter; });
      TYTO_ASSERT(at != extents.end());
      operand.labels.push_back(static_cast<einsum::Label>(at - extents.begin()));
      buffer.extents.push_back(at->second);
    }
    buffer.strides = row_major(buffer.extents);
    sample.buffers.push_back(std::move(buffer));
    return operand;
  };
  program::Contraction contraction;
  contraction.inputs.push_back(add(left));
  if (!right.empty()) contraction.inputs.push_back(add(right));
  contraction.out = add(out);
  sample.operation = std::move(contraction);
  return sample;
}

Trial::Trial(Sample sample, const Rates& rates) : Trial(std::move(sample), rates, std::nullopt) {}

std::optional<Trial> Trial::of_class(Sample sample, const Rates& rates, ContractionClass only) {
  auto plan = plan_of(std::get<program::Contraction>(sample.operation), sample.buffers, rates, only);
  if (!plan) return std::nullopt;
  return Trial(std::move(sample), rates, std::move(plan));
}

Trial::Trial(Sample sample, const Rates& rates, std::optional<ContractionPlan> plan) : sample_(std::move(sample)) {
  const auto* contraction = std::get_if<program::Contraction>(&sample_.operation);
  if (!plan && contraction != nullptr && PreparedStep::has_kernel(sample_.operation, sample_.buffers, rates))
    plan = plan_of(*contraction, sample_.buffers, rates);
  plan_ = std::move(plan);
  const std::int64_t scratch_bytes =
      plan_ ? plan_->scratch_bytes : PreparedStep::scratch_bytes(sample_.operation, sample_.buffers, rates);
  program::Step step{.operation = sample_.operation, .scratch_bytes = scratch_bytes};
  memory_ = std::make_unique<HostMemory>(laid_out(sample_, scratch_bytes, step.scratch_offset));
  for (std::size_t id = 0; id < sample_.buffers.size(); ++id)
    fill(memory_->address(static_cast<program::BufferId>(id)), sample_.buffers[id]);
  step_ = std::make_unique<PreparedStep>(plan_ ? PreparedStep(step, sample_.buffers, *plan_)
                                               : PreparedStep(step, sample_.buffers, rates));
  spare_ = SpareRoom(step_->spare_bytes());
}

double Trial::predicted(const Rates& rates) const {
  return plan_ ? seconds_of(*plan_, rates) : CpuModel(rates).seconds(sample_.operation, sample_.buffers);
}

std::string Trial::kernel_class() const {
  return plan_ ? plan_->kernel_class : CpuModel(Rates{}).kernel_class(sample_.operation, sample_.buffers);
}

}  // namespace tyto::execute::cpu
