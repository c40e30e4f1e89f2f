// Systems under x >= 0 against all active sets, one after another, on every executor.
#include "execute/cpu/executor.hpp"
#include "execute/reference/executor.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include "core/execute/small_program.hpp"
#include "execute/plain/nonnegative.hpp"

using namespace tyto;
using namespace tyto::execute;

namespace {

using Numbers = std::vector<double>;
using Engine = std::mt19937_64;

double normal(Engine& engine) { return std::normal_distribution<double>()(engine); }

/// Least squares |F x - d|: M = F'F and b = F'd by rows, so b is in the range of M whatever its rank.
struct Problem {
  std::size_t n = 0, rows = 0;
  Numbers factor, data, matrix, right;

  double objective(const Numbers& x) const {
    double sum = 0;
    for (std::size_t k = 0; k < rows; ++k) {
      double residual = -data[k];
      for (std::size_t i = 0; i < n; ++i) residual += factor[k * n + i] * x[i];
      sum += residual * residual / 2;
    }
    return sum;
  }
};

void set_normal_equations(Problem& p) {
  p.matrix.assign(p.n * p.n, 0), p.right.assign(p.n, 0);
  for (std::size_t k = 0; k < p.rows; ++k)
    for (std::size_t i = 0; i < p.n; ++i) {
      p.right[i] += p.factor[k * p.n + i] * p.data[k];
      for (std::size_t j = 0; j < p.n; ++j) p.matrix[i * p.n + j] += p.factor[k * p.n + i] * p.factor[k * p.n + j];
    }
}

Problem random_problem(Engine& engine, std::size_t n, std::size_t rows) {
  Problem p{.n = n, .rows = rows, .factor = Numbers(n * rows), .data = Numbers(rows), .matrix = {}, .right = {}};
  for (double& f : p.factor) f = normal(engine);
  for (double& d : p.data) d = normal(engine);
  set_normal_equations(p);
  return p;
}

/// The minimum over the unknowns of a set, by Gauss-Jordan with pivoting; nothing where their columns depend on each other.
bool solve_set(const Problem& p, const std::vector<std::size_t>& set, Numbers& x) {
  const std::size_t m = set.size();
  std::vector<Numbers> a(m, Numbers(m + 1));
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < m; ++j) a[i][j] = p.matrix[set[i] * p.n + set[j]];
    a[i][m] = p.right[set[i]];
  }
  for (std::size_t c = 0; c < m; ++c) {
    std::size_t pivot = c;
    for (std::size_t i = c; i < m; ++i)
      if (std::abs(a[i][c]) > std::abs(a[pivot][c])) pivot = i;
    if (std::abs(a[pivot][c]) < 1e-10) return false;
    std::swap(a[c], a[pivot]);
    for (std::size_t i = 0; i < m; ++i) {
      if (i == c) continue;
      const double ratio = a[i][c] / a[c][c];
      for (std::size_t j = c; j <= m; ++j) a[i][j] -= ratio * a[c][j];
    }
  }
  x.assign(p.n, 0);
  for (std::size_t i = 0; i < m; ++i) x[set[i]] = a[i][m] / a[i][i];
  return true;
}

/// The least objective over x >= 0. Some solution is positive on columns that are independent of each other, so it is enough to
/// look at those sets.
double least_objective(const Problem& p) {
  double least = p.objective(Numbers(p.n, 0));
  for (std::size_t mask = 1; mask < (std::size_t{1} << p.n); ++mask) {
    std::vector<std::size_t> set;
    for (std::size_t i = 0; i < p.n; ++i)
      if ((mask >> i & 1) != 0) set.push_back(i);
    Numbers x;
    if (!solve_set(p, set, x)) continue;
    if (std::all_of(x.begin(), x.end(), [](double value) { return value >= 0; })) least = std::min(least, p.objective(x));
  }
  return least;
}

Numbers solved(const Problem& p) {
  plain::Nonnegative solver(static_cast<std::int64_t>(p.n));
  solver.set_matrix(p.matrix.data(), std::numeric_limits<double>::epsilon());
  Numbers x = p.right;
  solver.solve(x.data());
  return x;
}

void check_minimum(const Problem& p) {
  const Numbers x = solved(p);
  for (const double value : x) BOOST_TEST(value >= 0);
  const double scale = p.objective(Numbers(p.n, 0));
  BOOST_TEST(std::abs(p.objective(x) - least_objective(p)) <= 1e-12 * scale);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(nonnegative)

BOOST_AUTO_TEST_CASE(finds_the_least_of_all_active_sets) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) BOOST_TEST_CONTEXT("seed " << seed) {
      Engine engine(seed);
      const std::size_t n = 1 + seed % 7;
      check_minimum(random_problem(engine, n, n + seed % 3));
    }
}

BOOST_AUTO_TEST_CASE(a_singular_matrix_has_its_minimum_too) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) BOOST_TEST_CONTEXT("seed " << seed) {
      Engine engine(seed);
      const std::size_t n = 2 + seed % 6;
      check_minimum(random_problem(engine, n, 1 + seed % (n - 1)));  // fewer equations than unknowns
    }
}

