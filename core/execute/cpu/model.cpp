// A roofline with a few constants: flops at the rate of the kernel, bytes at the rate of memory, whichever takes longer.
#include "execute/cpu/model.hpp"
#include <algorithm>
#include "execute/cpu/contraction_plan.hpp"
#include "execute/cpu/elementwise_chain.hpp"
#include "execute/cpu/prepared_step.hpp"
#include "execute/cpu/slab_run.hpp"
#include "execute/host_memory.hpp"
#include <fmt/format.h>

namespace tyto::execute::cpu {
namespace {

using Buffers = std::vector<program::Buffer>;

}  // namespace

double CpuModel::streaming_seconds(const program::Operation& operation, const Buffers& buffers) const {
  const auto bytes = static_cast<double>(program::bytes_of(operation, buffers));
  return bytes / stream_speed(rates_, bytes);
}

double CpuModel::system_seconds(const program::Operation& operation, const Buffers& buffers,
                                const program::SystemSize& size) const {
  const auto order = static_cast<double>(size.order);
  const double speed = rates_.factorization * order / (order + rates_.half_order);
  const double arithmetic = static_cast<double>(program::flops_of(operation, buffers)) / speed;
  return rates_.step + static_cast<double>(size.systems) * 4 * rates_.product.call +
         std::max(arithmetic, streaming_seconds(operation, buffers));
}

std::optional<std::string> CpuModel::refuses(const program::Operation& operation, const Buffers& buffers) const {
  const auto* contraction = std::get_if<program::Contraction>(&operation);
  if (contraction != nullptr && contraction->inputs.empty()) return "a contraction without operands";
  if (contraction != nullptr && contraction->inputs.size() > 2 && !has_plan(*contraction, buffers, rates_))
    return "more than two operands: the planner splits them";
  return plain::Step::refuses(operation, buffers);
}

double CpuModel::seconds(const program::Operation& operation, const Buffers& buffers) const {
  if (!PreparedStep::has_kernel(operation, buffers, rates_))
    return rates_.step + static_cast<double>(program::flops_of(operation, buffers)) / rates_.plain +
           streaming_seconds(operation, buffers);
  if (const auto* contraction = std::get_if<program::Contraction>(&operation))
    return seconds_of(plan_of(*contraction, buffers, rates_), rates_);
  if (const auto* elementwise = std::get_if<program::Elementwise>(&operation))
    return plan_of(*elementwise, buffers, rates_).seconds;
  if (const auto* solve = std::get_if<program::Solve>(&operation))
    return system_seconds(operation, buffers, program::size_of(*solve, buffers));
  if (const auto* inverse = std::get_if<program::Inverse>(&operation))
    return system_seconds(operation, buffers, program::size_of(*inverse, buffers));
  return rates_.step + std::max(elementwise_seconds(operation, buffers), streaming_seconds(operation, buffers));
}

double CpuModel::elementwise_seconds(const program::Operation& operation, const Buffers& buffers) const {
  const std::string kernel = kernel_class(operation, buffers);
  const double of_flop = kernel == "power" ? rates_.power : kernel == "function" ? rates_.function : 1 / rates_.multiply.flops;
  return static_cast<double>(program::flops_of(operation, buffers)) * of_flop + strided_seconds(operation, buffers);
}

/// Beyond what the arithmetic takes: operands whose elements do not follow each other along the rows.
double CpuModel::strided_seconds(const program::Operation& operation, const Buffers& buffers) const {
  ElementwisePlan plan;
  if (const auto* combination = std::get_if<program::Combination>(&operation)) plan = plan_of(*combination, buffers);
  else if (const auto* power = std::get_if<program::Power>(&operation)) plan = plan_of(*power, buffers);
  else if (const auto* map = std::get_if<program::Map>(&operation)) plan = plan_of(*map, buffers);
  const auto strided =
      std::count_if(plan.row.stride.begin(), plan.row.stride.end(), [](std::int64_t stride) { return stride > 1; });
  return static_cast<double>(strided * plan.elements) / rates_.any.flops;
}

std::int64_t CpuModel::scratch_bytes(const program::Operation& operation, const Buffers& buffers) const {
  return PreparedStep::scratch_bytes(operation, buffers, rates_);
}

double CpuModel::seconds(const program::Slabs& slabs, const std::vector<program::Step>& steps, const Buffers& buffers) const {
  return seconds_of(slabs, steps, buffers, *this, rates_);
}

std::int64_t CpuModel::scratch_bytes(const program::Slabs& slabs, const std::vector<program::Step>& steps,
                                     const Buffers& buffers) const {
  return cpu::scratch_bytes(slabs, steps, buffers, rates_);
}

std::string CpuModel::kernel_class(const program::Operation& operation, const Buffers& buffers) const {
  if (const auto* solve = std::get_if<program::Solve>(&operation); solve != nullptr && !operation::is_linear(solve->system))
    return "active sets";
  if (!PreparedStep::has_kernel(operation, buffers, rates_)) return "plain loops";
  if (const auto* contraction = std::get_if<program::Contraction>(&operation))
    return plan_of(*contraction, buffers, rates_).kernel_class;
  if (const auto* elementwise = std::get_if<program::Elementwise>(&operation))
    return plan_of(*elementwise, buffers, rates_).is_sum ? "elementwise and sum" : "elementwise";
  if (std::holds_alternative<program::Map>(operation)) return "function";
  if (std::holds_alternative<program::Combination>(operation)) return "linear combination";
  if (const auto* power = std::get_if<program::Power>(&operation))
    return power->exponent == 2      ? "square"
           : power->exponent == 1    ? "copy"
           : power->exponent == 0.5  ? "square root"
           : power->exponent == -1.0 ? "reciprocal"
                                     : "power";
  if (const auto* solve = std::get_if<program::Solve>(&operation)) return operation::is_definite(solve->system) ? "cholesky" : "lu";
  if (std::holds_alternative<program::Inverse>(operation)) return "inverse by lu";
  return "constant";
}

std::optional<device::Alternative> CpuModel::runner_up(const program::Operation& operation, const Buffers& buffers) const {
  const auto* contraction = std::get_if<program::Contraction>(&operation);
  if (contraction == nullptr || !PreparedStep::has_kernel(operation, buffers, rates_)) return std::nullopt;
  const std::string chosen = plan_of(*contraction, buffers, rates_).kernel_class;
  std::optional<device::Alternative> next;
  for (const ContractionClass one : contraction_classes) {
    const auto plan = plan_of(*contraction, buffers, rates_, one);
    if (!plan || plan->kernel_class == chosen) continue;
    const double seconds = seconds_of(*plan, rates_);
    if (!next || seconds < next->seconds) next = {plan->kernel_class, seconds};
  }
  return next;
}

std::int64_t CpuModel::memory_bytes() const { return available_bytes(); }

}  // namespace tyto::execute::cpu
