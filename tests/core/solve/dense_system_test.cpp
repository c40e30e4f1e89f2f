// Systems of a step, solved by factorizations, against optimality conditions that only plain sums go into.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>
#include "solve/dense_system.hpp"

namespace tyto::solve {

namespace {

using Matrix = std::vector<std::vector<double>>;

/// J^T J of a random J with `rows` rows: singular where they are fewer than n.
Matrix gram(std::size_t n, std::size_t rows, std::uint64_t seed, double scale_of_last = 1) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  Matrix j(rows, std::vector<double>(n)), a(n, std::vector<double>(n, 0));
  for (auto& row : j)
    for (std::size_t k = 0; k < n; ++k) row[k] = normal(engine) * (k + 1 == n ? scale_of_last : 1);
  for (const auto& row : j)
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = 0; q < n; ++q) a[p][q] += row[p] * row[q];
  return a;
}
std::vector<double> times(const Matrix& a, const std::vector<double>& x) {
  std::vector<double> y(a.size(), 0);
  for (std::size_t p = 0; p < a.size(); ++p)
    for (std::size_t q = 0; q < x.size(); ++q) y[p] += a[p][q] * x[q];
  return y;
}
double dot(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += x[k] * y[k];
  return sum;
}
double norm(const std::vector<double>& x) { return std::sqrt(dot(x, x)); }

/// Its blocks on the diagonal; the identity where one is not scaled.
Matrix metric(const Matrix& a, const std::vector<DenseSystem::Block>& blocks) {
  Matrix m(a.size(), std::vector<double>(a.size(), 0));
  for (const DenseSystem::Block& block : blocks)
    for (auto p = static_cast<std::size_t>(block.begin); p < static_cast<std::size_t>(block.end); ++p)
      for (auto q = static_cast<std::size_t>(block.begin); q < static_cast<std::size_t>(block.end); ++q)
        m[p][q] = block.is_scaled ? a[p][q] : (p == q ? 1 : 0);
  return m;
}

DenseSystem system_of(const Matrix& a, const std::vector<DenseSystem::Block>& blocks) {
  std::vector<double> values;
  for (const auto& column : a) values.insert(values.end(), column.begin(), column.end());
  return {values, blocks};
}

struct Solved {
  DenseSystem::Solution solution;
  std::vector<double> x;
};
Solved solved(const DenseSystem& system, const std::vector<double>& b, double radius) {
  Solved s{{}, std::vector<double>(b.size())};
  s.solution = system.solve(b, radius, s.x);
  return s;
}

std::vector<double> minus(std::vector<double> x, const std::vector<double>& y) {
  for (std::size_t k = 0; k < x.size(); ++k) x[k] -= y[k];
  return x;
}

const std::vector<DenseSystem::Block> two_blocks{{0, 4, true}, {4, 9, true}}, second_not_scaled{{0, 4, true}, {4, 9, false}};

}  // namespace

BOOST_AUTO_TEST_SUITE(dense_systems)

BOOST_AUTO_TEST_CASE(in_a_wide_region_the_system_is_solved) {
  for (const auto& blocks : {two_blocks, second_not_scaled}) {
    const Matrix a = gram(9, 20, 1);
    const std::vector<double> b = times(a, std::vector<double>(9, 1.5));
    const Solved s = solved(system_of(a, blocks), b, 1e6);
    BOOST_TEST(norm(minus(times(a, s.x), b)) < 1e-6 * norm(b));
    BOOST_TEST(!s.solution.on_boundary);
    BOOST_TEST(s.solution.factorizations == 1);
    BOOST_TEST(std::abs(s.solution.length - std::sqrt(dot(s.x, times(metric(a, blocks), s.x)))) < 1e-9 * s.solution.length);
  }
}

// x is the least point of the model on the boundary exactly if (A + shift M) x = b for some shift >= 0.
BOOST_AUTO_TEST_CASE(on_the_boundary_the_residual_is_a_multiple_of_m_x) {
  for (const auto& blocks : {two_blocks, second_not_scaled})
    for (const double radius : {1e-3, 0.1, 1.0}) {
      const Matrix a = gram(9, 20, 2), m = metric(a, blocks);
      const std::vector<double> b = times(a, std::vector<double>{9, -8, 7, -6, 5, -4, 3, -2, 1});
      const Solved s = solved(system_of(a, blocks), b, radius);
      BOOST_TEST(s.solution.on_boundary);
      BOOST_TEST(std::abs(std::sqrt(dot(s.x, times(m, s.x))) - s.solution.length) < 1e-9 * radius);
      BOOST_TEST(std::abs(s.solution.length - radius) <= 0.1001 * radius);
      const std::vector<double> residual = minus(b, times(a, s.x)), direction = times(m, s.x);
      const double shift = dot(residual, direction) / dot(direction, direction);
      BOOST_TEST(shift > 0);
      std::vector<double> shifted = direction;
      for (double& v : shifted) v *= shift;
      BOOST_TEST(norm(minus(residual, shifted)) < 1e-9 * norm(b));
    }
}

// As the matrix of every CP is: scales of columns are not determined.
BOOST_AUTO_TEST_CASE(singular_matrices_leave_their_null_space_alone) {
  const Matrix a = gram(9, 6, 3);
  const std::vector<double> b = times(a, std::vector<double>(9, 1));
  for (const auto& blocks : {std::vector<DenseSystem::Block>{{0, 4, true}, {4, 9, true}}, {{0, 9, false}}}) {
    const Solved s = solved(system_of(a, blocks), b, 1e6);
    BOOST_TEST(norm(minus(times(a, s.x), b)) < 1e-5 * norm(b));
    BOOST_TEST(s.solution.length < 100);  // a part of x that A does not see would be of order b / shift
  }
}

BOOST_AUTO_TEST_CASE(blocks_of_zeros_and_of_any_scale) {
  const Matrix zero(9, std::vector<double>(9, 0));
  const Solved none = solved(system_of(zero, two_blocks), std::vector<double>(9, 0), 1);
  BOOST_TEST(norm(none.x) == 0);
  const Matrix a = gram(9, 20, 4, 1e-9);
  std::vector<double> x(9, 1);
  x[8] = 1e9;
  const Solved s = solved(system_of(a, {{0, 8, true}, {8, 9, true}}), times(a, x), 1e9);
  for (std::size_t k = 0; k < 9; ++k) BOOST_TEST(std::abs(s.x[k] / x[k] - 1) < 1e-6);
}

BOOST_AUTO_TEST_CASE(what_is_no_number_is_reported) {
  Matrix a = gram(9, 20, 5);
  a[3][2] = a[2][3] = std::numeric_limits<double>::quiet_NaN();
  const Solved s = solved(system_of(a, two_blocks), std::vector<double>(9, 1), 1);
  BOOST_TEST(std::isnan(s.solution.length));
  BOOST_TEST(std::isnan(s.x[0]));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::solve
