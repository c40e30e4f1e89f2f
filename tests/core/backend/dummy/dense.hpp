#pragma once
// Small dense linear algebra for the dummy backend: matrices as rows of doubles, n of a few.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>
#include "algebra/solvers.hpp"

namespace dummy {

using Row = std::vector<double>;
using Matrix = std::vector<Row>;

inline Row numbers(const tyto::algebra::Vector& x) {
  const double* values = x.read().as<double>();
  return {values, values + x.size()};
}

inline void assign(tyto::algebra::Vector& x, const Row& values) { std::copy(values.begin(), values.end(), x.write().as<double>()); }

/// The entries of a map, column by column of the unit vectors.
inline Matrix entries(const tyto::algebra::LinearMap& a) {
  const auto x = a.domain(), y = a.range();
  Matrix matrix(static_cast<std::size_t>(y->size()), Row(static_cast<std::size_t>(x->size())));
  for (std::size_t j = 0; j < matrix.front().size(); ++j) {
    x->fill(0);
    x->write().as<double>()[j] = 1;
    a.apply(*x, *y);
    const Row column = numbers(*y);
    for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i][j] = column[i];
  }
  return matrix;
}

/// Gaussian elimination with pivoting.
inline Row solve(Matrix a, Row b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i) pivot = std::abs(a[i][k]) > std::abs(a[pivot][k]) ? i : pivot;
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

/// Cyclic Jacobi: a becomes diagonal, the rows of the result are the eigenvectors.
inline Matrix diagonalize(Matrix& a) {
  const std::size_t n = a.size();
  Matrix v(n, Row(n));
  for (std::size_t i = 0; i < n; ++i) v[i][i] = 1;
  for (int sweep = 0; sweep < 30; ++sweep) {
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t q = p + 1; q < n; ++q) {
        const double angle = 0.5 * std::atan2(2 * a[p][q], a[q][q] - a[p][p]), c = std::cos(angle), s = std::sin(angle);
        const auto rotate = [c, s](double& x, double& y) { std::tie(x, y) = std::pair(c * x - s * y, s * x + c * y); };
        for (std::size_t k = 0; k < n; ++k) rotate(a[k][p], a[k][q]);
        for (std::size_t k = 0; k < n; ++k) rotate(a[p][k], a[q][k]);
        for (std::size_t k = 0; k < n; ++k) rotate(v[p][k], v[q][k]);
      }
    }
  }
  return v;
}

/// Numbers 0..n-1 by increasing value.
inline std::vector<std::size_t> ascending(const Matrix& diagonal) {
  std::vector<std::size_t> order(diagonal.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return diagonal[i][i] < diagonal[j][j]; });
  return order;
}

}  // namespace dummy
