// Conjugate gradients against solutions known by hand.
#include "algebra/conjugate_gradient.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include "core/algebra/dense_map.hpp"

namespace tyto::algebra {

using Values = std::vector<double>;

/// The second difference with 2 on the diagonal (plus a slope, so that the diagonal matters).
static DenseMap laplacian(std::int64_t n, bool has_diagonal, double slope = 0) {
  Values entries(static_cast<std::size_t>(n * n));
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j)
      entries[static_cast<std::size_t>(i * n + j)] = i == j ? 2 + slope * static_cast<double>(i) : std::abs(i - j) == 1 ? -1 : 0;
  }
  return DenseMap(n, n, entries, true, has_diagonal);
}

static const ConjugateGradient solver;

BOOST_AUTO_TEST_SUITE(conjugate_gradient)

BOOST_AUTO_TEST_CASE(solves_a_positive_definite_system) {
  const DenseMap a = laplacian(20, false);
  HostVector b(20), x(20);
  b.fill(1);
  const LinearOutcome outcome = solver.solve(a, b, x, {.tolerance = 1e-12});
  BOOST_CHECK(outcome.outcome.stop == Stop::converged);
  BOOST_TEST(outcome.iterations <= 20);
  BOOST_TEST(outcome.residual == residual_norm(a, b, x));
  BOOST_TEST(outcome.residual <= 2e-12 * b.norm());
  for (std::int64_t i = 1; i <= 20; ++i)  // x_i = i (n + 1 - i) / 2
    BOOST_TEST(x.values()[static_cast<std::size_t>(i - 1)] == 0.5 * static_cast<double>(i * (21 - i)),
               boost::test_tools::tolerance(1e-10));
}

BOOST_AUTO_TEST_CASE(diagonal_saves_iterations_when_entries_differ) {
  HostVector b(40), x(40), y(40);
  b.fill(1);
  const LinearOutcome plain = solver.solve(laplacian(40, false, 50), b, x, {});
  const LinearOutcome scaled = solver.solve(laplacian(40, true, 50), b, y, {});
  BOOST_CHECK(plain.outcome.stop == Stop::converged && scaled.outcome.stop == Stop::converged);
  BOOST_TEST(2 * scaled.iterations < plain.iterations);
}

BOOST_AUTO_TEST_CASE(starts_from_the_vector_given) {
  const DenseMap a = laplacian(3, false);
  const HostVector b(Values{0, 0, 4});
  HostVector x(Values{1, 2, 3});
  const LinearOutcome outcome = solver.solve(a, b, x, {});
  BOOST_TEST(outcome.iterations == 0);
  BOOST_TEST(outcome.residual == 0);
  BOOST_TEST(outcome.outcome.reason == "residual 0 <= 4e-10");
}

BOOST_AUTO_TEST_CASE(stops_at_the_limit_and_says_so) {
  HostVector b(20), x(20);
  b.values()[3] = 1;
  const LinearOutcome outcome = solver.solve(laplacian(20, false), b, x, {.max_iterations = 2});
  BOOST_CHECK(outcome.outcome.stop == Stop::sweep_limit);
  BOOST_TEST(outcome.outcome.reason == "2 iterations");
  BOOST_TEST(outcome.iterations == 2);
  BOOST_TEST(outcome.residual > 0.01);
}

BOOST_AUTO_TEST_CASE(zero_right_side_needs_no_iteration) {
  HostVector b(4), x(4);
  const LinearOutcome outcome = solver.solve(laplacian(4, true), b, x, {});
  BOOST_CHECK(outcome.outcome.stop == Stop::converged);
  BOOST_TEST(x.norm() == 0);
}

