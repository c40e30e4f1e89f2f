// Compares by expected time: the loop nest, products on the operands where they lie, and products after packing some of them.
#include "execute/cpu/contraction_plan.hpp"
#include <algorithm>
#include "execute/cpu/packing.hpp"
#include "execute/cpu/rates.hpp"

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

/// Bytes from the first to past the last element of a buffer.
std::int64_t span_bytes(const program::Buffer& buffer) {
  std::int64_t span = 1;
  for (std::size_t axis = 0; axis < buffer.extents.size(); ++axis)
    span += std::max<std::int64_t>(buffer.extents[axis] - 1, 0) * buffer.strides[axis];
  return span * size_of(buffer.dtype);
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

ContractionPlan plan_of_one(Nest nest, std::int64_t element_bytes) {
  ContractionPlan plan;
  plan.nest = std::move(nest);
  const std::vector<Loop>& loops = plan.nest.loops;
  const double bytes = bytes_of(loops, element_bytes);
  if (class_of_nest(loops, false) == "copy") {
    std::vector<CopyAxis> axes;
    for (const Loop& loop : loops) axes.push_back({loop.extent, loop.stride[Place::out], loop.stride[Place::left]});
    plan.kernel = ContractionKernel::copy;
    plan.copy = StridedCopy(std::move(axes));
    plan.kernel_class = plan.copy.is_transposition() ? "transposition" : "copy";
    plan.seconds = rates::step + bytes / (plan.copy.is_transposition() ? rates::transposed_bytes : rates::memory_bytes);
  } else {
    plan.kernel = ContractionKernel::nest;
    plan.loops = choose_nest(loops);
    plan.kernel_class = "sum";
    plan.seconds = rates::step + std::max(plan.loops.seconds, bytes / rates::memory_bytes);
  }
  return plan;
}

/// Takes the products on packed operands where they promise to be faster than the plan so far. Bit p of `which` packs Place p.
void try_packed(ContractionPlan& plan, const std::vector<Loop>& loops, int which, std::int64_t element_bytes) {
  const PackedLayouts layouts = packed_layouts(loops, which);
  std::optional<GemmChoice> gemm = choose_gemm(fused(layouts.loops));
  if (!gemm) return;
  double seconds = rates::step + std::max(gemm->seconds, bytes_of(loops, element_bytes) / rates::memory_bytes);
  for (std::size_t place = 0; place < 3; ++place)
    if ((which >> place & 1) != 0)
      seconds += 2 * static_cast<double>(layouts.elements[place] * element_bytes) / rates::transposed_bytes + rates::step;
  if (seconds >= plan.seconds) return;
  plan.kernel = ContractionKernel::gemm;
  plan.kernel_class = class_of_gemm(*gemm, which != 0);
  plan.gemm = std::move(*gemm);
  plan.seconds = seconds;
  plan.packings = packings_of(loops, layouts, which);
  plan.scratch_bytes = 0;
  for (std::size_t place = 0; place < 3; ++place) {
    if (!plan.packings[place].used) continue;
    plan.packings[place].offset = plan.scratch_bytes;
    plan.scratch_bytes += (layouts.elements[place] * element_bytes + 63) / 64 * 64;
  }
}

ContractionPlan plan_of_two(Nest nest, std::int64_t element_bytes) {
  ContractionPlan plan;
  plan.nest = std::move(nest);
  const std::vector<Loop>& loops = plan.nest.loops;
  plan.has_right = true;
  plan.kernel = ContractionKernel::nest;
  plan.loops = choose_nest(loops);
  plan.kernel_class = class_of_nest(loops, true);
  plan.seconds = rates::step + std::max(plan.loops.seconds, bytes_of(loops, element_bytes) / rates::memory_bytes);
  for (int which = 0; which < 8; ++which) try_packed(plan, loops, which, element_bytes);
  return plan;
}

ContractionPlan plan_of_product(const program::Contraction& contraction, const std::vector<program::Buffer>& buffers) {
  const std::int64_t element_bytes = size_of(buffers[static_cast<std::size_t>(contraction.out.buffer)].dtype);
  Nest nest = nest_of(contraction, buffers);
  ContractionPlan plan;
  if (nest.is_empty) {
    plan.nest = std::move(nest);
    plan.kernel_class = "zero";
    plan.seconds = rates::step;
    return plan;
  }
  plan = contraction.inputs.size() == 1 ? plan_of_one(std::move(nest), element_bytes) : plan_of_two(std::move(nest), element_bytes);
  plan.index.assign(plan.nest.loops.size(), 0);
  return plan;
}

/// Scale and addend of the product: the kernel brings them in where it can, else they come afterwards.
void add_around(ContractionPlan& plan, const program::Contraction& contraction, const std::vector<program::Buffer>& buffers) {
  const bool has_addend = contraction.addend >= 0, has_scale = contraction.scale != 1;
  if (!has_addend && !has_scale) return;
  const program::Buffer& out = buffers[static_cast<std::size_t>(contraction.out.buffer)];
  const std::int64_t elements = element_count(out.extents);
  const double out_seconds = static_cast<double>(elements * size_of(out.dtype)) / rates::memory_bytes;
  const bool is_gemm = plan.kernel == ContractionKernel::gemm, is_nest = plan.kernel == ContractionKernel::nest && !has_scale;
  if ((is_gemm || is_nest) && !plan.packings[Place::out].used) {
    plan.scale = contraction.scale;
    plan.adds = has_addend;
    plan.flops_around = elements * ((has_addend ? 1 : 0) + (has_scale ? 1 : 0));
    if (!has_addend) return;
    plan.start = plan_of(program::Combination{{contraction.addend_scale}, {contraction.addend}, contraction.out.buffer}, buffers);
    const bool is_there =
        contraction.addend_scale == 1 && program::share_place(contraction.addend, contraction.out.buffer, buffers);
    if (!is_there) plan.seconds += 2 * out_seconds;
    return;
  }
  program::Combination finish{{contraction.scale}, {contraction.out.buffer}, contraction.out.buffer};
  if (has_addend) {
    finish.coefficients.push_back(contraction.addend_scale), finish.inputs.push_back(contraction.addend);
    plan.product_offset = plan.scratch_bytes;
    plan.scratch_bytes += (span_bytes(out) + 63) / 64 * 64;
  }
  plan.finish = plan_of(finish, buffers);
  plan.seconds += (has_addend ? 3 : 2) * out_seconds;
}

}  // namespace

ContractionPlan plan_of(const program::Contraction& contraction, const std::vector<program::Buffer>& buffers) {
  ContractionPlan plan = plan_of_product(contraction, buffers);
  add_around(plan, contraction, buffers);
  return plan;
}

}  // namespace tyto::execute::cpu
