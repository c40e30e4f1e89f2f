// Operations to plans at load, plans to kernels at run.
#include "execute/cpu/prepared_step.hpp"
#include <algorithm>
#include "error/fail.hpp"
#include "execute/cpu/contraction_run.hpp"
#include "execute/cpu/element_type.hpp"
#include "execute/cpu/system_run.hpp"

namespace tyto::execute::cpu {
namespace {

template <class T>
void write_constant(const ConstantPlan& plan, const StridedCopy& whole, T* out, Workers& workers) {
  const T value = static_cast<T>(plan.value);
  whole.run(out, &value, workers);
  for (std::int64_t i = 0; i < plan.diagonal; ++i) out[i * plan.diagonal_stride] = T{1};
}

}  // namespace

PreparedStep::Plan PreparedStep::prepared(const program::Operation& operation, const std::vector<program::Buffer>& buffers,
                                          const Rates& rates) {
  if (!has_kernel(operation, buffers, rates)) return plain::Step(operation, buffers);
  if (const auto* fill = std::get_if<program::Fill>(&operation)) return ConstantPlan{.value = fill->value};
  if (const auto* identity = std::get_if<program::Identity>(&operation)) {
    const program::Buffer& out = buffers[static_cast<std::size_t>(identity->out)];
    TYTO_ASSERT(out.extents.size() == 2 && out.extents[0] == out.extents[1]);
    return ConstantPlan{.value = 0, .diagonal = out.extents[0], .diagonal_stride = out.strides[0] + out.strides[1]};
  }
  if (const auto* contraction = std::get_if<program::Contraction>(&operation)) return plan_of(*contraction, buffers, rates);
  if (const auto* combination = std::get_if<program::Combination>(&operation)) return plan_of(*combination, buffers);
  if (const auto* power = std::get_if<program::Power>(&operation)) return plan_of(*power, buffers);
  if (const auto* elementwise = std::get_if<program::Elementwise>(&operation)) return plan_of(*elementwise, buffers, rates);
  if (const auto* map = std::get_if<program::Map>(&operation)) return plan_of(*map, buffers);
  if (const auto* solve = std::get_if<program::Solve>(&operation)) return plan_of(*solve, buffers);
  return plan_of(std::get<program::Inverse>(operation), buffers);
}

std::int64_t PreparedStep::scratch_of(const Plan& plan) {
  if (const auto* contraction = std::get_if<ContractionPlan>(&plan)) return contraction->scratch_bytes;
  if (const auto* chain = std::get_if<ChainPlan>(&plan)) return chain->scratch_bytes;
  if (const auto* system = std::get_if<SystemPlan>(&plan)) return system->scratch_bytes;
  return 0;
}

bool PreparedStep::has_kernel(const program::Operation& operation, const std::vector<program::Buffer>& buffers,
                              const Rates& rates) {
  if (const auto* contraction = std::get_if<program::Contraction>(&operation)) return has_plan(*contraction, buffers, rates);
  std::vector<program::BufferId> ids = program::inputs_of(operation);
  ids.push_back(program::output_of(operation));
  for (const program::BufferId id : ids) {
    const Dtype type = buffers[static_cast<std::size_t>(id)].dtype;
    if (type != Dtype::f32 && type != Dtype::f64) return false;
  }
  if (const auto* solve = std::get_if<program::Solve>(&operation)) return operation::is_linear(solve->system);
  if (const auto* elementwise = std::get_if<program::Elementwise>(&operation))
    return std::all_of(elementwise->instructions.begin(), elementwise->instructions.end(),
                       [](const auto& instruction) { return instruction.arguments.size() <= most_chain_arguments; });
  return std::holds_alternative<program::Combination>(operation) || std::holds_alternative<program::Power>(operation) ||
         std::holds_alternative<program::Map>(operation) || std::holds_alternative<program::Inverse>(operation) ||
         std::holds_alternative<program::Fill>(operation) || std::holds_alternative<program::Identity>(operation);
}

PreparedStep::PreparedStep(const program::Step& step, const std::vector<program::Buffer>& buffers, const Rates& rates)
    : PreparedStep(step, buffers, prepared(step.operation, buffers, rates)) {}

PreparedStep::PreparedStep(const program::Step& step, const std::vector<program::Buffer>& buffers, ContractionPlan plan)
    : PreparedStep(step, buffers, Plan(std::move(plan))) {}

PreparedStep::PreparedStep(const program::Step& step, const std::vector<program::Buffer>& buffers, Plan plan)
    : plan_(std::move(plan)),
      is_power_(std::holds_alternative<program::Power>(step.operation)),
      out_(program::output_of(step.operation)),
      inputs_(program::inputs_of(step.operation)),
      addresses_(inputs_.size()),
      bytes_(program::bytes_of(step.operation, buffers)),
      scratch_offset_(step.scratch_offset) {
  const program::Buffer& out = buffers[static_cast<std::size_t>(out_)];
  dtype_ = out.dtype;
  std::vector<CopyAxis> axes;
  for (std::size_t a = 0; a < out.extents.size(); ++a) axes.push_back({out.extents[a], out.strides[a], 0});
  whole_out_ = StridedCopy(std::move(axes));
  if (const auto* map = std::get_if<program::Map>(&step.operation)) function_ = map->function;
  TYTO_ASSERT(step.scratch_bytes >= scratch_of(plan_));
}

std::int64_t PreparedStep::scratch_bytes(const program::Operation& operation, const std::vector<program::Buffer>& buffers,
                                         const Rates& rates) {
  return scratch_of(prepared(operation, buffers, rates));
}

std::int64_t PreparedStep::spare_bytes() const {
  const auto* system = std::get_if<SystemPlan>(&plan_);
  return system != nullptr ? system->minimum_norm.bytes : 0;
}

void PreparedStep::run(const HostMemory& memory, SpareRoom& spare, Workers& workers, Counts& counts) {
  for (std::size_t k = 0; k < inputs_.size(); ++k) addresses_[k] = memory.address(inputs_[k]);
  run_at(memory.address(out_), addresses_.data(), static_cast<char*>(memory.scratch(scratch_offset_)), spare, workers, counts);
}

void PreparedStep::run_at(void* out, const void* const* inputs, char* scratch, SpareRoom& spare, Workers& workers, Counts& counts) {
  const Place place{out, inputs, scratch};
  if (auto* step = std::get_if<plain::Step>(&plan_)) step->run(out, inputs, counts);
  else if (auto* contraction = std::get_if<ContractionPlan>(&plan_)) run_contraction(*contraction, place, workers, counts);
  else if (dtype_ == Dtype::f32) run_as<float>(place, spare, workers, counts);
  else run_as<double>(place, spare, workers, counts);
  counts.bytes += bytes_;
  ++counts.steps;
}

void PreparedStep::run_contraction(ContractionPlan& plan, const Place& place, Workers& workers, Counts& counts) {
  with_floating_type(dtype_, [&]<class T>() {
    counts.flops += cpu::run<T>(plan, whole_out_, static_cast<T*>(place.out), place.inputs, place.inputs[inputs_.size() - 1],
                                place.scratch, workers);
  });
}

template <class T>
void PreparedStep::run_as(const Place& place, SpareRoom& spare, Workers& workers, Counts& counts) {
  T* out = static_cast<T*>(place.out);
  const auto input = [&](std::size_t k) { return k < inputs_.size() ? static_cast<const T*>(place.inputs[k]) : nullptr; };
  if (auto* elementwise = std::get_if<ElementwisePlan>(&plan_)) {
    counts.flops += function_   ? run_map<T>(*elementwise, out, input(0), input(inputs_.size() - 1), *function_, workers)
                    : is_power_ ? run_power<T>(*elementwise, out, input(0), workers)
                                : run_combination<T>(*elementwise, out, place.inputs, workers);
  } else if (auto* chain = std::get_if<ChainPlan>(&plan_)) {
    counts.flops += cpu::run<T>(*chain, out, place.inputs, place.scratch, workers);
  } else if (auto* system = std::get_if<SystemPlan>(&plan_)) {
    const SystemCounts done = cpu::run<T>(*system, out, input(0), input(1), place.scratch, spare, workers);
    counts.flops += done.flops;
    counts.rank_deficient += done.rank_deficient;
  } else {
    write_constant<T>(std::get<ConstantPlan>(plan_), whole_out_, out, workers);
  }
}

}  // namespace tyto::execute::cpu
