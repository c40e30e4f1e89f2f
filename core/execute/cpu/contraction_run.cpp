// From a plan and addresses to the kernel.
#include "execute/cpu/contraction_run.hpp"
#include <complex>
#include "error/fail.hpp"

namespace tyto::execute::cpu {
namespace {

template <class T>
void run_product(const ProductChoice& choice, arithmetic::Isa isa, T* out, const void* const* inputs, char* scratch,
                 Workers& workers) {
  arithmetic::ProductMemory<T> memory{.out = out, .right = static_cast<const T*>(inputs[choice.right]), .scratch = scratch};
  memory.worker_scratch = workers.scratch();
  for (std::size_t f = 0; f < choice.left.size(); ++f) memory.factors[f] = static_cast<const T*>(inputs[choice.left[f]]);
  arithmetic::run(choice.plan, arithmetic::product_functions<T>(isa), memory, false, T{1}, workers.pool());
}

template <class T>
Rows<T> rows_of(const NestChoice& choice) {
  Rows<T> rows;
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

template <class T>
std::int64_t run_nest(ContractionPlan& plan, T* out, const T* left, const T* right) {
  const NestChoice& choice = plan.loops;
  const RowFunction<T> kernel = row_function<T>(choice.kernel);
  Rows<T> rows = rows_of<T>(choice);
  std::int64_t calls = 0;
  for_each_point(choice.outer, plan.index.data(), [&](const Offsets& at, bool is_first) {
    rows.out = out + at[Place::out];
    rows.left = (choice.swapped ? right : left) + at[choice.swapped ? Place::right : Place::left];
    rows.right = (choice.swapped ? left : right) + at[choice.swapped ? Place::left : Place::right];
    rows.accumulate = !is_first;
    kernel(rows);
    ++calls;
  });
  return calls * rows.rows * rows.columns * plan.nest.flops_per_point;
}

}  // namespace

template <class T>
std::int64_t run(ContractionPlan& plan, StridedCopy& whole_out, T* out, const void* const* inputs, char* scratch,
                 Workers& workers) {
  const auto input = [&](std::size_t k) { return static_cast<const T*>(inputs[k]); };
  [[maybe_unused]] const T zero{0}, one{1};
  if (plan.nest.clears_output) whole_out.run(out, &zero, workers);
  if constexpr (arithmetic::is_complex_type<T>) {
    TYTO_ASSERT(plan.kernel == ContractionKernel::product || plan.kernel == ContractionKernel::nothing);
  } else {
    if (plan.kernel == ContractionKernel::copy) {
      plan.copy.run(out, input(0), workers);
      return plan.copy.count() * plan.nest.flops_per_point;  // a sum over an axis of one element is a copy, counted as a sum
    }
    if (plan.kernel == ContractionKernel::nest) return run_nest(plan, out, input(0), plan.has_right ? input(1) : &one);
  }
  if (plan.kernel == ContractionKernel::nothing) return 0;
  run_product(plan.product, plan.product.isa, out, inputs, scratch, workers);
  return plan.flops;
}

template std::int64_t run(ContractionPlan&, StridedCopy&, double*, const void* const*, char*, Workers&);
template std::int64_t run(ContractionPlan&, StridedCopy&, float*, const void* const*, char*, Workers&);
template std::int64_t run(ContractionPlan&, StridedCopy&, std::complex<double>*, const void* const*, char*, Workers&);
template std::int64_t run(ContractionPlan&, StridedCopy&, std::complex<float>*, const void* const*, char*, Workers&);

}  // namespace tyto::execute::cpu
