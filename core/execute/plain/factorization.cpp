#include "execute/plain/factorization.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include "error/fail.hpp"

namespace tyto::execute::plain {
namespace {

double conjugate(double x) { return x; }
Complex conjugate(Complex x) { return std::conj(x); }
bool is_finite(double x) { return std::isfinite(x); }
bool is_finite(Complex x) { return std::isfinite(x.real()) && std::isfinite(x.imag()); }

/// The phase of the largest entry of a column, which the column is freed from; entries that agree to rounding are equally large,
/// and then the first counts.
template <class S>
S phase_of_column(const S* column, std::int64_t n) {
  double largest = 0;
  for (std::int64_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(column[i]));
  constexpr double nearly = 1 - 1e-9;
  for (std::int64_t i = 0; i < n; ++i)
    if (std::abs(column[i]) > nearly * largest && largest > 0) return column[i] / std::abs(column[i]);
  return S(1);
}

}  // namespace

template <>
Factorization::Memory<double>& Factorization::memory<double>() {
  return real_;
}
template <>
Factorization::Memory<Complex>& Factorization::memory<Complex>() {
  return complex_;
}
template <>
std::vector<double>& Factorization::packed<double>() {
  return packed_real_;
}
template <>
std::vector<Complex>& Factorization::packed<Complex>() {
  return packed_complex_;
}

Factorization::Factorization(const program::Factorization& f, const std::vector<program::Buffer>& buffers)
    : decomposition_(f.decomposition) {
  const program::Buffer &in = buffers[static_cast<std::size_t>(f.input)], &out = buffers[static_cast<std::size_t>(f.out)];
  const program::MatrixSize size = program::size_of(f, buffers);
  n_ = size.rows, m_ = size.columns, k_ = std::min(n_, m_);
  in_ = places_of(in, in.extents.size() - 2);
  out_ = places_of(out, out.extents.size() - 1);
  values_.assign(static_cast<std::size_t>(k_), 0);
  program::is_complex(in.dtype) ? reserve<Complex>() : reserve<double>();
}

template <class S>
void Factorization::reserve() {
  Memory<S>& mem = memory<S>();
  mem.a.assign(static_cast<std::size_t>(n_ * m_), S(0));
  mem.left.assign(static_cast<std::size_t>(n_ * k_), S(0));
  mem.right.assign(static_cast<std::size_t>(k_ * m_), S(0));
  mem.phases.assign(static_cast<std::size_t>(k_), S(1));
  std::int64_t total = 0;
  for (const std::int64_t part : program::part_sizes(decomposition_, n_, m_)) total += part;
  packed<S>().assign(static_cast<std::size_t>(total), S(0));
  switch (decomposition_) {
    case operation::Decomposition::cholesky: break;
    case operation::Decomposition::qr: mem.workspace.reserve_qr(n_, m_); break;
    case operation::Decomposition::svd:
      mem.copy = mem.a;
      mem.workspace.reserve_svd(n_, m_);
      break;
    case operation::Decomposition::eigen: mem.workspace.reserve_eigen(n_); break;
  }
}

template <class S>
bool Factorization::factorize() {
  Memory<S>& mem = memory<S>();
  S *a = mem.a.data(), *packed_to = packed<S>().data();
  const auto find_phases = [&](const S* columns) {
    for (std::int64_t j = 0; j < k_; ++j)
      mem.phases[static_cast<std::size_t>(j)] = conjugate(phase_of_column(columns + j * n_, n_));
  };
  const auto phase = [&](std::int64_t j) { return mem.phases[static_cast<std::size_t>(j)]; };
  const auto put = [&](std::int64_t rows, std::int64_t columns, auto&& entry) {
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j) *packed_to++ = entry(i, j);
  };
  switch (decomposition_) {
    case operation::Decomposition::cholesky: {
      if (!cholesky(n_, a)) return false;
      put(n_, n_, [&](std::int64_t i, std::int64_t j) { return j <= i ? a[i + j * n_] : S(0); });
      return true;
    }
    case operation::Decomposition::qr: {
      S* r = mem.right.data();
      qr(n_, m_, a, r, mem.workspace);
      for (std::int64_t j = 0; j < m_; ++j) {
        const S d = r[j + j * m_];
        mem.phases[static_cast<std::size_t>(j)] = d == S(0) ? S(1) : d / std::abs(d);
      }
      put(n_, m_, [&](std::int64_t i, std::int64_t j) { return a[i + j * n_] * phase(j); });
      put(m_, m_, [&](std::int64_t i, std::int64_t j) { return r[i + j * m_] * conjugate(phase(i)); });
      return true;
    }
    case operation::Decomposition::svd: {
      S *u = mem.left.data(), *vh = mem.right.data();
      if (!svd(n_, m_, a, u, values_.data(), vh, mem.copy.data(), mem.workspace)) return false;
      find_phases(u);
      put(n_, k_, [&](std::int64_t i, std::int64_t j) { return u[i + j * n_] * phase(j); });
      put(1, k_, [&](std::int64_t, std::int64_t j) { return S(values_[static_cast<std::size_t>(j)]); });
      put(m_, k_, [&](std::int64_t i, std::int64_t j) { return conjugate(vh[j + i * k_]) * phase(j); });
      return true;
    }
    case operation::Decomposition::eigen: {
      if (!eigen(n_, a, values_.data(), mem.workspace)) return false;
      find_phases(a);
      put(1, n_, [&](std::int64_t, std::int64_t j) { return S(values_[static_cast<std::size_t>(j)]); });
      put(n_, n_, [&](std::int64_t i, std::int64_t j) { return a[i + j * n_] * phase(j); });
      return true;
    }
  }
  return false;
}

template <class T>
void Factorization::run(T* out, const T* in, Counts& counts) {
  using S = Wide<T>;
  const bool is_empty = n_ == 0 || m_ == 0;
  for (std::size_t g = 0; g < in_.of_group.size() && !is_empty; ++g) {
    std::vector<S>& a = memory<S>().a;
    bool exists = true;
    for (std::int64_t i = 0; i < n_; ++i)
      for (std::int64_t j = 0; j < m_; ++j) {
        const S value = static_cast<S>(in[in_.of_group[g] + in_.of_element[static_cast<std::size_t>(i * m_ + j)]]);
        a[static_cast<std::size_t>(i + j * n_)] = value;
        exists = exists && is_finite(value);
      }
    exists = exists && factorize<S>();
    if (!exists) ++counts.not_factorized;
    const std::vector<S>& packed_from = packed<S>();
    for (std::size_t e = 0; e < out_.of_element.size(); ++e)
      out[out_.of_group[g] + out_.of_element[e]] =
          exists ? static_cast<T>(packed_from[e]) : T(std::numeric_limits<double>::quiet_NaN());
  }
}

template void Factorization::run<double>(double*, const double*, Counts&);
template void Factorization::run<float>(float*, const float*, Counts&);
template void Factorization::run<std::complex<double>>(std::complex<double>*, const std::complex<double>*, Counts&);
template void Factorization::run<std::complex<float>>(std::complex<float>*, const std::complex<float>*, Counts&);

}  // namespace tyto::execute::plain
