// Compares by expected time: the loop nest, and products on the operands where they lie.
#include "execute/cpu/contraction_plan.hpp"
#include <algorithm>
#include "error/fail.hpp"
#include "execute/cpu/element_type.hpp"
#include "execute/cpu/traffic.hpp"

namespace tyto::execute::cpu {
namespace {

bool has(const std::vector<Loop>& loops, Role role) {
  return std::any_of(loops.begin(), loops.end(), [role](const Loop& loop) { return loop.role == role; });
}

/// Bytes from the first to past the last element of a buffer.
std::int64_t span_bytes(const program::Buffer& buffer) {
  std::int64_t span = 1;
  for (std::size_t axis = 0; axis < buffer.extents.size(); ++axis)
    span += std::max<std::int64_t>(buffer.extents[axis] - 1, 0) * buffer.strides[axis];
  return span * size_of(buffer.dtype);
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

double seconds_of_copy(const StridedCopy& copy, std::int64_t element_bytes, const Rates& rates) {
  LoopOrder order{.loops = {}, .block = copy.is_transposition() ? std::size_t{2} : std::size_t{1}};
  for (const CopyAxis& axis : copy.axes()) order.loops.push_back({axis.extent, {axis.to, axis.from, 0}, Role::left});
  const double bytes = 2 * static_cast<double>(copy.count() * element_bytes);
  const double near =
      static_cast<double>(copy.rows()) * rates.copy_row + bytes / (copy.is_transposition() ? rates.transposition : rates.copy);
  return seconds_with_traffic(near, order, element_bytes, rates);
}

bool repeats_label(const program::Operand& operand) {
  einsum::Labels labels = operand.labels;
  std::sort(labels.begin(), labels.end());
  return std::adjacent_find(labels.begin(), labels.end()) != labels.end();
}

/// What all plans begin with.
ContractionPlan empty_plan(const program::Contraction& contraction, const std::vector<program::Buffer>& buffers,
                           const Rates& rates) {
  ContractionPlan plan;
  const program::Buffer& out = buffers[static_cast<std::size_t>(contraction.out.buffer)];
  plan.dtype = out.dtype;
  program::Contraction alone = contraction;
  alone.scale = 1, alone.addend = -1;
  plan.flops = program::flops_of(alone, buffers);
  plan.bytes = static_cast<double>(program::bytes_of(alone, buffers));
  if (contraction.inputs.size() <= 2) {
    plan.nest = nest_of(contraction, buffers);
  } else {
    const std::vector<OperandLoop> loops = operand_loops(contraction, buffers);
    plan.nest.is_empty = std::any_of(loops.begin(), loops.end(), [](const OperandLoop& loop) { return loop.extent == 0; });
    plan.nest.clears_output = plan.nest.is_empty || repeats_label(contraction.out);
  }
  if (plan.nest.clears_output) {
    const auto bytes = static_cast<double>(element_count(out.extents) * size_of(out.dtype));
    plan.seconds_clearing = bytes / stream_speed(rates, bytes);
  }
  plan.has_right = contraction.inputs.size() == 2;
  plan.index.assign(plan.nest.loops.size(), 0);
  return plan;
}

ContractionPlan nest_plan(ContractionPlan plan, const Rates& rates) {
  const std::vector<Loop>& loops = plan.nest.loops;
  plan.kernel_class = class_of_nest(loops, plan.has_right);
  const bool is_copy = plan.kernel_class == "copy";
  if (is_copy && plan.nest.clears_output) plan.kernel_class = "copy to a diagonal";
  if (is_copy && !plan.nest.clears_output) {
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

/// Scale and addend of the product: the kernel brings them in where it can, else they come afterwards.
void add_around(ContractionPlan& plan, const program::Contraction& contraction, const std::vector<program::Buffer>& buffers,
                const Rates& rates) {
  const bool has_addend = contraction.addend >= 0, has_scale = contraction.scale != 1;
  if (!has_addend && !has_scale) return;
  const program::Buffer& out = buffers[static_cast<std::size_t>(contraction.out.buffer)];
  const auto bytes = static_cast<double>(element_count(out.extents) * size_of(out.dtype));
  const double out_seconds = bytes / stream_speed(rates, bytes);
  plan.flops_around = program::flops_of(contraction, buffers) - plan.flops;
  const bool is_nest = plan.kernel == ContractionKernel::nest && (!has_scale || !plan.has_right);
  if (is_nest || plan.kernel == ContractionKernel::product) {
    plan.scale = contraction.scale;
    plan.adds = has_addend;
    if (!has_addend) return;
    plan.seconds_clearing = 0;  // the addend is there instead
    const program::Buffer& addend = buffers[static_cast<std::size_t>(contraction.addend)];
    if (plan.kernel == ContractionKernel::product && contraction.addend_scale == 1 && addend.strides == out.strides &&
        !plan.nest.clears_output) {
      plan.seconds_around = program::share_place(contraction.addend, contraction.out.buffer, buffers) ? 0 : out_seconds;
      return;
    }
    plan.start = plan_of(program::Combination{{contraction.addend_scale}, {contraction.addend}, contraction.out.buffer}, buffers);
    const bool is_there =
        contraction.addend_scale == 1 && program::share_place(contraction.addend, contraction.out.buffer, buffers);
    if (!is_there) plan.seconds_around = 2 * out_seconds;
    return;
  }
  program::Combination finish{{contraction.scale}, {contraction.out.buffer}, contraction.out.buffer};
  if (has_addend) {
    finish.coefficients.push_back(contraction.addend_scale), finish.inputs.push_back(contraction.addend);
    plan.product_offset = plan.scratch_bytes;
    plan.scratch_bytes += (span_bytes(out) + 63) / 64 * 64;
  }
  plan.finish = plan_of(finish, buffers);
  plan.seconds_around = (has_addend ? 3 : 2) * out_seconds;
}

/// The cheapest plan of the products and sums alone.
ContractionPlan plan_alone(const program::Contraction& contraction, const std::vector<program::Buffer>& buffers,
                           const Rates& rates) {
  ContractionPlan plan = empty_plan(contraction, buffers, rates);
  if (plan.nest.is_empty) {
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

}  // namespace

double seconds_of(const ContractionPlan& plan, const Rates& rates) {
  double kernel = 0;
  switch (plan.kernel) {
    case ContractionKernel::nothing: return rates.step;
    case ContractionKernel::copy: return rates.step + seconds_of_copy(plan.copy, size_of(plan.dtype), rates) + plan.seconds_around;
    case ContractionKernel::nest: kernel = seconds_of(plan.loops, size_of(plan.dtype), rates); break;
    case ContractionKernel::product:
      kernel = std::max(seconds_of(plan.product, plan.dtype, rates), plan.bytes / stream_speed(rates, plan.bytes));
      break;
  }
  return rates.step + kernel + plan.seconds_clearing + plan.seconds_around;
}

bool has_plan(const program::Contraction& contraction, const std::vector<program::Buffer>& buffers, const Rates& rates) {
  const Dtype type = buffers[static_cast<std::size_t>(contraction.out.buffer)].dtype;
  if (!is_ordinary(contraction.pair) || contraction.inputs.empty() || !is_floating(type)) return false;
  const bool has_around = contraction.addend >= 0 || contraction.scale != 1;
  if (program::is_complex(type) && has_around) return false;
  return has_row_kernels(contraction, type) || !product_choices(contraction, buffers, rates).empty();
}

ContractionPlan plan_of(const program::Contraction& contraction, const std::vector<program::Buffer>& buffers, const Rates& rates) {
  ContractionPlan plan = plan_alone(contraction, buffers, rates);
  add_around(plan, contraction, buffers, rates);
  return plan;
}

std::optional<ContractionPlan> plan_of(const program::Contraction& contraction, const std::vector<program::Buffer>& buffers,
                                       const Rates& rates, ContractionClass only) {
  const ContractionPlan empty = empty_plan(contraction, buffers, rates);
  if (empty.nest.is_empty || contraction.inputs.size() < 2) return std::nullopt;
  std::optional<ContractionPlan> plan;
  if (only != ContractionClass::nest) plan = product_plan(empty, product_choices(contraction, buffers, rates), only, rates);
  else if (has_row_kernels(contraction, empty.dtype)) plan = nest_plan(empty, rates);
  if (plan) add_around(*plan, contraction, buffers, rates);
  return plan;
}

}  // namespace tyto::execute::cpu
