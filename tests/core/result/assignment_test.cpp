#include "result/assignment.hpp"
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <numeric>
#include <random>

using namespace tyto::result;

namespace {

double total(const std::vector<double>& gains, std::int64_t columns, const std::vector<std::int64_t>& column_of) {
  double sum = 0;
  for (std::size_t row = 0; row < column_of.size(); ++row)
    if (column_of[row] >= 0) sum += gains[row * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column_of[row])];
  return sum;
}

/// The most that any permutation gives; rows <= columns.
double best_of_all(const std::vector<double>& gains, std::int64_t rows, std::int64_t columns) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(columns));
  std::iota(order.begin(), order.end(), 0);
  double best = -1e300;
  do {
    best = std::max(best, total(gains, columns, {order.begin(), order.begin() + rows}));
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

std::vector<double> transposed(const std::vector<double>& gains, std::int64_t rows, std::int64_t columns) {
  std::vector<double> out;
  for (std::int64_t j = 0; j < columns; ++j)
    for (std::int64_t i = 0; i < rows; ++i) out.push_back(gains[static_cast<std::size_t>(i * columns + j)]);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(assignment)

BOOST_AUTO_TEST_CASE(the_best_of_all_is_not_the_greedy_one) {
  BOOST_TEST((best_assignment({10, 9, 9, 0}, 2, 2) == std::vector<std::int64_t>{1, 0}));  // not 10 + 0
}

BOOST_AUTO_TEST_CASE(no_permutation_gives_more) {
  std::mt19937 generator(3);
  for (int round = 0; round < 200; ++round) {
    const auto columns = static_cast<std::int64_t>(1 + generator() % 6),
               rows = static_cast<std::int64_t>(1 + generator() % static_cast<unsigned>(columns));
    std::vector<double> gains(static_cast<std::size_t>(rows * columns));
    const bool has_ties = round % 2 == 0;
    for (double& g : gains)
      g = has_ties ? static_cast<double>(generator() % 4) - 2 : static_cast<double>(generator()) / 2147483648.0 - 1;
    const double best = best_of_all(gains, rows, columns), tolerance = 1e-12;
    const std::vector<std::int64_t> column_of = best_assignment(gains, rows, columns);
    BOOST_TEST(std::abs(total(gains, columns, column_of) - best) <= tolerance);
    std::vector<std::int64_t> sorted = column_of;
    std::sort(sorted.begin(), sorted.end());
    BOOST_TEST((std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()));
    BOOST_TEST((sorted.front() >= 0 && sorted.back() < columns));

    const std::vector<std::int64_t> tall = best_assignment(transposed(gains, rows, columns), columns, rows);
    BOOST_TEST(std::abs(total(transposed(gains, rows, columns), rows, tall) - best) <= tolerance);
    BOOST_TEST(std::count(tall.begin(), tall.end(), -1) == columns - rows);
  }
}

BOOST_AUTO_TEST_CASE(a_hidden_permutation_of_a_hundred_is_found) {
  const std::int64_t n = 100;
  std::vector<std::int64_t> hidden(static_cast<std::size_t>(n));
  std::iota(hidden.begin(), hidden.end(), 0);
  std::mt19937 generator(5);
  std::shuffle(hidden.begin(), hidden.end(), generator);
  std::vector<double> gains;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      gains.push_back((hidden[static_cast<std::size_t>(i)] == j ? 1 : 0) + static_cast<double>(generator()) / 4294967296.0);
  BOOST_TEST((best_assignment(gains, n, n) == hidden));  // any pair of others gains less than 2
}

BOOST_AUTO_TEST_SUITE_END()
