// Unknowns enter one by one, the steepest first, and leave where they would turn negative.
#include "execute/plain/nonnegative.hpp"
#include <algorithm>
#include <cmath>
#include <limits>

namespace tyto::execute::plain {

Nonnegative::Nonnegative(std::int64_t order)
    : n_(static_cast<std::size_t>(order)),
      matrix_(n_ * n_, 0),
      scale_(n_, 0),
      right_(n_, 0),
      x_(n_, 0),
      trial_(n_, 0),
      combination_(n_, 0),
      factor_(n_ * n_, 0),
      is_in_(n_, 0),
      is_barred_(n_, 0) {
  in_.reserve(n_), staying_.reserve(n_);
}

void Nonnegative::set_matrix(const double* matrix, double epsilon) {
  rounding_ = 8 * static_cast<double>(n_) * epsilon;
  for (std::size_t j = 0; j < n_; ++j) {
    const double diagonal = matrix[j + j * n_];
    scale_[j] = diagonal > 0 ? 1 / std::sqrt(diagonal) : 0;
    if (!std::isfinite(scale_[j])) scale_[j] = 0;
  }
  for (std::size_t j = 0; j < n_; ++j)
    for (std::size_t i = j; i < n_; ++i) matrix_[i + j * n_] = i == j ? 1 : matrix[i + j * n_] * scale_[i] * scale_[j];
}

/// The unknown outside along which the objective falls fastest, beyond rounding; value 0 if there is none.
Nonnegative::Slope Nonnegative::steepest() const {
  Slope found;
  for (std::size_t j = 0; j < n_; ++j) {
    double slope = right_[j], size = std::abs(right_[j]);
    for (const std::size_t i : in_) {
      const double term = matrix(j, i) * x_[i];
      slope -= term, size += std::abs(term);
    }
    found.size = std::max(found.size, size);
    const bool may_enter = is_in_[j] == 0 && is_barred_[j] == 0 && scale_[j] != 0;
    if (may_enter && slope > rounding_ * size && slope > found.value) found.value = slope, found.unknown = j;
  }
  return found;
}

/// One more row of the factor. Returns by how much roundings of M and b grow in what is left of the unknown's column and slope
/// when those inside are eliminated: 1 + the sum of |c| for the combination c of their columns nearest to it. 0, and nothing is
/// changed, where such roundings are all that is left of the column.
double Nonnegative::append(std::size_t unknown, bool is_new) {
  const std::size_t row = in_.size();
  double covered = 0, growth = 1;
  for (std::size_t j = 0; j < row; ++j) {
    double sum = matrix(unknown, in_[j]);
    for (std::size_t k = 0; k < j; ++k) sum -= factor(row, k) * factor(j, k);
    factor(row, j) = sum / factor(j, j);
    covered += factor(row, j) * factor(row, j);
  }
  for (std::size_t i = row; i-- > 0;) {
    double sum = factor(row, i);
    for (std::size_t k = i + 1; k < row; ++k) sum -= factor(k, i) * combination_[k];
    combination_[i] = sum / factor(i, i);
    growth += std::abs(combination_[i]);
  }
  const double pivot = 1 - covered;
  if (!(pivot > (is_new ? rounding_ * growth * growth : 0))) return 0;
  factor(row, row) = std::sqrt(pivot);
  in_.push_back(unknown), is_in_[unknown] = 1;
  return growth;
}

/// The unknown that came last leaves, and waits until another has come.
void Nonnegative::drop_last() {
  is_in_[in_.back()] = 0, is_barred_[in_.back()] = 1;
  in_.pop_back();
}

/// The factor anew, after unknowns have left.
void Nonnegative::refactor() {
  staying_.clear();
  for (const std::size_t unknown : in_)
    if (is_in_[unknown] != 0) staying_.push_back(unknown);
  in_.clear();
  for (const std::size_t unknown : staying_)
    if (append(unknown, false) == 0) x_[unknown] = 0, is_in_[unknown] = 0;
}

/// The minimum with only those inside, whatever their sign.
void Nonnegative::solve_inside() {
  const std::size_t count = in_.size();
  for (std::size_t i = 0; i < count; ++i) {
    double sum = right_[in_[i]];
    for (std::size_t k = 0; k < i; ++k) sum -= factor(i, k) * trial_[k];
    trial_[i] = sum / factor(i, i);
  }
  for (std::size_t i = count; i-- > 0;) {
    double sum = trial_[i];
    for (std::size_t k = i + 1; k < count; ++k) sum -= factor(k, i) * trial_[k];
    trial_[i] = sum / factor(i, i);
  }
}

/// As far towards the trial values as all stay >= 0; those that reach 0 leave.
void Nonnegative::step_back() {
  double fraction = 1;
  for (std::size_t k = 0; k < in_.size(); ++k)
    if (trial_[k] <= 0) fraction = std::min(fraction, x_[in_[k]] / (x_[in_[k]] - trial_[k]));
  for (std::size_t k = 0; k < in_.size(); ++k) {
    double& x = x_[in_[k]];
    const bool is_blocking = trial_[k] <= 0 && !(x / (x - trial_[k]) > fraction);
    x += fraction * (trial_[k] - x);
    if (is_blocking || !(x > 0)) x = 0, is_in_[in_[k]] = 0;
  }
  refactor();
}

void Nonnegative::solve(double* x) {
  constexpr std::size_t most_entries = 30;  // of each unknown: only rounding could make one come and go for ever
  if (!std::all_of(x, x + n_, [](double b) { return std::isfinite(b); })) {
    std::fill(x, x + n_, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  for (std::size_t j = 0; j < n_; ++j) right_[j] = x[j] * scale_[j];
  std::fill(x_.begin(), x_.end(), 0);
  std::fill(is_in_.begin(), is_in_.end(), char{0});
  std::fill(is_barred_.begin(), is_barred_.end(), char{0});
  in_.clear();
  for (std::size_t entry = 0; entry < most_entries * n_; ++entry) {
    const Slope slope = steepest();
    if (slope.value == 0) break;
    const double growth = append(slope.unknown, true);
    if (growth == 0) {
      is_barred_[slope.unknown] = 1;
      continue;
    }
    solve_inside();
    if (slope.value <= rounding_ * growth * slope.size || trial_[in_.size() - 1] <= 0) {  // of rounding alone
      drop_last();
      continue;
    }
    while (std::any_of(trial_.begin(), trial_.begin() + static_cast<std::ptrdiff_t>(in_.size()), [](double t) { return t <= 0; })) {
      step_back();
      solve_inside();
    }
    for (std::size_t k = 0; k < in_.size(); ++k) x_[in_[k]] = trial_[k];
    std::fill(is_barred_.begin(), is_barred_.end(), char{0});
  }
  for (std::size_t j = 0; j < n_; ++j) x[j] = x_[j] * scale_[j];
}

}  // namespace tyto::execute::plain
