#include "hamiltonian/local_basis.hpp"
#include <algorithm>
#include <cmath>
#include <limits>

namespace tyto::hamiltonian {

namespace {

std::size_t place_of_largest(const std::vector<double>& values) {
  const auto is_smaller = [](double a, double b) { return std::abs(a) < std::abs(b); };
  return static_cast<std::size_t>(std::max_element(values.begin(), values.end(), is_smaller) - values.begin());
}

double largest(const std::vector<double>& values) { return std::abs(values[place_of_largest(values)]); }

/// What of a matrix of this size may be rounding: products of few operators, solved for combinations of as many elements.
double rounding_of(const RealMatrix& matrix) {
  return 16 * static_cast<double>(matrix.size()) * std::numeric_limits<double>::epsilon() * largest(matrix);
}

}  // namespace

LocalBasis::LocalBasis(std::int64_t dimension) {
  RealMatrix identity(static_cast<std::size_t>(dimension * dimension), 0.0);
  for (std::int64_t k = 0; k < dimension; ++k) identity[static_cast<std::size_t>(k * (dimension + 1))] = 1;
  expand(identity);
}

LocalBasis::Combination LocalBasis::expand(const RealMatrix& matrix) {
  Row rest{.values = matrix, .factors = std::vector<double>(elements_.size(), 0.0)};
  for (const Row& row : rows_) {
    const double multiple = rest.values[row.pivot] / row.values[row.pivot];
    if (multiple == 0) continue;
    for (std::size_t k = 0; k < matrix.size(); ++k) rest.values[k] -= multiple * row.values[k];
    for (std::size_t e = 0; e < row.factors.size(); ++e) rest.factors[e] += multiple * row.factors[e];
    rest.values[row.pivot] = 0;
  }
  const double rounding = rounding_of(matrix);
  if (largest(rest.values) <= rounding) {
    Combination combination;
    for (std::size_t e = 0; e < elements_.size(); ++e)
      if (std::abs(rest.factors[e]) * largest(elements_[e]) > rounding)
        combination.emplace_back(static_cast<std::int64_t>(e), rest.factors[e]);
    return combination;
  }
  for (double& factor : rest.factors) factor = -factor;
  rest.factors.push_back(1);
  rest.pivot = place_of_largest(rest.values);
  rows_.push_back(std::move(rest));
  elements_.push_back(matrix);
  return {{static_cast<std::int64_t>(elements_.size()) - 1, 1.0}};
}

LocalBasis::Combination LocalBasis::keep(const RealMatrix& matrix) {
  const std::size_t place = place_of_largest(matrix);
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const RealMatrix& element = elements_[e];
    const double multiple = element[place] == 0 ? 0 : matrix[place] / element[place];
    const auto is_same = [&](double value, double of_element) {
      return std::abs(value - multiple * of_element) <= rounding_of(matrix);
    };
    if (multiple != 0 && std::equal(matrix.begin(), matrix.end(), element.begin(), is_same))
      return {{static_cast<std::int64_t>(e), multiple}};
  }
  elements_.push_back(matrix);
  for (Row& row : rows_) row.factors.resize(elements_.size(), 0.0);
  return {{static_cast<std::int64_t>(elements_.size()) - 1, 1.0}};
}

}  // namespace tyto::hamiltonian
