// Linear systems and inverses: random ones against the reference, and those whose matrix is singular.
#include "execute/cpu/executor.hpp"
#include "execute/reference/executor.hpp"

#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include "core/execute/random_layout.hpp"
#include "core/execute/small_program.hpp"

using namespace tyto;
using namespace tyto::execute;
using program::BufferId;

namespace {

struct Solved {
  std::vector<double> values;
  Counts counts;
};

Solved solved_on(const Executor& executor, SmallProgram& small, BufferId out) {
  const auto instance = executor.load(small.finish(executor.model()), {});
  small.bind_all(*instance);
  instance->run(0);
  instance->run(0);
  BOOST_TEST(instance->counts().flops == 2 * small.made.steps[0].flops);
  return {contents(instance->value(out)), instance->counts()};
}

/// Offset of row r, column c of a buffer whose axes are batch, row axes, column axes in row-major order.
std::int64_t offset_of(const program::Buffer& buffer, std::int64_t linear) {
  std::int64_t offset = 0;
  for (std::size_t a = buffer.extents.size(); a-- > 0;) {
    offset += linear % buffer.extents[a] * buffer.strides[a];
    linear /= buffer.extents[a];
  }
  return offset;
}

double uniform(Engine& engine) { return std::uniform_real_distribution<double>(-1, 1)(engine); }

/// B'B + shift, with a factor of `rank` rows.
std::vector<double> gram(Engine& engine, std::int64_t n, std::int64_t rank, double shift) {
  std::vector<double> factor(static_cast<std::size_t>(n * rank)), result(static_cast<std::size_t>(n * n), 0);
  for (double& value : factor) value = uniform(engine);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      double& sum = result[static_cast<std::size_t>(i * n + j)];
      for (std::int64_t k = 0; k < rank; ++k)
        sum += factor[static_cast<std::size_t>(k * n + i)] * factor[static_cast<std::size_t>(k * n + j)];
      sum += i == j ? shift : 0;
    }
  return result;
}

struct SystemCase {
  SmallProgram small;
  BufferId matrix = -1, right = -1, out = -1;
  std::int64_t n = 1, m = 1, systems = 1;
};

/// Axes (batch, rows split in two or not, columns) and (batch, rows, right sides), any strides; values are left to the caller.
operation::System system_of(bool semidefinite) {
  return semidefinite ? operation::System::semidefinite : operation::System::general;
}

SystemCase random_system(Engine& engine, Dtype type, bool semidefinite) {
  SystemCase made;
  const std::int64_t first = between(engine, 1, 3), second = between(engine, 1, 3);
  const bool batched = chance(engine, 0.4), splits_columns = chance(engine, 0.4), has_rest = chance(engine, 0.8);
  made.n = first * second;
  Extents matrix, right, out;
  if (batched) {
    made.systems = between(engine, 1, 3);
    matrix = right = out = {made.systems};
  }
  for (const std::int64_t extent : {first, second}) matrix.push_back(extent), right.push_back(extent);
  for (const std::int64_t extent : splits_columns ? Extents{second, first} : Extents{made.n})
    matrix.push_back(extent), out.push_back(extent);
  if (has_rest) {
    made.m = between(engine, 0, 6);
    right.push_back(made.m);
    out.push_back(made.m);
  }
  made.matrix = made.small.leaf("matrix", matrix, random_strides(engine, matrix), type);
  made.right = made.small.leaf("right", right, random_strides(engine, right), type);
  made.out = made.small.arena("out", out, random_strides(engine, out), type);
  made.small.step(program::Solve{made.matrix, made.right, made.out, batched ? 1 : 0, 2, system_of(semidefinite)});
  made.small.randomize(engine);
  return made;
}

void set_matrix(SystemCase& made, std::int64_t system, const std::vector<double>& values) {
  const program::Buffer& buffer = made.small.buffer(made.matrix);
  for (std::int64_t e = 0; e < made.n * made.n; ++e)
    made.small.set(buffer, offset_of(buffer, system * made.n * made.n + e), values[static_cast<std::size_t>(e)]);
}

void set_right(SystemCase& made, std::int64_t system, const std::vector<double>& values) {
  const program::Buffer& buffer = made.small.buffer(made.right);
  for (std::int64_t e = 0; e < made.n * made.m; ++e)
    made.small.set(buffer, offset_of(buffer, system * made.n * made.m + e), values[static_cast<std::size_t>(e)]);
}

std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b, std::int64_t n, std::int64_t m) {
  std::vector<double> c(static_cast<std::size_t>(n * m), 0);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t k = 0; k < n; ++k)
      for (std::int64_t j = 0; j < m; ++j)
        c[static_cast<std::size_t>(i * m + j)] += a[static_cast<std::size_t>(i * n + k)] * b[static_cast<std::size_t>(k * m + j)];
  return c;
}

