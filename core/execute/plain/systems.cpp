// Gathers one system after another into double precision, decomposes, scatters the solution.
#include "execute/plain/systems.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include "error/fail.hpp"
#include <fmt/format.h>

namespace tyto::execute::plain {
namespace {

bool is_finite(double x) { return std::isfinite(x); }
bool is_finite(Complex x) { return std::isfinite(x.real()) && std::isfinite(x.imag()); }
double conjugate(double x) { return x; }
Complex conjugate(Complex x) { return std::conj(x); }

}  // namespace

template <>
Systems::Memory<double>& Systems::memory<double>() {
  return real_;
}
template <>
Systems::Memory<Complex>& Systems::memory<Complex>() {
  return complex_;
}

Systems::Systems(const program::Solve& solve, const std::vector<program::Buffer>& buffers) : system_(solve.system) {
  const program::SystemSize size = program::size_of(solve, buffers);
  order_ = size.order;
  right_sides_ = size.right_sides;
  systems_ = size.systems;
  flops_ = size.systems == 0 ? 0 : program::flops_of(solve, buffers) / size.systems;
  matrix_at_ = places_of(buffers[static_cast<std::size_t>(solve.matrix)], static_cast<std::size_t>(solve.batch));
  right_at_ = places_of(buffers[static_cast<std::size_t>(solve.right)], static_cast<std::size_t>(solve.batch));
  out_at_ = places_of(buffers[static_cast<std::size_t>(solve.out)], static_cast<std::size_t>(solve.batch));
  TYTO_ASSERT(out_at_.of_element.size() == right_at_.of_element.size());
  program::is_complex(buffers[static_cast<std::size_t>(solve.out)].dtype) ? reserve<Complex>() : reserve<double>();
}

Systems::Systems(const program::Inverse& inverse, const std::vector<program::Buffer>& buffers) : is_inverse_(true) {
  const program::SystemSize size = program::size_of(inverse, buffers);
  order_ = right_sides_ = size.order;
  systems_ = size.systems;
  flops_ = size.systems == 0 ? 0 : program::flops_of(inverse, buffers) / size.systems;
  matrix_at_ = places_of(buffers[static_cast<std::size_t>(inverse.input)], static_cast<std::size_t>(inverse.batch));
  out_at_ = places_of(buffers[static_cast<std::size_t>(inverse.out)], static_cast<std::size_t>(inverse.batch));
  program::is_complex(buffers[static_cast<std::size_t>(inverse.out)].dtype) ? reserve<Complex>() : reserve<double>();
}

template <class S>
void Systems::reserve() {
  Memory<S>& mem = memory<S>();
  mem.matrix.assign(static_cast<std::size_t>(order_ * order_), S(0));
  mem.x.assign(static_cast<std::size_t>(order_ * right_sides_), S(0));
  mem.sum.assign(static_cast<std::size_t>(order_), S(0));
  values_.assign(static_cast<std::size_t>(std::max<std::int64_t>(order_, right_sides_)), 0);
  if (order_ == 0 || right_sides_ == 0) return;
  if (system_ == operation::System::nonnegative) nonnegative_ = Nonnegative(order_);
  else if (system_ == operation::System::semidefinite) mem.workspace.reserve_eigen(order_);
  else mem.workspace.reserve_least_squares(order_, right_sides_);
}

template <class S>
bool Systems::solve_symmetric(double epsilon) {
  const auto n = static_cast<std::size_t>(order_), m = static_cast<std::size_t>(right_sides_);
  Memory<S>& mem = memory<S>();
  if (!eigen(order_, mem.matrix.data(), values_.data(), mem.workspace))
    fail(Code::third_party, fmt::format("the eigenvalues of a symmetric matrix of order {} were not found", n));
  // A Gram matrix carries the roundings of the sums that it is made of.
  const double threshold = 64 * static_cast<double>(n) * epsilon * std::max(values_[n - 1], 0.0);
  bool deficient = false;
  for (std::size_t v = 0; v < n; ++v) deficient = deficient || values_[v] <= threshold;
  for (std::size_t j = 0; j < m; ++j) {
    S* x = mem.x.data() + j * n;
    std::fill(mem.sum.begin(), mem.sum.end(), S(0));
    for (std::size_t v = 0; v < n; ++v) {
      if (values_[v] <= threshold) continue;
      const S* vector = mem.matrix.data() + v * n;
      S projection(0);
      for (std::size_t i = 0; i < n; ++i) projection += conjugate(vector[i]) * x[i];
      for (std::size_t i = 0; i < n; ++i) mem.sum[i] += vector[i] * projection / values_[v];
    }
    std::copy(mem.sum.begin(), mem.sum.end(), x);
  }
  return deficient;
}

template <class S>
bool Systems::solve_any(double epsilon) {
  Memory<S>& mem = memory<S>();
  const std::int64_t rank = least_squares(order_, right_sides_, mem.matrix.data(), mem.x.data(), values_.data(),
                                          static_cast<double>(order_) * epsilon, mem.workspace);
  if (rank < 0) fail(Code::third_party, fmt::format("the singular values of a matrix of order {} were not found", order_));
  return rank < order_;
}

void Systems::solve_nonnegative(double epsilon) {
  nonnegative_.set_matrix(real_.matrix.data(), epsilon);
  for (std::int64_t j = 0; j < right_sides_; ++j) nonnegative_.solve(real_.x.data() + j * order_);
}

template <class S>
bool Systems::solve_as_asked(double epsilon) {
  if (system_ == operation::System::nonnegative) {
    TYTO_ASSERT((std::is_same_v<S, double>));
    solve_nonnegative(epsilon);
    return false;
  }
  return system_ == operation::System::semidefinite ? solve_symmetric<S>(epsilon) : solve_any<S>(epsilon);
}

template <class T>
void Systems::run(T* out, const T* matrix, const T* right, Counts& counts) {
  using S = Wide<T>;
  Memory<S>& mem = memory<S>();
  const auto n = static_cast<std::size_t>(order_), m = static_cast<std::size_t>(right_sides_);
  if (n == 0 || m == 0) return;
  const double epsilon = std::is_same_v<T, float> || std::is_same_v<T, std::complex<float>>
                             ? std::numeric_limits<float>::epsilon()
                             : std::numeric_limits<double>::epsilon();
  for (std::size_t s = 0; s < static_cast<std::size_t>(systems_); ++s) {
    bool finite = true;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const S value = static_cast<S>(matrix[matrix_at_.of_group[s] + matrix_at_.of_element[i * n + j]]);
        mem.matrix[i + j * n] = value;  // LAPACK reads matrices by columns
        finite = finite && is_finite(value);
      }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < m; ++j)
        mem.x[i + j * n] =
            is_inverse_ ? S(i == j ? 1.0 : 0.0) : static_cast<S>(right[right_at_.of_group[s] + right_at_.of_element[i * m + j]]);
    if (!finite) {
      std::fill(mem.x.begin(), mem.x.end(), S(std::numeric_limits<double>::quiet_NaN()));
    } else if (solve_as_asked<S>(epsilon)) {
      ++counts.rank_deficient;
    }
    // Of an inverse, out(row, column) is x(column, row).
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < m; ++j)
        out[out_at_.of_group[s] + out_at_.of_element[i * m + j]] =
            static_cast<T>(is_inverse_ ? mem.x[j + i * n] : mem.x[i + j * n]);
    counts.flops += flops_;
  }
}

template void Systems::run<double>(double*, const double*, const double*, Counts&);
template void Systems::run<float>(float*, const float*, const float*, Counts&);
template void Systems::run<std::complex<double>>(std::complex<double>*, const std::complex<double>*, const std::complex<double>*,
                                                 Counts&);
template void Systems::run<std::complex<float>>(std::complex<float>*, const std::complex<float>*, const std::complex<float>*,
                                                Counts&);

}  // namespace tyto::execute::plain
