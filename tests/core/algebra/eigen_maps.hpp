#pragma once
// Symmetric maps with known eigenvalues, for tests of eigensolvers.
#include <boost/test/unit_test.hpp>
#include <lapacke.h>
#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>
#include "algebra/solvers.hpp"
#include "core/algebra/systems.hpp"

namespace tyto::algebra {

/// A full symmetric matrix that counts its products.
class SymmetricMap final : public LinearMap {
 public:
  explicit SymmetricMap(Values row_major, bool has_diagonal = false)
      : order_(order_of(row_major)), entries_(std::move(row_major)), has_diagonal_(has_diagonal) {}
  std::unique_ptr<Vector> domain() const override { return std::make_unique<HostVector>(order_); }
  std::unique_ptr<Vector> range() const override { return domain(); }
  void apply(const Vector& x, Vector& y) const override {
    const ConstArray from = x.read();
    const Array to = y.write();
    for (std::int64_t i = 0; i < order_; ++i) {
      double sum = 0;
      for (std::int64_t j = 0; j < order_; ++j) sum += entry(i, j) * from.as<double>()[j];
      to.as<double>()[i] = sum;
    }
    ++products;
  }
  bool is_symmetric() const override { return true; }
  bool diagonal(Vector& result) const override {
    for (std::int64_t i = 0; has_diagonal_ && i < order_; ++i) result.write().as<double>()[i] = entry(i, i);
    return has_diagonal_;
  }
  const Values& entries() const { return entries_; }
  std::int64_t order() const { return order_; }
  mutable std::int64_t products = 0;

 private:
  double entry(std::int64_t i, std::int64_t j) const { return entries_[static_cast<std::size_t>(i * order_ + j)]; }
  std::int64_t order_;
  Values entries_;
  bool has_diagonal_;
};

/// R + R^T, scaled: its eigenvalues fill [-1, 1] or so, with gaps of n^(-2/3) at the ends.
inline Values semicircle(std::int64_t n, Numbers& numbers) {
  const Values r = numbers.take(n * n);
  Values a(r.size());
  for (std::int64_t k = 0; k < n * n; ++k) {
    const auto at = static_cast<std::size_t>(k), turned = static_cast<std::size_t>((k % n) * n + k / n);
    a[at] = (r[at] + r[turned]) * std::sqrt(0.375 / static_cast<double>(n));
  }
  return a;
}

/// Q diag(values) Q^T with a random orthogonal Q.
inline Values with_spectrum(const Values& values, Numbers& numbers) {
  const auto n = static_cast<std::int64_t>(values.size());
  const auto order = static_cast<lapack_int>(n);
  Values q = numbers.take(n * n), reflectors(values.size()), a(q.size());
  BOOST_REQUIRE(LAPACKE_dgeqrf(LAPACK_ROW_MAJOR, order, order, q.data(), order, reflectors.data()) == 0);
  BOOST_REQUIRE(LAPACKE_dorgqr(LAPACK_ROW_MAJOR, order, order, order, q.data(), order, reflectors.data()) == 0);
  const auto at = [n](std::int64_t i, std::int64_t j) { return static_cast<std::size_t>(i * n + j); };
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::int64_t k = 0; k < n; ++k) sum += q[at(i, k)] * values[static_cast<std::size_t>(k)] * q[at(j, k)];
      a[at(i, j)] = a[at(j, i)] = sum;
    }
  return a;
}

/// All eigenvalues by LAPACK, ascending.
inline Values spectrum_of(Values matrix) {
  const auto n = static_cast<lapack_int>(order_of(matrix));
  Values values(static_cast<std::size_t>(n));
  BOOST_REQUIRE(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'U', n, matrix.data(), n, values.data()) == 0);
  return values;
}

/// first, first + step, ...
inline Values ladder(double first, double step, std::int64_t count) {
  Values values;
  for (std::int64_t k = 0; k < count; ++k) values.push_back(first + step * static_cast<double>(k));
  return values;
}

/// A Hermitian matrix on pairs: (re, im) of each complex number one behind the other.
class HermitianMap final : public LinearMap {
 public:
  using Complex = std::complex<double>;
  explicit HermitianMap(std::vector<Complex> row_major)
      : order_(std::lround(std::sqrt(static_cast<double>(row_major.size())))), entries_(std::move(row_major)) {}
  std::unique_ptr<Vector> domain() const override { return std::make_unique<HostVector>(2 * order_); }
  std::unique_ptr<Vector> range() const override { return domain(); }
  void apply(const Vector& x, Vector& y) const override {
    const ConstArray from = x.read();
    const Array to = y.write();
    for (std::int64_t i = 0; i < order_; ++i) {
      Complex sum = 0;
      for (std::int64_t j = 0; j < order_; ++j)
        sum += entries_[static_cast<std::size_t>(i * order_ + j)] * Complex(from.as<double>()[2 * j], from.as<double>()[2 * j + 1]);
      to.as<double>()[2 * i] = sum.real(), to.as<double>()[2 * i + 1] = sum.imag();
    }
  }
  bool is_symmetric() const override { return true; }
  bool times_i(const Vector& x, Vector& y) const override {
    const ConstArray from = x.read();
    const Array to = y.write();
    for (std::int64_t i = 0; i < order_; ++i)
      to.as<double>()[2 * i] = -from.as<double>()[2 * i + 1], to.as<double>()[2 * i + 1] = from.as<double>()[2 * i];
    return true;
  }

 private:
  std::int64_t order_;
  std::vector<Complex> entries_;
};

/// U diag(values) U^H with a random unitary U.
inline std::vector<std::complex<double>> hermitian_with_spectrum(const Values& values, Numbers& numbers) {
  using Complex = std::complex<double>;
  const std::size_t n = values.size();
  std::vector<std::vector<Complex>> u;
  for (std::size_t k = 0; k < n; ++k) {
    std::vector<Complex> v(n);
    for (Complex& z : v) z = {numbers.next(), numbers.next()};
    for (int pass = 0; pass < 2; ++pass)
      for (const auto& w : u) {
        Complex part = 0;
        for (std::size_t i = 0; i < n; ++i) part += std::conj(w[i]) * v[i];
        for (std::size_t i = 0; i < n; ++i) v[i] -= part * w[i];
      }
    double square = 0;
    for (const Complex& z : v) square += std::norm(z);
    for (Complex& z : v) z /= std::sqrt(square);
    u.push_back(v);
  }
  std::vector<Complex> a(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) a[i * n + j] += values[k] * u[k][i] * std::conj(u[k][j]);
  return a;
}

inline Vectors one(HostVector vector) {
  Vectors vectors;
  vectors.push_back(std::make_unique<HostVector>(std::move(vector)));
  return vectors;
}

}  // namespace tyto::algebra
