// The device model that refuses little, and the instance that runs one prepared loop nest after another.
#include "execute/reference/executor.hpp"
#include <cmath>
#include <variant>
#include "error/fail.hpp"
#include "execute/host_memory.hpp"
#include "execute/reference/contraction.hpp"
#include "execute/reference/elementwise.hpp"
#include "execute/reference/systems.hpp"
#include <fmt/format.h>

namespace tyto::execute::reference {
namespace {

using Buffers = std::vector<program::Buffer>;

constexpr double seconds_of_flop = 5e-9, seconds_of_byte = 1e-9;

bool is_integer(Dtype type) { return type == Dtype::i16 || type == Dtype::i32 || type == Dtype::i64; }

class ReferenceModel final : public device::Model {
 public:
  std::optional<std::string> refuses(const program::Operation& operation, const Buffers& buffers) const override {
    const Dtype type = buffers[static_cast<std::size_t>(program::output_of(operation))].dtype;
    if (type == Dtype::c64 || type == Dtype::c128) return "the reference executor has no complex arithmetic in this version";
    for (const program::BufferId input : program::inputs_of(operation))
      if (buffers[static_cast<std::size_t>(input)].dtype != type) return "the operands have different element types";
    if (!is_integer(type)) return std::nullopt;
    if (std::holds_alternative<program::Solve>(operation) || std::holds_alternative<program::Inverse>(operation) ||
        std::holds_alternative<program::Power>(operation))
      return fmt::format("systems, inverses and powers need f32 or f64, not {}", name_of(type));
    if (const auto* combination = std::get_if<program::Combination>(&operation))
      for (const double c : combination->coefficients)
        if (c != std::trunc(c) || std::abs(c) > 9e15)
          return fmt::format("the coefficient {} of a combination of {} is not an integer", c, name_of(type));
    return std::nullopt;
  }
  double seconds(const program::Operation& operation, const Buffers& buffers) const override {
    return static_cast<double>(program::flops_of(operation, buffers)) * seconds_of_flop +
           static_cast<double>(program::bytes_of(operation, buffers)) * seconds_of_byte;
  }
  std::int64_t scratch_bytes(const program::Operation&, const Buffers&) const override { return 0; }
  std::string kernel_class(const program::Operation&, const Buffers&) const override { return "plain loops"; }
  std::int64_t memory_bytes() const override { return HostMemory::available_bytes(); }
};

using Prepared = std::variant<LoopNest, ElementLoop, Systems>;

Prepared prepared(const program::Operation& operation, const Buffers& buffers) {
  if (const auto* contraction = std::get_if<program::Contraction>(&operation)) return LoopNest(*contraction, buffers);
  if (const auto* solve = std::get_if<program::Solve>(&operation)) return Systems(*solve, buffers);
  if (const auto* inverse = std::get_if<program::Inverse>(&operation)) return Systems(*inverse, buffers);
  std::vector<program::BufferId> ids = {program::output_of(operation)};
  for (const program::BufferId input : program::inputs_of(operation)) ids.push_back(input);
  return ElementLoop(ids, buffers);
}

class ReferenceInstance final : public Instance {
 public:
  explicit ReferenceInstance(std::shared_ptr<const program::Program> program) : program_(std::move(program)), memory_(*program_) {
    for (const program::Step& step : program_->steps) {
      const std::vector<program::BufferId> inputs = program::inputs_of(step.operation);
      steps_.push_back({prepared(step.operation, program_->buffers), inputs, std::vector<const void*>(inputs.size()),
                        program::output_of(step.operation), program::bytes_of(step.operation, program_->buffers)});
    }
    for (const program::StepId constant : program_->constants) run(constant);
    counts_ = {};
  }

  void bind(program::LeafId leaf, const Array& array) override { memory_.bind(leaf, array); }
  void run(program::StepId id) override {
    Step& step = steps_[static_cast<std::size_t>(id)];
    const program::Operation& operation = program_->steps[static_cast<std::size_t>(id)].operation;
    for (std::size_t k = 0; k < step.inputs.size(); ++k) step.addresses[k] = memory_.address(step.inputs[k]);
    switch (program_->buffers[static_cast<std::size_t>(step.out)].dtype) {
      case Dtype::i16: run_as<std::int16_t>(step, operation); break;
      case Dtype::i32: run_as<std::int32_t>(step, operation); break;
      case Dtype::i64: run_as<std::int64_t>(step, operation); break;
      case Dtype::f32: run_as<float>(step, operation); break;
      default: run_as<double>(step, operation); break;
    }
    counts_.bytes += step.bytes;
    ++counts_.steps;
  }
  const ConstArray& value(program::BufferId buffer) const override { return memory_.value(buffer); }
  const Counts& counts() const override { return counts_; }

 private:
  struct Step {
    Prepared prepared;
    std::vector<program::BufferId> inputs;
    std::vector<const void*> addresses;  ///< of the inputs; scratch of run()
    program::BufferId out = -1;
    std::int64_t bytes = 0;
  };

  template <class T>
  void run_as(Step& step, const program::Operation& operation) {
    T* out = static_cast<T*>(memory_.address(step.out));
    const void* const* inputs = step.addresses.data();
    if (auto* nest = std::get_if<LoopNest>(&step.prepared)) {
      counts_.flops += nest->run<T>(out, inputs);
    } else if (auto* elements = std::get_if<ElementLoop>(&step.prepared)) {
      run_elements<T>(*elements, out, inputs, operation);
    } else if constexpr (std::is_floating_point_v<T>) {
      const T* right = step.addresses.size() > 1 ? static_cast<const T*>(inputs[1]) : nullptr;
      std::get<Systems>(step.prepared).run<T>(out, static_cast<const T*>(inputs[0]), right, counts_);
    }
  }

  template <class T>
  void run_elements(ElementLoop& elements, T* out, const void* const* inputs, const program::Operation& operation) {
    if (const auto* combination = std::get_if<program::Combination>(&operation)) {
      counts_.flops += elements.combine<T>(out, inputs, combination->coefficients);
    } else if (const auto* power = std::get_if<program::Power>(&operation)) {
      counts_.flops += elements.power<T>(out, inputs, power->exponent);
    } else if (const auto* fill = std::get_if<program::Fill>(&operation)) {
      elements.fill<T>(out, fill->value);
    } else {
      elements.identity<T>(out);
    }
  }

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
