#include "core/hamiltonian/dense.hpp"
#include <algorithm>
#include <cmath>
#include <lapacke.h>
#include <numeric>
#include <stdexcept>

namespace tyto::hamiltonian {

DenseMatrix dense_of(const Mpo& mpo) {
  // partial[b](out, in) of the sites so far
  std::vector<DenseMatrix> partial{{1, {Complex{1}}}};
  for (const tensor::Dense& w : mpo.tensors) {
    const tensor::Dense converted = tensor::Dense::copy(w.view(), Dtype::c128);
    const auto* values = converted.view().as<Complex>();
    const std::int64_t left = w.extents()[0], right = w.extents()[1], d = w.extents()[2], before = partial[0].dimension;
    std::vector<DenseMatrix> next(static_cast<std::size_t>(right));
    for (DenseMatrix& m : next) m = {before * d, std::vector<Complex>(static_cast<std::size_t>(before * d * before * d))};
    for (std::int64_t a = 0; a < left; ++a)
      for (std::int64_t b = 0; b < right; ++b)
        for (std::int64_t s = 0; s < d; ++s)
          for (std::int64_t t = 0; t < d; ++t) {
            const Complex element = values[((a * right + b) * d + s) * d + t];
            if (element == 0.0) continue;
            const DenseMatrix& from = partial[static_cast<std::size_t>(a)];
            DenseMatrix& to = next[static_cast<std::size_t>(b)];
            for (std::int64_t i = 0; i < before; ++i)
              for (std::int64_t j = 0; j < before; ++j)
                to.values[static_cast<std::size_t>((i * d + s) * to.dimension + j * d + t)] += from(i, j) * element;
          }
    partial = std::move(next);
  }
  return partial.at(0);
}

double largest_difference(const DenseMatrix& a, const DenseMatrix& b) {
  if (a.dimension != b.dimension) throw std::logic_error("matrices of different dimensions");
  double largest = 0;
  for (std::size_t k = 0; k < a.values.size(); ++k) largest = std::max(largest, std::abs(a.values[k] - b.values[k]));
  return largest;
}

std::vector<double> eigenvalues(const DenseMatrix& m) {
  std::vector<double> values(static_cast<std::size_t>(m.dimension));
  const auto n = static_cast<lapack_int>(m.dimension);
  const bool is_real = std::all_of(m.values.begin(), m.values.end(), [](Complex c) { return c.imag() == 0; });
  lapack_int info = 0;
  if (is_real) {
    std::vector<double> copy;
    for (const Complex c : m.values) copy.push_back(c.real());
    info = LAPACKE_dsyevd(LAPACK_ROW_MAJOR, 'N', 'U', n, copy.data(), n, values.data());
  } else {
    std::vector<Complex> copy = m.values;
    info = LAPACKE_zheevd(LAPACK_ROW_MAJOR, 'N', 'U', n, reinterpret_cast<lapack_complex_double*>(copy.data()), n, values.data());
  }
  if (info != 0) throw std::runtime_error("eigenvalues");
  return values;
}

namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }
void add(Vector& to, double factor, const Vector& from) {
  for (std::size_t k = 0; k < to.size(); ++k) to[k] += factor * from[k];
}

/// H v, site by site: the bond is the slowest axis of what is between.
Vector product(const Mpo& mpo, Vector v) {
  std::int64_t before = 1, after = static_cast<std::int64_t>(v.size());
  for (const tensor::Dense& w : mpo.tensors) {
    const std::int64_t left = w.extents()[0], right = w.extents()[1], d = w.extents()[2];
    const double* element = w.view().as<double>();
    after /= d;
    const std::int64_t block = before * d * after;
    Vector next(static_cast<std::size_t>(right * block));
    for (std::int64_t a = 0; a < left; ++a)
      for (std::int64_t b = 0; b < right; ++b)
        for (std::int64_t out = 0; out < d; ++out)
          for (std::int64_t in = 0; in < d; ++in, ++element) {
            if (*element == 0) continue;
            for (std::int64_t i = 0; i < before; ++i) {
              const double* const from = v.data() + a * block + (i * d + in) * after;
              double* const to = next.data() + b * block + (i * d + out) * after;
              for (std::int64_t j = 0; j < after; ++j) to[j] += *element * from[j];
            }
          }
    before *= d;
    v = std::move(next);
  }
  return v;
}

}  // namespace

double lowest_eigenvalue(const Mpo& mpo, int steps) {
  std::int64_t dimension = 1;
  for (const tensor::Dense& w : mpo.tensors) dimension *= w.extents()[2];
  std::vector<Vector> basis(1);
  for (std::int64_t k = 0; k < dimension; ++k) basis[0].push_back(std::sin(static_cast<double>(k + 1)));
  Vector diagonal, off_diagonal{std::sqrt(dot(basis[0], basis[0]))};
  for (int step = 0; step < steps; ++step) {
    for (double& value : basis.back()) value /= off_diagonal.back();
    Vector next = product(mpo, basis.back());
    diagonal.push_back(dot(next, basis.back()));
    for (int pass = 0; pass < 2; ++pass)
      for (const Vector& v : basis) add(next, -dot(next, v), v);
    off_diagonal.push_back(std::sqrt(dot(next, next)));
    basis.push_back(std::move(next));
  }
  if (LAPACKE_dsterf(static_cast<lapack_int>(diagonal.size()), diagonal.data(), off_diagonal.data() + 1) != 0)
    throw std::runtime_error("eigenvalues of a tridiagonal matrix");
  return diagonal[0];
}

DenseMatrix restricted(const DenseMatrix& m, const std::vector<std::int64_t>& states) {
  DenseMatrix part{static_cast<std::int64_t>(states.size()), {}};
  for (const std::int64_t i : states)
    for (const std::int64_t j : states) part.values.push_back(m(i, j));
  return part;
}

std::vector<std::int64_t> states_with(Charge charge, std::int64_t value, const std::vector<LocalSpace>& spaces) {
  std::vector<std::int64_t> charges{0};
  for (const LocalSpace& space : spaces) {
    std::vector<std::int64_t> next;
    for (const std::int64_t sum : charges)
      for (const BasisState& state : space.states)
        next.push_back(sum + (charge == Charge::particles ? state.particles : state.twice_sz));
    charges = std::move(next);
  }
  std::vector<std::int64_t> states;
  for (std::size_t k = 0; k < charges.size(); ++k)
    if (charges[k] == value) states.push_back(static_cast<std::int64_t>(k));
  return states;
}

}  // namespace tyto::hamiltonian
