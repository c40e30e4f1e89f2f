// Gathers one system after another into f64, decomposes, scatters the solution.
#include "execute/reference/systems.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include "error/fail.hpp"
#include <fmt/format.h>
#include <lapacke.h>

namespace tyto::execute::reference {
namespace {

int narrow(std::int64_t size) {
  TYTO_ASSERT(size >= 0 && size <= std::numeric_limits<int>::max());
  return static_cast<int>(size);
}

/// Offsets of the elements over axes [first, last), row-major.
std::vector<std::int64_t> offsets(const program::Buffer& buffer, std::size_t first, std::size_t last) {
  std::vector<std::int64_t> result = {0};
  for (std::size_t axis = first; axis < last; ++axis) {
    std::vector<std::int64_t> next;
    for (const std::int64_t offset : result)
      for (std::int64_t i = 0; i < buffer.extents[axis]; ++i) next.push_back(offset + i * buffer.strides[axis]);
    result = std::move(next);
  }
  return result;
}

}  // namespace

Systems::Places Systems::places_of(const program::Buffer& buffer, std::size_t batch) {
  return {offsets(buffer, 0, batch), offsets(buffer, batch, buffer.extents.size())};
}

Systems::Systems(const program::Solve& solve, const std::vector<program::Buffer>& buffers) : semidefinite_(solve.semidefinite) {
  const program::SystemSize size = program::size_of(solve, buffers);
  order_ = size.order;
  right_sides_ = size.right_sides;
  systems_ = size.systems;
  flops_ = size.systems == 0 ? 0 : program::flops_of(solve, buffers) / size.systems;
  matrix_at_ = places_of(buffers[static_cast<std::size_t>(solve.matrix)], static_cast<std::size_t>(solve.batch));
  right_at_ = places_of(buffers[static_cast<std::size_t>(solve.right)], static_cast<std::size_t>(solve.batch));
  out_at_ = places_of(buffers[static_cast<std::size_t>(solve.out)], static_cast<std::size_t>(solve.batch));
  TYTO_ASSERT(out_at_.of_element.size() == right_at_.of_element.size());
  reserve();
}

Systems::Systems(const program::Inverse& inverse, const std::vector<program::Buffer>& buffers) : is_inverse_(true) {
  const program::SystemSize size = program::size_of(inverse, buffers);
  order_ = right_sides_ = size.order;
  systems_ = size.systems;
  flops_ = size.systems == 0 ? 0 : program::flops_of(inverse, buffers) / size.systems;
  matrix_at_ = places_of(buffers[static_cast<std::size_t>(inverse.input)], static_cast<std::size_t>(inverse.batch));
  out_at_ = places_of(buffers[static_cast<std::size_t>(inverse.out)], static_cast<std::size_t>(inverse.batch));
  reserve();
}

void Systems::reserve() {
  const int n = narrow(order_), m = narrow(right_sides_), ld = std::max(n, 1);
  matrix_.assign(static_cast<std::size_t>(order_ * order_), 0);
  x_.assign(static_cast<std::size_t>(order_ * right_sides_), 0);
  values_.assign(static_cast<std::size_t>(std::max<std::int64_t>(order_, right_sides_)), 0);
  double size = 0, unused = 0;
  int integers = 0, rank = 0;
  if (semidefinite_) {
    LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'L', n, &unused, ld, &unused, &size, -1);
  } else {
    LAPACKE_dgelsd_work(LAPACK_COL_MAJOR, n, n, m, &unused, ld, &unused, ld, &unused, 0, &rank, &size, -1, &integers);
  }
  work_.assign(static_cast<std::size_t>(size) + 1, 0);
  integers_.assign(static_cast<std::size_t>(std::max(integers, 1)), 0);
}

bool Systems::solve_symmetric(double epsilon) {
  const auto n = static_cast<std::size_t>(order_), m = static_cast<std::size_t>(right_sides_);
  const int info = LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'L', narrow(order_), matrix_.data(), narrow(order_), values_.data(),
                                      work_.data(), narrow(static_cast<std::int64_t>(work_.size())));
  if (info != 0) fail(Code::third_party, fmt::format("the eigenvalues of a symmetric matrix of order {} were not found", n));
  const double threshold = static_cast<double>(n) * epsilon * std::max(values_[n - 1], 0.0);
  bool deficient = false;
  for (std::size_t v = 0; v < n; ++v) deficient = deficient || values_[v] <= threshold;
  for (std::size_t j = 0; j < m; ++j) {
    double* x = x_.data() + j * n;
    double* sum = work_.data();  // at least 3n - 1 elements
    std::fill(sum, sum + n, 0.0);
    for (std::size_t v = 0; v < n; ++v) {
      if (values_[v] <= threshold) continue;
      const double* vector = matrix_.data() + v * n;
      double projection = 0;
      for (std::size_t i = 0; i < n; ++i) projection += vector[i] * x[i];
      for (std::size_t i = 0; i < n; ++i) sum[i] += vector[i] * projection / values_[v];
    }
    std::copy(sum, sum + n, x);
  }
  return deficient;
}

bool Systems::solve_any(double epsilon) {
  const int n = narrow(order_), m = narrow(right_sides_);
  // LAPACK reads matrices by columns: transpose.
  for (std::int64_t r = 0; r < order_; ++r)
    for (std::int64_t c = 0; c < r; ++c)
      std::swap(matrix_[static_cast<std::size_t>(r * order_ + c)], matrix_[static_cast<std::size_t>(c * order_ + r)]);
  int rank = 0;
  const int info = LAPACKE_dgelsd_work(LAPACK_COL_MAJOR, n, n, m, matrix_.data(), n, x_.data(), n, values_.data(), n * epsilon,
                                       &rank, work_.data(), narrow(static_cast<std::int64_t>(work_.size())), integers_.data());
  if (info != 0) fail(Code::third_party, fmt::format("the singular values of a matrix of order {} were not found", n));
  return rank < n;
}

template <class T>
void Systems::run(T* out, const T* matrix, const T* right, Counts& counts) {
  const auto n = static_cast<std::size_t>(order_), m = static_cast<std::size_t>(right_sides_);
  if (n == 0 || m == 0) return;
  const double epsilon = static_cast<double>(std::numeric_limits<T>::epsilon());
  for (std::size_t s = 0; s < static_cast<std::size_t>(systems_); ++s) {
    bool finite = true;
    for (std::size_t e = 0; e < n * n; ++e) {
      matrix_[e] = static_cast<double>(matrix[matrix_at_.of_system[s] + matrix_at_.of_element[e]]);
      finite = finite && std::isfinite(matrix_[e]);
    }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < m; ++j)
        x_[i + j * n] = is_inverse_ ? (i == j ? 1.0 : 0.0)
                                    : static_cast<double>(right[right_at_.of_system[s] + right_at_.of_element[i * m + j]]);
    if (!finite) {
      std::fill(x_.begin(), x_.end(), std::numeric_limits<double>::quiet_NaN());
    } else if (semidefinite_ ? solve_symmetric(epsilon) : solve_any(epsilon)) {
      ++counts.rank_deficient;
    }
    // Of an inverse, out(row, column) is x(column, row).
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < m; ++j)
        out[out_at_.of_system[s] + out_at_.of_element[i * m + j]] = static_cast<T>(is_inverse_ ? x_[j + i * n] : x_[i + j * n]);
    counts.flops += flops_;
  }
}

template void Systems::run<double>(double*, const double*, const double*, Counts&);
template void Systems::run<float>(float*, const float*, const float*, Counts&);

}  // namespace tyto::execute::reference
