#pragma once
// Random systems, their solutions by LAPACK, and what is expected of an iterative solver.
#include <boost/test/unit_test.hpp>
#include <lapacke.h>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>
#include "algebra/solvers.hpp"
#include "core/algebra/dense_map.hpp"

namespace tyto::algebra {

using Values = std::vector<double>;

/// Numbers in [-1, 1), the same everywhere.
class Numbers {
 public:
  explicit Numbers(std::uint32_t seed) : engine_(seed) {}
  double next() { return static_cast<double>(engine_()) / 2147483648.0 - 1; }
  Values take(std::int64_t count) {
    Values values(static_cast<std::size_t>(count));
    for (double& value : values) value = next();
    return values;
  }

 private:
  std::mt19937 engine_;
};

/// R R^T / n + shift I, symmetric: definite for a shift >= 0.
inline Values symmetric(std::int64_t n, Numbers& numbers, double shift) {
  const Values r = numbers.take(n * n);
  Values a(r.size());
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = i == j ? shift : 0;
      for (std::int64_t k = 0; k < n; ++k)
        sum += r[static_cast<std::size_t>(i * n + k)] * r[static_cast<std::size_t>(j * n + k)] / static_cast<double>(n);
      a[static_cast<std::size_t>(i * n + j)] = sum;
    }
  }
  return a;
}

/// Runs `body`, which must throw an Error of that code whose text contains all of `parts`.
template <class Body>
void check_error(Code code, const std::vector<std::string>& parts, Body&& body) {
  try {
    body();
    BOOST_ERROR("no error where one was expected");
  } catch (const Error& error) {
    const std::string text = error.what();
    for (const std::string& part : parts) BOOST_TEST(text.find(part) != std::string::npos, part << " is not in " << text);
    BOOST_TEST(static_cast<int>(error.findings().front().code) == static_cast<int>(code));
  }
}

inline std::int64_t order_of(const Values& matrix) { return std::lround(std::sqrt(static_cast<double>(matrix.size()))); }

/// Without symmetry, its spectrum on the right of zero.
inline Values unsymmetric(std::int64_t n, Numbers& numbers) {
  Values matrix = numbers.take(n * n);
  for (std::int64_t i = 0; i < n; ++i) matrix[static_cast<std::size_t>(i * n + i)] += 6;
  return matrix;
}

/// The map with every second row and column negated and scaled: symmetric, indefinite where the entries were definite.
inline Values with_signs(Values matrix) {
  const std::int64_t n = order_of(matrix);
  for (std::int64_t i = 0; i < n; i += 2) {
    for (std::int64_t j = 0; j < n; ++j) matrix[static_cast<std::size_t>(i * n + j)] *= i == j ? -1 : 1;
  }
  return matrix;
}

/// Rows and columns scaled from 1 to 1000, so that a preconditioner matters.
inline Values badly_scaled(Values matrix) {
  const std::int64_t n = order_of(matrix);
  const auto factor = [n](std::int64_t i) { return std::pow(1000.0, static_cast<double>(i) / static_cast<double>(n - 1)); };
  for (std::int64_t k = 0; k < n * n; ++k) matrix[static_cast<std::size_t>(k)] *= factor(k / n) * factor(k % n);
  return matrix;
}

inline DenseMap inverse_diagonal(const Values& matrix) {
  const std::int64_t n = order_of(matrix);
  Values inverse(matrix.size());
  for (std::int64_t i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i * n + i);
    inverse[k] = 1 / std::abs(matrix[k]);
  }
  return DenseMap(n, n, inverse, true);
}

inline Values by_lapack(Values matrix, Values b) {
  std::vector<lapack_int> pivots(b.size());
  const auto order = static_cast<lapack_int>(b.size());
  BOOST_REQUIRE(LAPACKE_dgesv(LAPACK_ROW_MAJOR, order, 1, matrix.data(), order, pivots.data(), b.data(), 1) == 0);
  return b;
}

inline double distance(const HostVector& x, const Values& y) {
  HostVector difference(y);
  difference.axpy(-1, x);
  return difference.norm();
}

inline void check_solution(const LinearOutcome& outcome, const DenseMap& a, const HostVector& b, const HostVector& x,
                           const Values& expected) {
  BOOST_CHECK_MESSAGE(outcome.outcome.stop == Stop::converged, outcome.outcome.reason);
  BOOST_TEST(outcome.residual == residual_norm(a, b, x));
  BOOST_TEST(outcome.residual <= 2e-12 * b.norm());
  BOOST_TEST(outcome.iterations > 0);
  BOOST_TEST(!outcome.on_boundary);
  BOOST_TEST(distance(x, expected) <= 1e-9 * HostVector(expected).norm());
}

}  // namespace tyto::algebra
