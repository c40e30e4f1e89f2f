// Compares by expected time: the loop nest, products on the operands where they lie, and products after packing some of them.
#include "execute/cpu/contraction_plan.hpp"
#include <algorithm>
#include <limits>
#include "execute/cpu/packing.hpp"
#include "execute/cpu/traffic.hpp"

namespace tyto::execute::cpu {
namespace {

double bytes_of(const std::vector<Loop>& loops, std::int64_t element_bytes) {
  double bytes = 0;
  for (std::size_t place = 0; place < 3; ++place) {
    auto elements = static_cast<double>(element_bytes);
    for (const Loop& loop : loops)
      if (loop.stride[place] != 0) elements *= static_cast<double>(loop.extent);
    bytes += elements;
  }
  return bytes;
}

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

std::string class_of_gemm(const GemmChoice& gemm, bool packed) {
  const std::string product = gemm.m.extent == 1 || gemm.n.extent == 1 ? "gemv" : "gemm";
  return (packed ? "transposition and " : "") + (gemm.outer.empty() ? product : "loop over " + product);
}

double seconds_of_copy(const StridedCopy& copy, std::int64_t element_bytes, const Rates& rates) {
  LoopOrder order{.loops = {}, .block = copy.is_transposition() ? std::size_t{2} : std::size_t{1}};
  for (const CopyAxis& axis : copy.axes()) order.loops.push_back({axis.extent, {axis.to, axis.from, 0}, Role::left});
  const double bytes = 2 * static_cast<double>(copy.count() * element_bytes);
  const double near =
      static_cast<double>(copy.rows()) * rates.copy_row + bytes / (copy.is_transposition() ? rates.transposition : rates.copy);
  return seconds_with_traffic(near, order, element_bytes, rates);
}

ContractionPlan plan_of_one(Nest nest, std::int64_t element_bytes, const Rates& rates) {
  ContractionPlan plan;
  plan.element_bytes = element_bytes;
  plan.nest = std::move(nest);
  const std::vector<Loop>& loops = plan.nest.loops;
  plan.bytes = bytes_of(loops, element_bytes);
  if (class_of_nest(loops, false) == "copy") {
    std::vector<CopyAxis> axes;
    for (const Loop& loop : loops) axes.push_back({loop.extent, loop.stride[Place::out], loop.stride[Place::left]});
    plan.kernel = ContractionKernel::copy;
    plan.copy = StridedCopy(std::move(axes));
    plan.kernel_class = plan.copy.is_transposition() ? "transposition" : "copy";
  } else {
    plan.kernel = ContractionKernel::nest;
    plan.loops = choose_nest(loops, element_bytes, rates);
    plan.kernel_class = "sum";
  }
  return plan;
}

/// What all plans of two operands begin with.
ContractionPlan empty_plan(const Nest& nest, std::int64_t element_bytes) {
  ContractionPlan plan;
  plan.nest = nest;
  plan.has_right = true;
  plan.element_bytes = element_bytes;
  plan.bytes = bytes_of(nest.loops, element_bytes);
  plan.index.assign(nest.loops.size(), 0);
  return plan;
}

ContractionPlan nest_plan(const Nest& nest, std::int64_t element_bytes, const Rates& rates) {
  ContractionPlan plan = empty_plan(nest, element_bytes);
  plan.kernel = ContractionKernel::nest;
  plan.loops = choose_nest(nest.loops, element_bytes, rates);
  plan.kernel_class = class_of_nest(nest.loops, true);
  return plan;
}

/// Products on packed operands; bit p of `which` packs Place p. Nothing if there are none that promise less than `limit` seconds.
std::optional<ContractionPlan> product_plan(const Nest& nest, int which, std::int64_t element_bytes, const Rates& rates,
                                            double limit) {
  const PackedLayouts layouts = packed_layouts(nest.loops, which);
  std::optional<GemmChoice> gemm = choose_gemm(fused(layouts.loops), element_bytes, rates);
  if (!gemm || seconds_of(*gemm, element_bytes, rates) >= limit) return std::nullopt;
  ContractionPlan plan = empty_plan(nest, element_bytes);
  plan.kernel = ContractionKernel::gemm;
  plan.kernel_class = class_of_gemm(*gemm, which != 0);
  plan.gemm = std::move(*gemm);
  plan.packings = packings_of(nest.loops, layouts, which);
  for (std::size_t place = 0; place < 3; ++place) {
    if (!plan.packings[place].used) continue;
    plan.packings[place].offset = plan.scratch_bytes;
    plan.scratch_bytes += (layouts.elements[place] * element_bytes + 63) / 64 * 64;
  }
  return plan;
}

/// The cheapest of the ways to pack in [first, last), if any promises less than `limit` seconds.
std::optional<ContractionPlan> best_product_plan(const Nest& nest, int first, int last, std::int64_t element_bytes,
                                                 const Rates& rates, double limit) {
  std::optional<ContractionPlan> best;
  for (int which = first; which < last; ++which) {
    std::optional<ContractionPlan> plan = product_plan(nest, which, element_bytes, rates, limit);
    const double seconds = plan ? seconds_of(*plan, rates) : limit;
    if (seconds < limit) best = std::move(plan), limit = seconds;
  }
  return best;
}

std::int64_t element_bytes_of(const program::Contraction& contraction, const std::vector<program::Buffer>& buffers) {
  return size_of(buffers[static_cast<std::size_t>(contraction.out.buffer)].dtype);
}

}  // namespace

double seconds_of(const ContractionPlan& plan, const Rates& rates) {
  double kernel = 0, packing = 0;
  switch (plan.kernel) {
    case ContractionKernel::nothing: return rates.step;
    case ContractionKernel::copy: return rates.step + seconds_of_copy(plan.copy, plan.element_bytes, rates);
    case ContractionKernel::nest: kernel = seconds_of(plan.loops, plan.element_bytes, rates); break;
    case ContractionKernel::gemm: kernel = seconds_of(plan.gemm, plan.element_bytes, rates); break;
  }
  for (const Packing& one : plan.packings)
    if (one.used) packing += rates.step + seconds_of_copy(one.copy, plan.element_bytes, rates);
  return rates.step + kernel + packing;
}

ContractionPlan plan_of(const program::Contraction& contraction, const std::vector<program::Buffer>& buffers, const Rates& rates) {
  const std::int64_t element_bytes = element_bytes_of(contraction, buffers);
  Nest nest = nest_of(contraction, buffers);
  ContractionPlan plan;
  if (nest.is_empty) {
    plan.kernel_class = "zero";
    plan.nest = std::move(nest);
  } else if (contraction.inputs.size() == 1) {
    plan = plan_of_one(std::move(nest), element_bytes, rates);
  } else {
    plan = nest_plan(nest, element_bytes, rates);
    if (auto product = best_product_plan(nest, 0, 8, element_bytes, rates, seconds_of(plan, rates))) plan = std::move(*product);
  }
  plan.index.assign(plan.nest.loops.size(), 0);
  return plan;
}

std::optional<ContractionPlan> plan_of(const program::Contraction& contraction, const std::vector<program::Buffer>& buffers,
                                       const Rates& rates, ContractionClass only) {
  const std::int64_t element_bytes = element_bytes_of(contraction, buffers);
  const Nest nest = nest_of(contraction, buffers);
  if (nest.is_empty || contraction.inputs.size() != 2) return std::nullopt;
  constexpr double no_limit = std::numeric_limits<double>::infinity();
  switch (only) {
    case ContractionClass::nest: return nest_plan(nest, element_bytes, rates);
    case ContractionClass::product: return best_product_plan(nest, 0, 1, element_bytes, rates, no_limit);
    case ContractionClass::packed_product: return best_product_plan(nest, 1, 8, element_bytes, rates, no_limit);
  }
  return std::nullopt;
}

}  // namespace tyto::execute::cpu
