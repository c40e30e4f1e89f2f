// From a plan and addresses to the kernel.
#include "execute/cpu/contraction_run.hpp"
#include <algorithm>
#include <array>
#include <complex>
#include <span>
#include "error/fail.hpp"

namespace tyto::execute::cpu {
namespace {

/// Of extent 2 and above: 63 of them in each operand would have more elements than an address can tell.
constexpr std::size_t most_loops = 192;

template <class T>
void run_product(const ContractionPlan& plan, T* out, const void* const* inputs, const T* addend, char* scratch, Workers& workers) {
  const ProductChoice& choice = plan.product;
  arithmetic::ProductMemory<T> memory{.out = out, .right = static_cast<const T*>(inputs[choice.right]), .scratch = scratch};
  memory.worker_scratch = workers.scratch();
  for (std::size_t f = 0; f < choice.left.size(); ++f) memory.factors[f] = static_cast<const T*>(inputs[choice.left[f]]);
  memory.addend = addend;
  arithmetic::run(choice.plan, arithmetic::product_functions<T>(choice.isa), memory,
                  T{static_cast<arithmetic::Real<T>>(plan.scale)}, workers.pool());
}

template <class T>
arithmetic::Rows<T> rows_of(const NestChoice& choice) {
  arithmetic::Rows<T> rows;
  const std::size_t left = choice.swapped ? Place::right : Place::left, right = choice.swapped ? Place::left : Place::right;
  rows.rows = choice.rows.extent;
  rows.columns = choice.columns.extent;
  rows.out_row = choice.rows.stride[Place::out];
  rows.left_row = choice.rows.stride[left];
  rows.right_row = choice.rows.stride[right];
  rows.out_column = choice.columns.stride[Place::out];
  rows.left_column = choice.columns.stride[left];
  rows.right_column = choice.columns.stride[right];
  rows.rows_summed = is_reduction(choice.rows.role);
  rows.columns_summed = is_reduction(choice.columns.role);
  return rows;
}

/// Parts of a loop nest that threads may share: pieces of one loop along which the output moves.
struct NestParts {
  enum class Shared : std::int8_t { nothing, outer, rows, columns };
  Shared shared = Shared::nothing;
  std::size_t outer = 0;  ///< which of the outer loops
  Loop loop;
  std::int64_t extent = 1, count = 1;  ///< of a part; parts
};

/// A function of the problem alone: the same parts for any number of threads.
NestParts parts_of(const NestChoice& choice, double bytes) {
  constexpr double shared_from = 1 << 20, part_bytes = 256 << 10;
  NestParts parts;
  if (bytes < shared_from) return parts;
  const auto consider = [&](const Loop& loop, NestParts::Shared which, std::size_t outer) {
    if (is_reduction(loop.role) || loop.extent <= parts.loop.extent) return;
    parts.shared = which;
    parts.outer = outer;
    parts.loop = loop;
  };
  for (std::size_t k = 0; k < choice.outer.size(); ++k) consider(choice.outer[k], NestParts::Shared::outer, k);
  if (parts.shared == NestParts::Shared::nothing || parts.loop.extent < 8) {
    consider(choice.rows, NestParts::Shared::rows, 0);
    consider(choice.columns, NestParts::Shared::columns, 0);
  }
  if (parts.shared == NestParts::Shared::nothing) return parts;
  const std::int64_t most = std::min(parts.loop.extent, static_cast<std::int64_t>(bytes / part_bytes));
  parts.extent = (parts.loop.extent + most - 1) / most;
  parts.count = (parts.loop.extent + parts.extent - 1) / parts.extent;
  return parts;
}

/// Operands of a nest and its kernel, with rows for one call.
template <class T>
struct NestRun {
  arithmetic::RowFunction<T> kernel;
  const T *left, *right;  ///< as the kernel takes them
  T* out;
  std::size_t left_place, right_place;
  bool adds;  ///< to what the output holds

