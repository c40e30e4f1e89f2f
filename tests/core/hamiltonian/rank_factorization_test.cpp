#include "hamiltonian/rank_factorization.hpp"
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <random>

namespace tyto::hamiltonian {

namespace {

using Dense = std::vector<std::vector<std::complex<double>>>;
constexpr double eps = std::numeric_limits<double>::epsilon();

std::vector<CoefficientRow> sparse(const Dense& dense) {
  std::vector<CoefficientRow> rows;
  for (const auto& row : dense) {
    rows.emplace_back();
    for (std::size_t j = 0; j < row.size(); ++j)
      if (row[j] != 0.0) rows.back().push_back({static_cast<std::int64_t>(j), row[j], std::abs(row[j])});
  }
  return rows;
}

RankFactorization factorized(const Dense& dense) {
  double scale = 0;
  for (const auto& row : dense)
    for (const auto value : row) scale = std::max(scale, std::abs(value));
  return rank_factorization(sparse(dense), scale);
}

std::int64_t rank(const Dense& dense) { return static_cast<std::int64_t>(factorized(dense).right.size()); }

/// The largest error of an element beside the sum of |products| that make it.
double largest_error(const Dense& dense) {
  const RankFactorization f = factorized(dense);
  double worst = 0;
  for (std::size_t i = 0; i < dense.size(); ++i) {
    std::vector<std::complex<double>> row(dense[i].size());
    std::vector<double> magnitude(dense[i].size());
    for (const RankFactorization::Element& e : f.left)
      if (e.row == static_cast<std::int64_t>(i))
        for (const Coefficient& c : f.right[static_cast<std::size_t>(e.state)]) {
          row[static_cast<std::size_t>(c.column)] += e.value * c.value;
          magnitude[static_cast<std::size_t>(c.column)] += std::abs(e.value * c.value);
        }
    for (std::size_t j = 0; j < row.size(); ++j) {
      const double error = std::abs(row[j] - dense[i][j]);
      if (error > 0) worst = std::max(worst, error / std::max(magnitude[j], std::abs(dense[i][j])));
    }
  }
  return worst;
}

/// A product of random factors of that inner extent, with rows and columns scaled by up to 10^(+-decades).
Dense random_matrix(std::int64_t rows, std::int64_t columns, std::int64_t rank, double decades, std::mt19937& generator) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> exponent(-decades, decades);
  const auto numbers = [&](std::int64_t n, std::int64_t m) {
    Dense values(static_cast<std::size_t>(n));
    for (auto& row : values)
      for (std::int64_t k = 0; k < m; ++k) row.emplace_back(normal(generator), normal(generator));
    return values;
  };
  const Dense a = numbers(rows, rank), b = numbers(rank, columns);
  std::vector<double> by_column;
  for (std::int64_t j = 0; j < columns; ++j) by_column.push_back(std::pow(10.0, exponent(generator)));
  Dense product;
  for (const auto& row : a) {
    product.emplace_back(static_cast<std::size_t>(columns));
    const double by_row = std::pow(10.0, exponent(generator));
    for (std::size_t j = 0; j < product.back().size(); ++j) {
      for (std::size_t k = 0; k < row.size(); ++k) product.back()[j] += row[k] * b[k][j];
      product.back()[j] *= by_row * by_column[j];
    }
  }
  return product;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rank_factorizations)

BOOST_AUTO_TEST_CASE(generic_coefficients_stay_as_they_are) {
  const Dense star{{0, 0, 0, 7}, {1, 0, 0, 0.1}, {0, 2, 0, 0.2}, {0, 0, 3, 0.3}};
  BOOST_TEST(rank(star) == 4);
  BOOST_TEST(largest_error(star) == 0);
  const Dense cross{{1, 2, 3, 4}, {5, 0, 0, 0}, {6, 0, 0, 0}};
  BOOST_TEST(rank(cross) == 2);
  BOOST_TEST(largest_error(cross) == 0);
}

BOOST_AUTO_TEST_CASE(dependent_rows_are_combinations) {
  const Dense dense{{1, 2, 3}, {2, 4, 6}, {1, 1, 1}, {4, 7, 10}};
  BOOST_TEST(rank(dense) == 2);
  BOOST_TEST(largest_error(dense) <= 4 * eps);
  BOOST_TEST(rank({{1, 1}, {1, 1 + 1e-10}}) == 2);
  BOOST_TEST(rank({{1, 1}, {1, 1 + eps}}) == 1);
}

BOOST_AUTO_TEST_CASE(rank_does_not_depend_on_the_scales_of_rows_and_columns) {
  std::mt19937 generator(5);
  for (int trial = 0; trial < 100; ++trial) {
    std::uniform_int_distribution<std::int64_t> extent(1, 9);
    const std::int64_t rows = extent(generator), columns = extent(generator);
    const std::int64_t inner = 1 + extent(generator) % std::min(rows, columns);
    const double decades = trial % 2 == 0 ? 0 : 5;
    const Dense dense = random_matrix(rows, columns, inner, decades, generator);
    BOOST_TEST_CONTEXT(rows << " x " << columns << ", rank " << inner << ", decades " << decades) {
      BOOST_TEST(rank(dense) == inner);
      BOOST_TEST(largest_error(dense) <= 1000 * eps);
    }
  }
}

BOOST_AUTO_TEST_CASE(right_holds_elements_and_ones_only) {
  std::mt19937 generator(6);
  const Dense dense = random_matrix(8, 9, 3, 0, generator);
  for (const CoefficientRow& state : factorized(dense).right) {
    const auto is_row = [&](const std::vector<std::complex<double>>& row) {
      return std::all_of(state.begin(), state.end(),
                         [&](const Coefficient& c) { return row[static_cast<std::size_t>(c.column)] == c.value; });
    };
    BOOST_TEST(std::any_of(dense.begin(), dense.end(), is_row));
  }
}

BOOST_AUTO_TEST_CASE(a_matrix_without_rows_has_no_states) { BOOST_TEST(rank({}) == 0); }

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::hamiltonian
