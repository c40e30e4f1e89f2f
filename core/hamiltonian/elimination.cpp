#include "hamiltonian/elimination.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tyto::hamiltonian {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
/// Coefficients are values of short formulas, or were read from text: structure in them is exact to a few units in the last place.
constexpr double rounding_of_input = 2 * eps;
/// Standard deviations that tell a number from rounding.
constexpr double certainty = 4;

}  // namespace

bool Elimination::Element::is_known() const {
  return value != 0.0 && (variance == 0 || std::norm(value) > certainty * certainty * variance);
}

Elimination::Elimination(std::int64_t rows, std::int64_t columns)
    : rows_(rows),
      columns_(columns),
      elements_(static_cast<std::size_t>(rows * columns)),
      row_order_(static_cast<std::size_t>(rows)) {
  std::iota(row_order_.begin(), row_order_.end(), 0);
}

void Elimination::set(std::int64_t row, std::int64_t column, std::complex<double> value, double magnitude) {
  at(row, column) = {value, magnitude};
}

void Elimination::run(double floor) {
  const double scale = scale_by_power_of_two();
  while (rank_ < std::min(rows_, columns_) && bring_pivot_to_front()) {
    eliminate(floor * scale * floor * scale);
    ++rank_;
  }
}

double Elimination::scale_by_power_of_two() {
  double largest = 0;
  for (const Element& e : elements_) largest = std::max(largest, std::abs(e.value));
  const double scale = largest > 0 ? std::ldexp(1.0, -std::ilogb(largest)) : 1.0;
  for (Element& e : elements_) {
    e.value *= scale;
    e.variance = std::pow(rounding_of_input * e.variance * scale, 2);
  }
  return scale;
}

bool Elimination::bring_pivot_to_front() {
  std::int64_t row = -1, column = -1;
  double largest = 0;
  for (std::int64_t i = rank_; i < rows_; ++i)
    for (std::int64_t j = rank_; j < columns_; ++j) {
      const double size = std::norm(at(i, j).value);
      if (size <= largest || !at(i, j).is_known()) continue;
      largest = size;
      row = i;
      column = j;
    }
  if (row < 0) return false;
  if (row != rank_) {
    for (std::int64_t j = 0; j < columns_; ++j) std::swap(at(row, j), at(rank_, j));
    std::swap(row_order_[static_cast<std::size_t>(row)], row_order_[static_cast<std::size_t>(rank_)]);
  }
  if (column != rank_)
    for (std::int64_t i = 0; i < rows_; ++i) std::swap(at(i, column), at(i, rank_));
  return true;
}

void Elimination::eliminate(double squared_floor) {
  const Element pivot = at(rank_, rank_);
  for (std::int64_t i = rank_ + 1; i < rows_; ++i) {
    Element& multiplier = at(i, rank_);
    if (!multiplier.is_known()) {
      multiplier = {};
      continue;
    }
    multiplier.value /= pivot.value;
    const double square = std::norm(multiplier.value);
    multiplier.variance = (multiplier.variance + square * pivot.variance) / std::norm(pivot.value);
    for (std::int64_t j = rank_ + 1; j < columns_; ++j) {
      const Element& above = at(rank_, j);
      if (above.value == 0.0 && above.variance == 0) continue;
      Element& element = at(i, j);
      const std::complex<double> product = multiplier.value * above.value;
      element.value -= product;
      element.variance += square * above.variance + std::norm(above.value) * multiplier.variance +
                          eps * eps * (std::norm(product) + std::norm(element.value));
      if (!element.is_known() || std::norm(element.value) <= squared_floor) element.value = 0;
    }
  }
}

std::vector<std::complex<double>> Elimination::combination(std::int64_t place) const {
  // The rows are L U with a unit triangle L in front; x L = l is solved from the back.
  std::vector<std::complex<double>> x(static_cast<std::size_t>(rank_));
  for (std::int64_t k = rank_ - 1; k >= 0; --k) {
    std::complex<double> value = at(place, k).value;
    double magnitude = std::abs(value);
    for (std::int64_t m = k + 1; m < rank_; ++m) {
      const std::complex<double> part = x[static_cast<std::size_t>(m)] * at(m, k).value;
      value -= part;
      magnitude += std::abs(part);
    }
    const bool is_rounding = std::abs(value) <= static_cast<double>(rank_ - k) * certainty * eps * magnitude;
    x[static_cast<std::size_t>(k)] = is_rounding ? 0 : value;
  }
  return x;
}

}  // namespace tyto::hamiltonian
