// Copies in, kernel, copies out.
#include "execute/cpu/contraction_run.hpp"
#include "execute/cpu/blas.hpp"

namespace tyto::execute::cpu {
namespace {

/// One product, in BLAS's column order; an output by rows is computed as its transpose.
template <class T>
class Product {
 public:
  explicit Product(const GemmChoice& choice) : c_(choice) {
    const auto form = [](const Loop& rows, const Loop& columns, Place place) {
      return *matrix_form(rows.extent, rows.stride[place], columns.extent, columns.stride[place]);
    };
    out_ = form(c_.m, c_.n, Place::out);
    left_ = form(c_.m, c_.k, Place::left);
    right_ = form(c_.k, c_.n, Place::right);
  }

  void run(T* out, const T* left, const T* right, bool is_first, T alpha) const {
    const T beta = is_first ? T{0} : T{1};
    const std::int64_t m = c_.m.extent, n = c_.n.extent, k = c_.k.extent;
    if (n == 1) {
      const bool stored_by_columns = left_.by_columns;
      blas::gemv<T>(!stored_by_columns, stored_by_columns ? m : k, stored_by_columns ? k : m, left, left_.leading, right,
                    c_.k.stride[Place::right], beta, out, c_.m.stride[Place::out], alpha);
    } else if (m == 1) {
      const bool stored_by_columns = right_.by_columns;
      blas::gemv<T>(stored_by_columns, stored_by_columns ? k : n, stored_by_columns ? n : k, right, right_.leading, left,
                    c_.k.stride[Place::left], beta, out, c_.n.stride[Place::out], alpha);
    } else if (out_.by_columns) {
      blas::gemm<T>(!left_.by_columns, !right_.by_columns, m, n, k, left, left_.leading, right, right_.leading, beta, out,
                    out_.leading, alpha);
    } else {
      blas::gemm<T>(right_.by_columns, left_.by_columns, n, m, k, right, right_.leading, left, left_.leading, beta, out,
                    out_.leading, alpha);
    }
  }

 private:
  const GemmChoice& c_;
  MatrixForm out_, left_, right_;
};

template <class T>
std::int64_t run_gemm(ContractionPlan& plan, T* out, const T* left, const T* right) {
  const GemmChoice& choice = plan.gemm;
  const Product<T> product(choice);
  std::int64_t calls = 0;
  for_each_point(choice.outer, plan.index.data(), [&](const Offsets& at, bool is_first) {
    product.run(out + at[Place::out], left + at[Place::left], right + at[Place::right], is_first && !plan.adds,
                static_cast<T>(plan.scale));
    ++calls;
  });
  return calls * choice.m.extent * choice.n.extent * choice.k.extent * plan.nest.flops_per_point;
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
    rows.accumulate = plan.adds || !is_first;
    kernel(rows);
    ++calls;
  });
  return calls * rows.rows * rows.columns * plan.nest.flops_per_point;
}

template <class T>
std::int64_t run_product(ContractionPlan& plan, StridedCopy& whole_out, T* out, const T* left, const T* right, char* scratch) {
  const T zero = 0, one = 1;
  if (plan.nest.clears_output) whole_out.run(out, &zero);
  const auto packed = [&](Place place) { return reinterpret_cast<T*>(scratch + plan.packings[place].offset); };
  T* result = plan.packings[Place::out].used ? packed(Place::out) : out;
  if (plan.packings[Place::left].used) {
    plan.packings[Place::left].copy.run(packed(Place::left), left);
    left = packed(Place::left);
  }
  if (plan.packings[Place::right].used) {
    plan.packings[Place::right].copy.run(packed(Place::right), right);
    right = packed(Place::right);
  }
  std::int64_t flops = 0;
  switch (plan.kernel) {
    case ContractionKernel::nothing: break;
    case ContractionKernel::copy:
      plan.copy.run(out, left);
      flops = plan.copy.count() * plan.nest.flops_per_point;  // a sum over an axis of one element is a copy, counted as a sum
      break;
    case ContractionKernel::nest: flops = run_nest(plan, result, left, plan.has_right ? right : &one); break;
    case ContractionKernel::gemm: flops = run_gemm(plan, result, left, right); break;
  }
  if (plan.packings[Place::out].used) plan.packings[Place::out].copy.run(out, static_cast<const T*>(result));
  return flops;
}

}  // namespace

template <class T>
std::int64_t run(ContractionPlan& plan, StridedCopy& whole_out, T* out, const T* left, const T* right, const T* addend,
                 char* scratch) {
  std::int64_t flops = plan.flops_around;
  if (plan.start) {
    const void* const values[] = {addend};
    const bool is_there = addend == out && plan.start->coefficients[0] == 1;
    if (!is_there) flops += run_combination<T>(*plan.start, out, values);
  }
  T* product = plan.product_offset < 0 ? out : reinterpret_cast<T*>(scratch + plan.product_offset);
  flops += run_product(plan, whole_out, product, left, right, scratch);
  if (plan.finish) {
    const void* const values[] = {product, addend};
    flops += run_combination<T>(*plan.finish, out, values);
  }
  return flops;
}

template std::int64_t run<double>(ContractionPlan&, StridedCopy&, double*, const double*, const double*, const double*, char*);
template std::int64_t run<float>(ContractionPlan&, StridedCopy&, float*, const float*, const float*, const float*, char*);

}  // namespace tyto::execute::cpu
