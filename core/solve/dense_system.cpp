#include "solve/dense_system.hpp"
#include <algorithm>
#include <cblas.h>
#include <cmath>
#include <lapacke.h>
#include "solve/narrowed.hpp"

namespace tyto::solve {

namespace {

constexpr double least_lift = 1e-12, lift_growth = 10;  // of the mean of a block's eigenvalues
constexpr int most_lifts = 12;
const double least_shift = std::sqrt(std::numeric_limits<double>::epsilon());
constexpr double shift_growth = 10, near_boundary = 0.1;
constexpr int most_shifts = 30;

double norm(const std::vector<double>& v) { return cblas_dnrm2(narrowed(static_cast<std::int64_t>(v.size())), v.data(), 1); }

/// The diagonal of a square matrix by columns, lifted.
void add_to_diagonal(std::vector<double>& a, std::int64_t n, double value) {
  for (std::int64_t i = 0; i < n; ++i) a[static_cast<std::size_t>(i * (n + 1))] += value;
}

bool factor(std::vector<double>& a, std::int64_t n) {
  return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', narrowed(n), a.data(), narrowed(n)) == 0;
}

}  // namespace

DenseSystem::DenseSystem(std::vector<double> a, std::vector<Block> blocks) : a_(std::move(a)), blocks_(std::move(blocks)) {
  TYTO_ASSERT(static_cast<std::int64_t>(a_.size()) == size() * size());
  roots_.resize(blocks_.size());
  for (std::size_t k = 0; k < blocks_.size(); ++k)
    if (blocks_[k].is_scaled) factor_block(k);
  scale_blocks();
}

void DenseSystem::factor_block(std::size_t k) {
  const std::int64_t begin = blocks_[k].begin, n = blocks_[k].end - begin;
  std::vector<double> block(static_cast<std::size_t>(n * n));
  double trace = 0;
  for (std::int64_t j = 0; j < n; ++j) {
    std::copy_n(at(begin, begin + j), n, block.data() + j * n);
    trace += *at(begin + j, begin + j);
  }
  double lift = least_lift * trace / static_cast<double>(n);
  for (int attempt = 0; attempt < most_lifts && lift > 0; ++attempt, lift *= lift_growth) {
    roots_[k] = block;
    add_to_diagonal(roots_[k], n, lift);
    if (factor(roots_[k], n)) return;
  }
  roots_[k].clear();  // a block of zeros
  blocks_[k].is_scaled = false;
}

void DenseSystem::scale_blocks() {
  const int stride = narrowed(size());
  for (std::size_t c = 0; c < blocks_.size(); ++c)
    for (std::size_t r = c; r < blocks_.size(); ++r) {
      const int rows = narrowed(blocks_[r].end - blocks_[r].begin), columns = narrowed(blocks_[c].end - blocks_[c].begin);
      double* const part = at(blocks_[r].begin, blocks_[c].begin);
      if (blocks_[r].is_scaled)
        cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, rows, columns, 1, roots_[r].data(), rows,
                    part, stride);
      if (blocks_[c].is_scaled)
        cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, rows, columns, 1, roots_[c].data(), columns,
                    part, stride);
    }
}

void DenseSystem::apply_inverse_root(bool is_transposed, double* y) const {
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    const int n = narrowed(blocks_[k].end - blocks_[k].begin);
    if (blocks_[k].is_scaled)
      cblas_dtrsv(CblasColMajor, CblasLower, is_transposed ? CblasTrans : CblasNoTrans, CblasNonUnit, n, roots_[k].data(), n,
                  y + blocks_[k].begin, 1);
  }
}

/// The factor of L^-1 A L^-T + shift and the y that it gives.
struct DenseSystem::Shifted {
  const DenseSystem& system;
  const std::vector<double>& right;
  std::vector<double> root = {}, y = {};
  double shift = least_shift;
  std::int64_t factorizations = 0;

  /// Raises the shift where rounding makes the matrix indefinite; false if it is no matrix of numbers.
  bool solve() {
    const std::int64_t n = system.size();
    for (; factorizations < most_shifts; shift *= shift_growth) {
      ++factorizations;
      root = system.a_;
      add_to_diagonal(root, n, shift);
      if (!factor(root, n)) continue;
      y = right;
      substitute(CblasNoTrans, y), substitute(CblasTrans, y);
      return std::isfinite(norm(y));
    }
    return false;
  }
  /// What Newton's method adds to the shift, |y| being too long: |y|^2 / |w|^2 (|y| - radius) / radius with w = root^-1 y.
  double correction(double radius) const {
    std::vector<double> w = y;
    substitute(CblasNoTrans, w);
    const double length = norm(y), ratio = length / norm(w);
    return ratio * ratio * (length - radius) / radius;
  }

 private:
  void substitute(CBLAS_TRANSPOSE transpose, std::vector<double>& v) const {
    const int n = narrowed(system.size());
    cblas_dtrsv(CblasColMajor, CblasLower, transpose, CblasNonUnit, n, root.data(), n, v.data(), 1);
  }
};

DenseSystem::Solution DenseSystem::solve(std::span<const double> b, double radius, std::span<double> x) const {
  std::vector<double> right(b.begin(), b.end());
  apply_inverse_root(false, right.data());
  Shifted shifted{*this, right};
  Solution solution{.length = std::numeric_limits<double>::quiet_NaN()};
  bool is_solved = shifted.solve();
  while (is_solved && shifted.factorizations < most_shifts) {
    const double length = norm(shifted.y);
    if (length <= (1 + near_boundary) * radius && (!solution.on_boundary || length >= (1 - near_boundary) * radius)) break;
    solution.on_boundary = true;
    shifted.shift = std::max(least_shift, shifted.shift + shifted.correction(radius));
    is_solved = shifted.solve();
  }
  solution.factorizations = shifted.factorizations;
  if (!is_solved) {
    std::fill(x.begin(), x.end(), solution.length);
    return solution;
  }
  solution.length = norm(shifted.y);
  apply_inverse_root(true, shifted.y.data());
  std::copy(shifted.y.begin(), shifted.y.end(), x.begin());
  return solution;
}

}  // namespace tyto::solve