void compare(const std::vector<double>& fast, const std::vector<double>& plain, double tolerance) {
  BOOST_REQUIRE(fast.size() == plain.size());
  double scale = 0;
  for (const double value : plain) scale = std::max(scale, std::abs(value));
  for (std::size_t e = 0; e < fast.size(); ++e) BOOST_TEST(std::abs(fast[e] - plain[e]) <= tolerance * scale);
}

Solved compare_executors(SystemCase& made, double tolerance) {
  const Solved fast = solved_on(*cpu::make_executor(), made.small, made.out);
  const Solved plain = solved_on(*reference::make_executor(), made.small, made.out);
  compare(fast.values, plain.values, tolerance);
  BOOST_TEST(fast.counts.rank_deficient == plain.counts.rank_deficient);
  return fast;
}

/// A semidefinite system with one right side for each of m, in f64 and the layout of a factor matrix: x(row, unknown).
SystemCase factor_system(std::int64_t n, std::int64_t m) {
  SystemCase made;
  made.n = n;
  made.m = m;
  made.matrix = made.small.leaf("gram", {n, n});
  made.right = made.small.leaf("right", {n, m}, {1, n});
  made.out = made.small.arena("out", {n, m}, {1, n});
  made.small.step(program::Solve{made.matrix, made.right, made.out, 0, 1, operation::System::semidefinite});
  return made;
}

}  // namespace

BOOST_AUTO_TEST_CASE(positive_definite_systems_agree_with_the_reference) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      Engine engine(seed);
      const Dtype type = chance(engine, 0.5) ? Dtype::f64 : Dtype::f32;
      SystemCase made = random_system(engine, type, true);
      for (std::int64_t s = 0; s < made.systems; ++s) set_matrix(made, s, gram(engine, made.n, made.n + 2, 1));
      compare_executors(made, type == Dtype::f64 ? 1e-13 : 1e-4);
    }
  }
}

BOOST_AUTO_TEST_CASE(general_systems_agree_with_the_reference) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      Engine engine(seed);
      const Dtype type = chance(engine, 0.5) ? Dtype::f64 : Dtype::f32;
      SystemCase made = random_system(engine, type, false);
      for (std::int64_t s = 0; s < made.systems; ++s) {
        std::vector<double> matrix(static_cast<std::size_t>(made.n * made.n));
        for (double& value : matrix) value = uniform(engine) * 0.5;
        std::vector<std::int64_t> large(static_cast<std::size_t>(made.n));  // of each row, so that rows are exchanged
        std::iota(large.begin(), large.end(), 0);
        std::shuffle(large.begin(), large.end(), engine);
        for (std::int64_t i = 0; i < made.n; ++i)
          matrix[static_cast<std::size_t>(i * made.n + large[static_cast<std::size_t>(i)])] += 4;
        set_matrix(made, s, matrix);
      }
      compare_executors(made, type == Dtype::f64 ? 1e-13 : 1e-4);
    }
  }
}

BOOST_AUTO_TEST_CASE(singular_consistent_systems_get_the_solution_of_minimum_norm) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      Engine engine(seed);
      SystemCase made = random_system(engine, Dtype::f64, chance(engine, 0.5));
      if (made.n < 2 || made.m == 0) continue;
      for (std::int64_t s = 0; s < made.systems; ++s) {
        const std::vector<double> matrix = gram(engine, made.n, made.n / 2, 0);
        std::vector<double> any(static_cast<std::size_t>(made.n * made.m));
        for (double& value : any) value = uniform(engine);
        set_matrix(made, s, matrix);
        set_right(made, s, product(matrix, any, made.n, made.m));
      }
      const Solved fast = compare_executors(made, 1e-10);
      BOOST_TEST(fast.counts.rank_deficient == 2 * made.systems);
    }
  }
}

BOOST_AUTO_TEST_CASE(equal_columns_share_their_weight) {
  // Two equal columns with weight 3: the solution of minimum norm gives 1.5 to each.
  SystemCase made = factor_system(2, 1);
  set_matrix(made, 0, {4, 4, 4, 4});
  set_right(made, 0, {12, 12});
  const Solved solved = compare_executors(made, 1e-14);
  BOOST_TEST(std::abs(solved.values[0] - 1.5) <= 1e-14);
  BOOST_TEST(std::abs(solved.values[1] - 1.5) <= 1e-14);
  BOOST_TEST(solved.counts.rank_deficient == 2);
}

