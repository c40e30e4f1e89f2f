// Loading prepares every step; an instance then only walks prepared steps.
#include "execute/cpu/executor.hpp"
#include <algorithm>
#include "error/fail.hpp"
#include "execute/cpu/blas.hpp"
#include "execute/cpu/model.hpp"
#include "execute/cpu/slab_run.hpp"
#include "execute/cpu/workers.hpp"
#include "execute/host_memory.hpp"
#include <fmt/format.h>

namespace tyto::execute::cpu {
namespace {

std::int64_t largest_scratch(const program::Program& program) {
  std::int64_t bytes = 0;
  for (const program::Step& step : program.steps) bytes = std::max(bytes, step.scratch_bytes);
  return bytes;
}

class CpuInstance final : public Instance {
 public:
  CpuInstance(std::shared_ptr<const program::Program> program, const Options& options, const Rates& rates)
      : program_(std::move(program)), memory_(*program_, options.arenas), workers_(options.threads, largest_scratch(*program_)) {
    blas::set_threads(1);  // the threads are ours; LAPACK gets one of them
    for (const program::Step& step : program_->steps) {
      TYTO_ASSERT(step.scratch_offset + step.scratch_bytes <= program_->arena_bytes);
      steps_.emplace_back(step, program_->buffers, rates);
    }
    for (const program::Slabs& slabs : program_->slabs) slabs_.emplace_back(*program_, slabs, rates);
    std::int64_t spare_bytes = 0;
    for (const PreparedStep& step : steps_) spare_bytes = std::max(spare_bytes, step.spare_bytes());
    spare_ = SpareRoom(spare_bytes);
    for (const program::StepId constant : program_->constants) run(constant);
    counts_ = {};
  }

  void bind(program::LeafId leaf, const Array& array) override { memory_.bind(leaf, array); }
  void run(program::StepId step) override { steps_[static_cast<std::size_t>(step)].run(memory_, spare_, workers_, counts_); }
  void run_slabs(const program::Program&, std::size_t slabs) override { slabs_[slabs].run(memory_, spare_, workers_, counts_); }
  const ConstArray& value(program::BufferId buffer) const override { return memory_.value(buffer); }
  const Counts& counts() const override { return counts_; }

 private:
  std::shared_ptr<const program::Program> program_;
  HostMemory memory_;
  SpareRoom spare_;
  Workers workers_;
  std::vector<PreparedStep> steps_;
  std::vector<SlabRun> slabs_;
  Counts counts_;
};

class CpuExecutor final : public Executor {
 public:
  explicit CpuExecutor(Rates rates) : model_(std::move(rates)) {}
  std::string name() const override { return "cpu"; }
  const device::Model& model() const override { return model_; }
  std::unique_ptr<Instance> load(std::shared_ptr<const program::Program> program, const Options& options) const override {
    for (const program::Step& step : program->steps)
      if (const std::optional<std::string> reason = model_.refuses(step.operation, program->buffers))
        fail(Code::unsupported, fmt::format("the executor cpu cannot run a step of this plan: {}", *reason), "", "",
             "`execution.executor: reference`, which is slow but knows more operations");
    return std::make_unique<CpuInstance>(std::move(program), options, model_.rates());
  }

 private:
  CpuModel model_;
};

}  // namespace

std::unique_ptr<Executor> make_executor(Rates rates) { return std::make_unique<CpuExecutor>(std::move(rates)); }
std::unique_ptr<Executor> make_executor() { return make_executor(built_in_rates(arithmetic::chosen_isa())); }

}  // namespace tyto::execute::cpu