BOOST_AUTO_TEST_CASE(singular_consistent_system_gives_the_minimum_norm) {
  const DenseMap a(2, 2, {1, 1, 1, 1}, true);
  HostVector b(Values{2, 2}), x(2);
  BOOST_CHECK(solver.solve(a, b, x, {}).outcome.stop == Stop::converged);
  BOOST_TEST(x.values() == (Values{1, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(stays_within_the_trust_radius) {
  const DenseMap a = laplacian(10, true);
  HostVector b(10), x(10);
  b.fill(1);
  const LinearOutcome bounded = solver.solve(a, b, x, {.trust_radius = 3});
  BOOST_TEST(bounded.on_boundary);
  BOOST_TEST(bounded.outcome.reason == "the step reaches the trust radius");
  BOOST_TEST(x.norm() == 3, boost::test_tools::tolerance(1e-12));
  const LinearOutcome free = solver.solve(a, b, x, {.trust_radius = 1000});
  BOOST_TEST(!free.on_boundary);
  BOOST_CHECK(free.outcome.stop == Stop::converged);
}

/// diag(1, 10, 100, ...) and its inverse square root, so that the preconditioned map is the one of a scaled problem.
BOOST_AUTO_TEST_CASE(a_preconditioner_measures_the_trust_radius) {
  constexpr int n = 6;
  Values scales(n * n, 0), inverse(n * n, 0);
  for (int k = 0; k < n; ++k) {
    const double m = std::pow(3.0, k);
    scales[static_cast<std::size_t>(k * n + k)] = std::sqrt(m), inverse[static_cast<std::size_t>(k * n + k)] = 1 / m;
  }
  // With S = M^(1/2) and y = S x: A x = b within |x|_M is S^-1 A S^-1 y = S^-1 b within |y|.
  const DenseMap a = laplacian(n, true), m_inverse(n, n, inverse, true);
  Values scaled(n * n, 0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      HostVector e(n), column(n);
      e.values()[static_cast<std::size_t>(j)] = 1;
      a.apply(e, column);
      scaled[static_cast<std::size_t>(i * n + j)] =
          column.values()[static_cast<std::size_t>(i)] /
          (scales[static_cast<std::size_t>(i * n + i)] * scales[static_cast<std::size_t>(j * n + j)]);
    }
  const DenseMap of_scaled(n, n, scaled, true);
  for (const double radius : {0.5, 2.0, 1e6}) {
    HostVector b(n), scaled_b(n), x(n), y(n);
    for (int k = 0; k < n; ++k) {
      const auto at = static_cast<std::size_t>(k);
      b.values()[at] = 1 + k, scaled_b.values()[at] = b.values()[at] / scales[at * n + at];
    }
    const LinearOutcome one = solver.solve(a, b, x, {.trust_radius = radius, .preconditioner = &m_inverse}),
                        two = solver.solve(of_scaled, scaled_b, y, {.trust_radius = radius});
    BOOST_TEST(one.on_boundary == two.on_boundary);
    BOOST_TEST(one.length == two.length, boost::test_tools::tolerance(1e-9));
    for (std::size_t k = 0; k < n; ++k)
      BOOST_TEST(x.values()[k] * scales[k * n + k] == y.values()[k], boost::test_tools::tolerance(1e-6));
  }
}

BOOST_AUTO_TEST_CASE(the_inverse_as_preconditioner_needs_one_iteration) {
  const DenseMap a(2, 2, {2, 0, 0, 8}, true), inverse(2, 2, {0.5, 0, 0, 0.125}, true);
  const HostVector b(Values{1, 1});
  HostVector x(2);
  const LinearOutcome outcome = solver.solve(a, b, x, {.preconditioner = &inverse});
  BOOST_TEST(outcome.iterations == 1);
  BOOST_TEST(x.values() == (Values{0.5, 0.125}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(follows_negative_curvature_to_the_trust_radius) {
  const DenseMap a(2, 2, {-1, 0, 0, 2}, true);
  const HostVector b(Values{1, 0});
  HostVector x(2);
  const LinearOutcome outcome = solver.solve(a, b, x, {.trust_radius = 5});
  BOOST_TEST(outcome.negative_curvature);
  BOOST_TEST(x.values() == (Values{5, 0}), boost::test_tools::per_element());
  BOOST_TEST(outcome.outcome.reason == "negative curvature, followed to the trust radius");
}

BOOST_AUTO_TEST_CASE(indefinite_map_without_trust_radius_fails_by_name) {
  const DenseMap a(2, 2, {-1, 0, 0, 2}, true);
  const HostVector b(Values{1, 0});
  HostVector x(2);
  const LinearOutcome outcome = solver.solve(a, b, x, {});
  BOOST_CHECK(outcome.outcome.stop == Stop::failed);
  BOOST_TEST(outcome.outcome.reason == "the map is not positive definite: curvature -1");
}

BOOST_AUTO_TEST_CASE(not_a_number_fails_by_name) {
  HostVector b(2), x(2);
  b.values()[0] = std::numeric_limits<double>::quiet_NaN();
  const LinearOutcome outcome = solver.solve(laplacian(2, false), b, x, {});
  BOOST_CHECK(outcome.outcome.stop == Stop::failed);
  BOOST_TEST(outcome.outcome.reason == "the residual is not a number");
}

BOOST_AUTO_TEST_CASE(map_without_symmetry_is_refused) {
  HostVector b(2), x(2);
  BOOST_CHECK_EXCEPTION(solver.solve(DenseMap(2, 2, {1, 2, 3, 4}), b, x, {}), Error, [](const Error& error) {
    return error.what() == std::string(
                               "conjugate gradients for a map that is not symmetric is not part of this version\n  try       "
                               "another linear solver");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::algebra
