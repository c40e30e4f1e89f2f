// A roofline with a few constants: flops at the rate of the kernel, bytes at the rate of memory, whichever takes longer.
#include "execute/cpu/model.hpp"
#include <algorithm>
#include "execute/cpu/contraction_plan.hpp"
#include "execute/cpu/prepared_step.hpp"
#include "execute/cpu/rates.hpp"
#include "execute/host_memory.hpp"
#include <fmt/format.h>

namespace tyto::execute::cpu {
namespace {

using Buffers = std::vector<program::Buffer>;

const program::Buffer& output(const program::Operation& operation, const Buffers& buffers) {
  return buffers[static_cast<std::size_t>(program::output_of(operation))];
}

std::optional<std::string> refused_type(const program::Operation& operation, const Buffers& buffers) {
  const Dtype type = output(operation, buffers).dtype;
  if (type == Dtype::c64 || type == Dtype::c128) return "the cpu executor has no complex arithmetic in this version";
  if (type != Dtype::f32 && type != Dtype::f64)
    return fmt::format("the cpu executor computes in f32 and f64, not in {}", name_of(type));
  for (const program::BufferId input : program::inputs_of(operation))
    if (buffers[static_cast<std::size_t>(input)].dtype != type) return "the operands have different element types";
  return std::nullopt;
}

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
  if (std::optional<std::string> reason = refused_type(operation, buffers)) return reason;
  const auto* contraction = std::get_if<program::Contraction>(&operation);
  if (contraction == nullptr) return std::nullopt;
  if (contraction->inputs.empty()) return "a contraction without operands";
  if (contraction->inputs.size() > 2) return "more than two operands: the planner splits them";
  if (!einsum::is_ordinary(contraction->pair))
    return "the cpu executor sums products; other pairs of operations are not in this version";
  return std::nullopt;
}

double CpuModel::seconds(const program::Operation& operation, const Buffers& buffers) const {
  if (const auto* contraction = std::get_if<program::Contraction>(&operation)) return plan_of(*contraction, buffers).seconds;
  if (const auto* solve = std::get_if<program::Solve>(&operation))
    return system_seconds(operation, buffers, program::size_of(*solve, buffers).systems);
  if (const auto* inverse = std::get_if<program::Inverse>(&operation))
    return system_seconds(operation, buffers, program::size_of(*inverse, buffers).systems);
  const auto elements = static_cast<double>(program::flops_of(operation, buffers));
  const bool is_general_power = std::holds_alternative<program::Power>(operation) && kernel_class(operation, buffers) == "power";
  const double arithmetic = is_general_power ? elements * rates::power_element : elements / rates::vector_flops;
  return rates::step + std::max(arithmetic, streaming_seconds(operation, buffers));
}

std::int64_t CpuModel::scratch_bytes(const program::Operation& operation, const Buffers& buffers) const {
  return PreparedStep::scratch_bytes(operation, buffers);
}

std::string CpuModel::kernel_class(const program::Operation& operation, const Buffers& buffers) const {
  if (const auto* contraction = std::get_if<program::Contraction>(&operation)) return plan_of(*contraction, buffers).kernel_class;
  if (std::holds_alternative<program::Combination>(operation)) return "linear combination";
  if (const auto* power = std::get_if<program::Power>(&operation))
    return power->exponent == 2      ? "square"
           : power->exponent == 1    ? "copy"
           : power->exponent == 0.5  ? "square root"
           : power->exponent == -1.0 ? "reciprocal"
                                     : "power";
  if (const auto* solve = std::get_if<program::Solve>(&operation)) return solve->semidefinite ? "cholesky" : "lu";
  if (std::holds_alternative<program::Inverse>(operation)) return "inverse by lu";
  return "constant";
}

std::int64_t CpuModel::memory_bytes() const { return HostMemory::available_bytes(); }

}  // namespace tyto::execute::cpu