BOOST_AUTO_TEST_CASE(badly_scaled_matrices_are_not_taken_for_singular) {
  SystemCase made = factor_system(2, 1);
  // D M D x = D b with M = (1 1/2; 1/2 1), D = diag(1e10, 1e-5): x = inv(D) (1, 2) where b = (2, 5/2).
  set_matrix(made, 0, {1e20, 0.5e5, 0.5e5, 1e-10});
  set_right(made, 0, {2e10, 2.5e-5});
  const Solved fast = solved_on(*cpu::make_executor(), made.small, made.out);
  BOOST_TEST(std::abs(fast.values[0] - 1e-10) <= 1e-24);
  BOOST_TEST(std::abs(fast.values[1] - 2e5) <= 1e-9);
  BOOST_TEST(fast.counts.rank_deficient == 0);
}

BOOST_AUTO_TEST_CASE(a_zero_matrix_gives_zero) {
  for (const bool semidefinite : {true, false}) {
    SystemCase made = factor_system(3, 2);
    std::get<program::Solve>(made.small.made.steps[0].operation).system = system_of(semidefinite);
    made.small.made.steps[0].flops = program::flops_of(made.small.made.steps[0].operation, made.small.made.buffers);
    set_right(made, 0, {0, 0, 0, 0, 0, 0});
    const Solved solved = compare_executors(made, 0);
    BOOST_TEST((solved.values == std::vector<double>(6, 0.0)));
    BOOST_TEST(solved.counts.rank_deficient == 2);
  }
}

BOOST_AUTO_TEST_CASE(a_matrix_that_is_not_finite_gives_nan_and_no_error) {
  for (const bool semidefinite : {true, false}) {
    SystemCase made = factor_system(2, 1);
    std::get<program::Solve>(made.small.made.steps[0].operation).system = system_of(semidefinite);
    made.small.made.steps[0].flops = program::flops_of(made.small.made.steps[0].operation, made.small.made.buffers);
    set_matrix(made, 0, {std::numeric_limits<double>::infinity(), 0, 0, 1});
    set_right(made, 0, {1, 1});
    for (const auto& executor : {cpu::make_executor(), reference::make_executor()}) {
      const Solved solved = solved_on(*executor, made.small, made.out);
      BOOST_TEST(std::isnan(solved.values[0]));
      BOOST_TEST(std::isnan(solved.values[1]));
    }
  }
}

BOOST_AUTO_TEST_CASE(inverses_keep_the_labels_in_place) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      Engine engine(seed);
      SystemCase made;
      made.n = between(engine, 1, 5);
      made.systems = between(engine, 1, 3);
      const Extents extents = {made.systems, made.n, made.n};
      made.matrix = made.small.leaf("e", extents, random_strides(engine, extents));
      made.out = made.small.arena("out", extents, random_strides(engine, extents));
      made.small.step(program::Inverse{made.matrix, made.out, 1, 1});
      for (std::int64_t s = 0; s < made.systems; ++s) {
        std::vector<double> matrix(static_cast<std::size_t>(made.n * made.n));
        for (double& value : matrix) value = uniform(engine);
        for (std::int64_t i = 0; i < made.n; ++i) matrix[static_cast<std::size_t>(i * made.n + i)] += 3;
        set_matrix(made, s, matrix);
      }
      const Solved solved = compare_executors(made, 1e-13);
      // sum[c] e(r, c) inverse(r', c) = 1 if r == r'
      const program::Buffer &in = made.small.buffer(made.matrix), &out = made.small.buffer(made.out);
      const double* e = made.small.numbers<double>(made.matrix);
      for (std::int64_t r = 0; r < made.n; ++r)
        for (std::int64_t q = 0; q < made.n; ++q) {
          double sum = 0;
          for (std::int64_t c = 0; c < made.n; ++c)
            sum += e[offset_of(in, r * made.n + c)] * solved.values[static_cast<std::size_t>(offset_of(out, q * made.n + c))];
          BOOST_TEST(std::abs(sum - (r == q ? 1 : 0)) <= 1e-13);
        }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_singular_inverse_is_the_pseudoinverse) {
  SystemCase made;
  made.n = 2;
  made.matrix = made.small.leaf("e", {2, 2});
  made.out = made.small.arena("out", {2, 2});
  made.small.step(program::Inverse{made.matrix, made.out, 0, 1});
  set_matrix(made, 0, {1, 2, 1, 2});
  const Solved solved = compare_executors(made, 1e-14);
  for (const std::size_t e : {std::size_t{0}, std::size_t{2}}) BOOST_TEST(std::abs(solved.values[e] - 0.1) <= 1e-15);
  for (const std::size_t e : {std::size_t{1}, std::size_t{3}}) BOOST_TEST(std::abs(solved.values[e] - 0.2) <= 1e-15);
  BOOST_TEST(solved.counts.rank_deficient == 2);
}
