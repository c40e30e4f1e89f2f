// Every step done by its formula; see execute/plain.
#include "execute/reference/executor.hpp"
#include "error/fail.hpp"
#include "execute/host_memory.hpp"
#include "execute/plain/step.hpp"
#include <fmt/format.h>

namespace tyto::execute::reference {
namespace {

using Buffers = std::vector<program::Buffer>;

constexpr double seconds_of_flop = 5e-9, seconds_of_byte = 1e-9;

class ReferenceModel final : public device::Model {
 public:
  std::optional<std::string> refuses(const program::Operation& operation, const Buffers& buffers) const override {
    return plain::Step::refuses(operation, buffers);
  }
  double seconds(const program::Operation& operation, const Buffers& buffers) const override {
    return static_cast<double>(program::flops_of(operation, buffers)) * seconds_of_flop +
           static_cast<double>(program::bytes_of(operation, buffers)) * seconds_of_byte;
  }
  std::int64_t scratch_bytes(const program::Operation&, const Buffers&) const override { return 0; }
  std::string kernel_class(const program::Operation&, const Buffers&) const override { return "plain loops"; }
  std::int64_t memory_bytes() const override { return available_bytes(); }
};

class ReferenceInstance final : public Instance {
 public:
  explicit ReferenceInstance(std::shared_ptr<const program::Program> program) : program_(std::move(program)), memory_(*program_) {
    for (const program::Step& step : program_->steps) {
      const std::vector<program::BufferId> inputs = program::inputs_of(step.operation);
      steps_.push_back({plain::Step(step.operation, program_->buffers), inputs, std::vector<const void*>(inputs.size()),
                        program::output_of(step.operation), program::bytes_of(step.operation, program_->buffers)});
    }
    for (const program::StepId constant : program_->constants) run(constant);
    counts_ = {};
  }

  void bind(program::LeafId leaf, const Array& array) override { memory_.bind(leaf, array); }
  void run(program::StepId id) override {
    Step& step = steps_[static_cast<std::size_t>(id)];
    for (std::size_t k = 0; k < step.inputs.size(); ++k) step.addresses[k] = memory_.address(step.inputs[k]);
    step.prepared.run(memory_.address(step.out), step.addresses.data(), counts_);
    counts_.bytes += step.bytes;
    ++counts_.steps;
  }
  const ConstArray& value(program::BufferId buffer) const override { return memory_.value(buffer); }
  const Counts& counts() const override { return counts_; }

 private:
  struct Step {
    plain::Step prepared;
    std::vector<program::BufferId> inputs;
    std::vector<const void*> addresses;  ///< of the inputs; scratch of run()
    program::BufferId out = -1;
    std::int64_t bytes = 0;
  };

  std::shared_ptr<const program::Program> program_;
  HostMemory memory_;
  std::vector<Step> steps_;
  Counts counts_;
};

class ReferenceExecutor final : public Executor {
 public:
  std::string name() const override { return "reference"; }
  const device::Model& model() const override { return model_; }
  std::unique_ptr<Instance> load(std::shared_ptr<const program::Program> program, const Options&) const override {
    for (const program::Step& step : program->steps)
      if (const std::optional<std::string> reason = model_.refuses(step.operation, program->buffers))
        fail(Code::unsupported, fmt::format("the executor reference cannot run a step of this plan: {}", *reason));
    return std::make_unique<ReferenceInstance>(std::move(program));
  }

 private:
  ReferenceModel model_;
};

}  // namespace

std::unique_ptr<Executor> make_executor() { return std::make_unique<ReferenceExecutor>(); }

}  // namespace tyto::execute::reference
