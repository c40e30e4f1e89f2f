// A roofline with a few constants: flops at the rate of the kernel, bytes at the rate of memory, whichever takes longer.
#include "execute/cpu/model.hpp"
#include <algorithm>
#include "execute/cpu/contraction_plan.hpp"
#include "execute/cpu/elementwise_chain.hpp"
#include "execute/cpu/prepared_step.hpp"
#include "execute/cpu/rates.hpp"
#include "execute/host_memory.hpp"
#include <fmt/format.h>

namespace tyto::execute::cpu {
namespace {

using Buffers = std::vector<program::Buffer>;

double streaming_seconds(const program::Operation& operation, const Buffers& buffers) {
  return static_cast<double>(program::bytes_of(operation, buffers)) / rates::memory_bytes;
}

double system_seconds(const program::Operation& operation, const Buffers& buffers, std::int64_t systems) {
  const double arithmetic = static_cast<double>(program::flops_of(operation, buffers)) / rates::system_flops;
  return rates::step + static_cast<double>(systems) * 4 * rates::gemm_call +
         std::max(arithmetic, streaming_seconds(operation, buffers));
}

}  // namespace

std::optional<std::string> CpuModel::refuses(const program::Operation& operation, const Buffers& buffers) const {
  const auto* contraction = std::get_if<program::Contraction>(&operation);
  if (contraction != nullptr && contraction->inputs.empty()) return "a contraction without operands";
  if (contraction != nullptr && contraction->inputs.size() > 2) return "more than two operands: the planner splits them";
  return plain::Step::refuses(operation, buffers);
}

double CpuModel::seconds(const program::Operation& operation, const Buffers& buffers) const {
  if (!PreparedStep::has_kernel(operation, buffers))
    return rates::step + static_cast<double>(program::flops_of(operation, buffers)) / rates::plain_flops +
           streaming_seconds(operation, buffers);
  if (const auto* contraction = std::get_if<program::Contraction>(&operation)) return plan_of(*contraction, buffers).seconds;
  if (const auto* elementwise = std::get_if<program::Elementwise>(&operation)) return plan_of(*elementwise, buffers).seconds;
  if (const auto* solve = std::get_if<program::Solve>(&operation))
    return system_seconds(operation, buffers, program::size_of(*solve, buffers).systems);
  if (const auto* inverse = std::get_if<program::Inverse>(&operation))
    return system_seconds(operation, buffers, program::size_of(*inverse, buffers).systems);
  const auto elements = static_cast<double>(program::flops_of(operation, buffers));
  const std::string kernel = kernel_class(operation, buffers);
  const double arithmetic =
      kernel == "power" || kernel == "function" ? elements * rates::power_element : elements / rates::vector_flops;
  return rates::step + std::max(arithmetic, streaming_seconds(operation, buffers));
}

std::int64_t CpuModel::scratch_bytes(const program::Operation& operation, const Buffers& buffers) const {
  return PreparedStep::scratch_bytes(operation, buffers);
}

std::string CpuModel::kernel_class(const program::Operation& operation, const Buffers& buffers) const {
  if (!PreparedStep::has_kernel(operation, buffers)) return "plain loops";
  if (const auto* contraction = std::get_if<program::Contraction>(&operation)) return plan_of(*contraction, buffers).kernel_class;
  if (const auto* elementwise = std::get_if<program::Elementwise>(&operation))
    return plan_of(*elementwise, buffers).is_sum ? "elementwise and sum" : "elementwise";
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

std::int64_t CpuModel::memory_bytes() const { return HostMemory::available_bytes(); }

}  // namespace tyto::execute::cpu