BOOST_AUTO_TEST_CASE(equal_columns_and_columns_of_zeros_do_no_harm) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) BOOST_TEST_CONTEXT("seed " << seed) {
      Engine engine(seed);
      Problem p = random_problem(engine, 5, 7);
      for (std::size_t k = 0; k < p.rows; ++k) p.factor[k * 5 + 1] = p.factor[k * 5], p.factor[k * 5 + 3] = 0;
      set_normal_equations(p);
      check_minimum(p);
      BOOST_TEST(solved(p)[3] == 0);
    }
}

BOOST_AUTO_TEST_CASE(no_feasible_point_is_better_however_close_the_columns) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) BOOST_TEST_CONTEXT("seed " << seed) {
      Engine engine(seed);
      const std::size_t n = 12;
      Problem p = random_problem(engine, n, 15);
      const double closeness = std::pow(10.0, -static_cast<double>(seed % 6));
      for (std::size_t k = 0; k < p.rows; ++k)  // like the factors of a swamp
        for (std::size_t i = 1; i < n; ++i) p.factor[k * n + i] = p.factor[k * n] + closeness * p.factor[k * n + i];
      set_normal_equations(p);
      const Numbers x = solved(p);
      const double found = p.objective(x);
      for (int trial = 0; trial < 50; ++trial) {
        Numbers other(n);
        for (std::size_t i = 0; i < n; ++i) other[i] = std::max(0.0, x[i] + std::pow(10.0, -trial % 6) * normal(engine));
        double roundings = p.objective(Numbers(n, 0));
        for (std::size_t i = 0; i < n; ++i) roundings += p.matrix[i * n + i] * other[i] * other[i];
        BOOST_TEST(found <= p.objective(other) + 1e-12 * roundings);
      }
    }
}

BOOST_AUTO_TEST_CASE(scales_of_unknowns_do_not_matter) {
  Engine engine(4);
  Problem p = random_problem(engine, 4, 6);
  const Numbers x = solved(p);
  const Numbers units{1e-120, 1, 1e90, 1e-3};
  for (std::size_t k = 0; k < p.rows; ++k)
    for (std::size_t i = 0; i < 4; ++i) p.factor[k * 4 + i] *= units[i];
  set_normal_equations(p);
  const Numbers other = solved(p);
  for (std::size_t i = 0; i < 4; ++i) BOOST_TEST(std::abs(other[i] * units[i] - x[i]) <= 1e-12 * (1 + std::abs(x[i])));
}

BOOST_AUTO_TEST_CASE(what_is_not_finite_stays_visible) {
  Engine engine(5);
  Problem p = random_problem(engine, 3, 4);
  p.right[1] = std::numeric_limits<double>::quiet_NaN();
  for (const double value : solved(p)) BOOST_TEST(std::isnan(value));
}

BOOST_AUTO_TEST_CASE(executors_solve_batches_with_several_right_sides) {
  for (const Dtype type : {Dtype::f64, Dtype::f32})
    for (const auto& executor : {cpu::make_executor(), reference::make_executor()}) {
      Engine engine(7);
      SmallProgram small;
      const program::BufferId matrix = small.leaf("matrix", {2, 3, 3}, type),
                              right = small.leaf("right", {2, 3, 4}, {12, 1, 3}, type), out = small.arena("out", {2, 3, 4}, type);
      small.step(program::Solve{matrix, right, out, 1, 1, operation::System::nonnegative});
      const auto instance = executor->load(small.finish(executor->model()), {});
      Numbers expected(24);
      for (std::size_t system = 0; system < 2; ++system) {
        Problem p = random_problem(engine, 3, 5);
        for (std::size_t e = 0; e < 9; ++e) small.set(small.buffer(matrix), static_cast<std::int64_t>(system * 9 + e), p.matrix[e]);
        for (std::size_t j = 0; j < 4; ++j) {
          for (double& d : p.data) d = normal(engine);
          set_normal_equations(p);
          for (std::size_t i = 0; i < 3; ++i)
            small.set(small.buffer(right), static_cast<std::int64_t>(system * 12 + i + 3 * j), p.right[i]);
          const Numbers x = solved(p);
          for (std::size_t i = 0; i < 3; ++i) expected[system * 12 + i * 4 + j] = x[i];
        }
      }
      small.bind_all(*instance);
      instance->run(0);
      const Numbers found = contents(instance->value(out));
      BOOST_REQUIRE(found.size() == expected.size());
      const double tolerance = type == Dtype::f64 ? 1e-13 : 1e-4;
      for (std::size_t e = 0; e < 24; ++e) BOOST_TEST(std::abs(found[e] - expected[e]) <= tolerance);
      BOOST_TEST(instance->counts().flops == small.made.steps[0].flops);
    }
}

BOOST_AUTO_TEST_SUITE_END()
