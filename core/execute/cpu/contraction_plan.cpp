// Compares by expected time: the loop nest, and products on the operands where they lie.
#include "execute/cpu/contraction_plan.hpp"
#include <algorithm>
#include "error/fail.hpp"
#include "execute/cpu/element_type.hpp"

namespace tyto::execute::cpu {
namespace {

bool has(const std::vector<Loop>& loops, Role role) {
  return std::any_of(loops.begin(), loops.end(), [role](const Loop& loop) { return loop.role == role; });
}

/// Words for the loop nest, by the roles that occur.
std::string class_of_nest(const std::vector<Loop>& loops, bool has_right) {
  const bool sums = std::any_of(loops.begin(), loops.end(), [](const Loop& loop) { return is_reduction(loop.role); });
  if (!has_right) return sums ? "sum" : "copy";
  const bool batch = has(loops, Role::batch), left = has(loops, Role::left), right = has(loops, Role::right);
  if (has(loops, Role::left_summed) || has(loops, Role::right_summed)) return "sum of products";
  if (sums) {
    if (left && right) return "small products";
    return left || right ? (batch ? "batched gemv" : "gemv") : (batch ? "batched dot" : "dot");
  }
  if (left && right) return batch ? "batched outer product" : "outer product";
  return batch ? "hadamard" : "scaling";
}

double seconds_of_copy(const StridedCopy& copy, std::int64_t element_bytes, double step_bytes, const Rates& rates) {
  const double bytes = 2 * static_cast<double>(copy.count() * element_bytes);
  const bool is_near = step_bytes <= rates.last_level.size;
  const double speed = !copy.is_transposition() ? stream_speed(rates, step_bytes)
                       : is_near                ? rates.near_transposition
                                                : rates.transposition;
  return static_cast<double>(copy.rows()) * rates.copy_row + bytes / speed;
}

/// What all plans begin with.
ContractionPlan empty_plan(const program::Contraction& contraction, const std::vector<program::Buffer>& buffers) {
  ContractionPlan plan;
  plan.dtype = buffers[static_cast<std::size_t>(contraction.out.buffer)].dtype;
  plan.flops = program::flops_of(contraction, buffers);
  plan.bytes = static_cast<double>(program::bytes_of(contraction, buffers));
  if (contraction.inputs.size() <= 2) plan.nest = nest_of(contraction, buffers);
  plan.has_right = contraction.inputs.size() == 2;
  plan.index.assign(plan.nest.loops.size(), 0);
  return plan;
}

ContractionPlan nest_plan(ContractionPlan plan, const Rates& rates) {
  const std::vector<Loop>& loops = plan.nest.loops;
  plan.kernel_class = class_of_nest(loops, plan.has_right);
  if (plan.kernel_class == "copy") {
    std::vector<CopyAxis> axes;
    for (const Loop& loop : loops) axes.push_back({loop.extent, loop.stride[Place::out], loop.stride[Place::left]});
    plan.kernel = ContractionKernel::copy;
    plan.copy = StridedCopy(std::move(axes));
    if (plan.copy.is_transposition()) plan.kernel_class = "transposition";
  } else {
    plan.kernel = ContractionKernel::nest;
    plan.loops = choose_nest(loops, size_of(plan.dtype), rates);
  }
  return plan;
}

bool has_row_kernels(const program::Contraction& contraction, Dtype type) {
  return contraction.inputs.size() <= 2 && (type == Dtype::f32 || type == Dtype::f64);
}

/// The cheapest product, of any class or of one.
std::optional<ContractionPlan> product_plan(const ContractionPlan& empty, const std::vector<ProductChoice>& choices,
                                            std::optional<ContractionClass> only, const Rates& rates) {
  std::optional<ContractionPlan> best;
  for (const ProductChoice& choice : choices) {
    const bool is_packed = choice.plan.right == arithmetic::Walk::packed;
    if (only && *only != (is_packed ? ContractionClass::packed_product : ContractionClass::product)) continue;
    ContractionPlan plan = empty;
    plan.kernel = ContractionKernel::product;
    plan.product = choice;
    plan.scratch_bytes = choice.plan.scratch_bytes;
    plan.kernel_class = class_of(choice);
    if (!best || seconds_of(plan, rates) < seconds_of(*best, rates)) best = std::move(plan);
  }
  return best;
}

}  // namespace

double seconds_of(const ContractionPlan& plan, const Rates& rates) {
  double near = 0;  // on data that are near
  switch (plan.kernel) {
    case ContractionKernel::nothing: return rates.step;
    case ContractionKernel::copy: return rates.step + seconds_of_copy(plan.copy, size_of(plan.dtype), plan.bytes, rates);
    case ContractionKernel::nest: near = seconds_of(plan.loops, size_of(plan.dtype), rates); break;
    case ContractionKernel::product: near = seconds_of(plan.product, plan.dtype, rates); break;
  }
  return rates.step + std::max(near, plan.bytes / stream_speed(rates, plan.bytes));
}

bool has_plan(const program::Contraction& contraction, const std::vector<program::Buffer>& buffers, const Rates& rates) {
  const Dtype type = buffers[static_cast<std::size_t>(contraction.out.buffer)].dtype;
  if (!is_ordinary(contraction.pair) || contraction.inputs.empty() || !is_floating(type)) return false;
  return has_row_kernels(contraction, type) || !product_choices(contraction, buffers, rates).empty();
}

ContractionPlan plan_of(const program::Contraction& contraction, const std::vector<program::Buffer>& buffers, const Rates& rates) {
  ContractionPlan plan = empty_plan(contraction, buffers);
  if (plan.flops == 0 && plan.nest.is_empty) {
    plan.kernel_class = "zero";
    return plan;
  }
  std::optional<ContractionPlan> product = product_plan(plan, product_choices(contraction, buffers, rates), std::nullopt, rates);
  if (!has_row_kernels(contraction, plan.dtype)) {
    TYTO_ASSERT(product);
    return std::move(*product);
  }
  plan = nest_plan(std::move(plan), rates);
  return product && seconds_of(*product, rates) < seconds_of(plan, rates) ? std::move(*product) : plan;
}

std::optional<ContractionPlan> plan_of(const program::Contraction& contraction, const std::vector<program::Buffer>& buffers,
                                       const Rates& rates, ContractionClass only) {
  const ContractionPlan plan = empty_plan(contraction, buffers);
  if (plan.nest.is_empty || contraction.inputs.size() < 2) return std::nullopt;
  if (only != ContractionClass::nest) return product_plan(plan, product_choices(contraction, buffers, rates), only, rates);
  if (!has_row_kernels(contraction, plan.dtype)) return std::nullopt;
  return nest_plan(plan, rates);
}

}  // namespace tyto::execute::cpu
