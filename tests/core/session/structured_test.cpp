// Systems with structure through the library: small flops and memory, nothing allocated by a run.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include "allocations/allocations.hpp"
#include "tyto/compile.hpp"
#include "verify/verified.hpp"

namespace tyto::session {

namespace {

using v1::einsum, v1::tensor;  // not the namespaces

/// Symmetric with a dominant diagonal.
std::vector<double> definite(std::int64_t n) {
  std::vector<double> m;
  for (std::int64_t row = 0; row < n; ++row)
    for (std::int64_t column = 0; column < n; ++column)
      m.push_back((row == column ? static_cast<double>(n) : 0) + std::cos(0.37 * static_cast<double>(row + column)));
  return m;
}

struct Part {
  Expr leaf;
  std::vector<double> numbers;
};
Part part(const std::string& name, const Index& row) {
  return {tensor(name, {row, row.prime()}, Field::real, {.symmetric = {{row, row.prime()}}}), definite(row.extent())};
}
Part right_side(const Indices& labels) {
  std::int64_t count = 1;
  for (const Index& label : labels) count *= label.extent();
  Part b{tensor("M", labels), {}};
  for (std::int64_t k = 0; k < count; ++k) b.numbers.push_back(std::sin(0.7 * static_cast<double>(k) + 0.1));
  return b;
}

/// Solves, then multiplies back; the right side is the last part. Doubles that are needed beside bound arrays.
double workspace_of_solution(const Expr& matrix, const std::vector<Part>& parts, Matrix structure, double most_flops) {
  const Part& right = parts.back();
  const Expr x = solve(matrix, right.leaf, right.leaf.shape(), structure);
  const CompileOptions options{.memory_limit = 100'000'000};  // whole, the smallest of these systems takes 5 GB
  Program program({x}, options), back({norm2(einsum({matrix, x}, right.leaf.shape()) - right.leaf) / norm2(right.leaf)}, options);
  std::int64_t bound = 0;
  for (const Part& p : parts) {
    Extents extents;
    for (const Index& label : p.leaf.shape()) extents.push_back(label.extent());
    program.bind(p.leaf, ConstArray(p.numbers.data(), extents));
    back.bind(p.leaf, ConstArray(p.numbers.data(), extents));
    bound += static_cast<std::int64_t>(p.numbers.size());
  }
  program.run();
  test::allocations = 0;
  test::counting = true;
  program.run();
  test::counting = false;
  BOOST_TEST((verify::always || test::allocations.load() == 0));  // declared facts are checked in debug builds
  back.run();
  BOOST_TEST(std::sqrt(std::abs(*back.output(0).as<double>())) < 1e-6);  // the expanded square of a small difference
  BOOST_TEST(static_cast<double>(program.forecast().flops) < most_flops);
  return static_cast<double>(program.forecast().peak_bytes) / 8 - static_cast<double>(bound);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(structured_systems)

BOOST_AUTO_TEST_CASE(an_identity_times_a_gram_matrix_is_one_small_factorization) {
  const std::int64_t n = 160;
  const Index i("i", n), r("r", n);
  const Part gram = part("G", r), right = right_side({i, r});
  const double cube = std::pow(static_cast<double>(n), 3), square = std::pow(static_cast<double>(n), 2);
  // Cholesky n^3/3 and two triangular solves of n^2 for each of n right sides; of the whole matrix n^6/3.
  const double workspace = workspace_of_solution(identity(i, i.prime()) * gram.leaf, {gram, right}, Matrix::positive_definite,
                                                 (1.0 / 3 + 2 + 0.1) * cube);
  BOOST_TEST(workspace < 2.1 * square);  // the factor of G and the solution; the whole has n^2 matrices of order n
}

BOOST_AUTO_TEST_CASE(a_kronecker_product_of_three_unequal_factors_is_three_small_factorizations) {
  const Index a("a", 20), b("b", 30), c("c", 40);
  const Part first = part("A", a), second = part("B", b), third = part("C", c), right = right_side({a, b, c});
  const double all = 20 * 30 * 40;
  // LU of each, and two triangular solves for every entry of the right side.
  const double workspace = workspace_of_solution(first.leaf * second.leaf * third.leaf, {first, second, third, right},
                                                 Matrix::general, 2 * all * (20 + 30 + 40) + 8000 + 27000 + 64000);
  BOOST_TEST(workspace < 3.2 * all);  // the solution and two steps on the way to it
}

BOOST_AUTO_TEST_CASE(allocations_are_noticed) {
  test::allocations = 0;
  test::counting = true;
  const std::vector<double> some(100);
  test::counting = false;
  BOOST_TEST(some.size() == 100U);
  BOOST_TEST(test::allocations.load() > 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