  void run(arithmetic::Rows<T> rows, std::span<const Loop> outer, const Offsets& base, std::int64_t* index) const {
    for_each_point(outer, index, [&](const Offsets& at, bool is_first) {
      rows.out = out + base[Place::out] + at[Place::out];
      rows.left = left + base[left_place] + at[left_place];
      rows.right = right + base[right_place] + at[right_place];
      rows.accumulate = adds || !is_first;
      kernel(rows);
    });
  }
  void run_part(const NestChoice& choice, const NestParts& parts, std::int64_t part) const {
    std::array<Loop, most_loops> loops;
    std::array<std::int64_t, most_loops> index;
    TYTO_ASSERT(choice.outer.size() <= most_loops);
    std::copy(choice.outer.begin(), choice.outer.end(), loops.begin());
    arithmetic::Rows<T> rows = rows_of<T>(choice);
    const std::int64_t first = part * parts.extent, extent = std::min(parts.extent, parts.loop.extent - first);
    if (parts.shared == NestParts::Shared::outer) loops[parts.outer].extent = extent;
    if (parts.shared == NestParts::Shared::rows) rows.rows = extent;
    if (parts.shared == NestParts::Shared::columns) rows.columns = extent;
    Offsets base = parts.loop.stride;
    for (std::int64_t& offset : base) offset *= first;
    run(rows, std::span(loops.data(), choice.outer.size()), base, index.data());
  }
};

template <class T>
std::int64_t run_nest(ContractionPlan& plan, T* out, const T* left, const T* right, Workers& workers) {
  const NestChoice& choice = plan.loops;
  const NestRun<T> nest{.kernel = arithmetic::row_function<T>(workers.isa(), choice.kernel),
                        .left = choice.swapped ? right : left,
                        .right = choice.swapped ? left : right,
                        .out = out,
                        .left_place = choice.swapped ? std::size_t{Place::right} : std::size_t{Place::left},
                        .right_place = choice.swapped ? std::size_t{Place::left} : std::size_t{Place::right},
                        .adds = plan.adds};
  const NestParts parts = parts_of(choice, plan.bytes);
  if (parts.count == 1) nest.run(rows_of<T>(choice), choice.outer, {0, 0, 0}, plan.index.data());
  else workers.pool().run(parts.count, [&](std::int64_t part, int) { nest.run_part(choice, parts, part); });
  return choice.calls * choice.rows.extent * choice.columns.extent * plan.nest.flops_per_point;
}

template <class T>
std::int64_t run_alone(ContractionPlan& plan, StridedCopy& whole_out, T* out, const void* const* inputs, const T* addend,
                       char* scratch, Workers& workers) {
  const auto input = [&](std::size_t k) { return static_cast<const T*>(inputs[k]); };
  const T zero{0};
  if (plan.nest.clears_output && !plan.adds) whole_out.run(out, &zero, workers);
  if constexpr (arithmetic::is_complex_type<T>) {
    TYTO_ASSERT(plan.kernel == ContractionKernel::product || plan.kernel == ContractionKernel::nothing);
  } else {
    if (plan.kernel == ContractionKernel::copy) {
      plan.copy.run(out, input(0), workers);
      return plan.copy.count() * plan.nest.flops_per_point;  // a sum over an axis of one element is a copy, counted as a sum
    }
    const T scale = static_cast<T>(plan.scale);
    if (plan.kernel == ContractionKernel::nest) return run_nest(plan, out, input(0), plan.has_right ? input(1) : &scale, workers);
  }
  if (plan.kernel == ContractionKernel::nothing) return 0;
  run_product(plan, out, inputs, addend, scratch, workers);
  return plan.flops;
}

}  // namespace

template <class T>
std::int64_t run(ContractionPlan& plan, StridedCopy& whole_out, T* out, const void* const* inputs, const void* addend,
                 char* scratch, Workers& workers) {
  std::int64_t flops = plan.flops_around;
  if constexpr (!arithmetic::is_complex_type<T>) {
    const bool is_there = plan.start && addend == out && plan.start->coefficients[0] == 1;
    if (plan.start && !is_there) run_combination<T>(*plan.start, out, &addend, workers);
  }
  T* product = plan.product_offset < 0 ? out : reinterpret_cast<T*>(scratch + plan.product_offset);
  const T* added = !plan.adds ? nullptr : plan.start ? out : static_cast<const T*>(addend);
  flops += run_alone(plan, whole_out, product, inputs, added, scratch, workers);
  if constexpr (!arithmetic::is_complex_type<T>) {
    const void* const values[] = {product, addend};
    if (plan.finish) run_combination<T>(*plan.finish, out, values, workers);
  }
  return flops;
}

template std::int64_t run(ContractionPlan&, StridedCopy&, double*, const void* const*, const void*, char*, Workers&);
template std::int64_t run(ContractionPlan&, StridedCopy&, float*, const void* const*, const void*, char*, Workers&);
template std::int64_t run(ContractionPlan&, StridedCopy&, std::complex<double>*, const void* const*, const void*, char*, Workers&);
template std::int64_t run(ContractionPlan&, StridedCopy&, std::complex<float>*, const void* const*, const void*, char*, Workers&);

}  // namespace tyto::execute::cpu
