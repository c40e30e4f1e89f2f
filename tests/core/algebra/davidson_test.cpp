// The built-in eigensolver: what all of them must do, and what it alone promises.
#include "algebra/davidson.hpp"

#include <boost/test/unit_test.hpp>
#include "core/algebra/eigen_suite.hpp"

namespace tyto::algebra {
namespace {

const Davidson solver;

/// Dominated by its diagonal 1, 2, ..., as local problems of configuration interaction are.
Values diagonally_dominant(std::int64_t n, double off, Numbers& numbers) {
  Values a = semicircle(n, numbers);
  for (double& entry : a) entry *= off;
  for (std::int64_t i = 0; i < n; ++i) a[static_cast<std::size_t>(i * n + i)] += static_cast<double>(i * i);
  return a;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(davidson)

BOOST_AUTO_TEST_CASE(agrees_with_lapack_at_every_size) { eigen_suite::agrees_with_lapack_at_every_size(solver); }
BOOST_AUTO_TEST_CASE(finds_clusters_and_copies) { eigen_suite::finds_clusters_and_copies(solver); }
BOOST_AUTO_TEST_CASE(stays_in_the_complement) { eigen_suite::stays_in_the_complement(solver); }
BOOST_AUTO_TEST_CASE(the_complement_need_not_be_invariant) { eigen_suite::the_complement_need_not_be_invariant(solver); }
BOOST_AUTO_TEST_CASE(a_full_complement_is_exhausted) { eigen_suite::a_full_complement_is_exhausted(solver); }
BOOST_AUTO_TEST_CASE(accepts_any_start) { eigen_suite::accepts_any_start(solver); }
BOOST_AUTO_TEST_CASE(respects_limits) { eigen_suite::respects_limits(solver); }
BOOST_AUTO_TEST_CASE(complex_maps_have_each_vector_once) { eigen_suite::complex_maps_have_each_vector_once(solver); }
BOOST_AUTO_TEST_CASE(failures_have_names) { eigen_suite::failures_have_names(solver); }
BOOST_AUTO_TEST_CASE(errors_of_a_map_come_through) { eigen_suite::errors_of_a_map_come_through(solver); }

BOOST_AUTO_TEST_CASE(an_eigenvector_returns_at_once) {
  const SymmetricMap a({2, 1, 0, 1, 2, 0, 0, 0, 7});
  Vectors vectors = one(HostVector(Values{0, 0, -4}));  // not the lowest, but nothing tells
  const EigenOutcome outcome = solver.solve(a, {}, vectors, {});
  BOOST_CHECK(outcome.outcome.stop == Stop::converged);
  BOOST_TEST(outcome.outcome.reason == "residual 0 <= 7e-10");
  BOOST_TEST(outcome.iterations == 0);
  BOOST_TEST(outcome.products == 1);
  BOOST_TEST(outcome.values == Values{7}, boost::test_tools::per_element());
  BOOST_TEST(vectors[0]->read().as<double>()[2] == -1);
}

BOOST_AUTO_TEST_CASE(an_invariant_subspace_is_a_success) {
  const SymmetricMap a({1, 0, 0, 0, 2, 0, 0, 0, 3});
  Vectors vectors = one(HostVector(Values{1, 1, 0}));
  const EigenOutcome outcome = solver.solve(a, {}, vectors, {});
  eigen_suite::check_outcome(a, outcome, vectors, {1});
  BOOST_TEST(outcome.products == 3);  // two make the space, one checks
  vectors = one(HostVector(Values{0, 1, 1}));
  eigen_suite::check_outcome(a, solver.solve(a, {}, vectors, {.count = 3}), vectors, {1, 2, 3});
}

BOOST_AUTO_TEST_CASE(products_are_those_of_lanczos) {
  Numbers numbers(21);
  const SymmetricMap a(semicircle(200, numbers));
  const Values start = numbers.take(200);
  double before = eigen_suite::rayleigh_quotient(a, HostVector(start));
  for (std::int64_t products = 1; products <= 20; ++products) {
    Vectors vectors = one(HostVector(start));
    const EigenOutcome outcome = solver.solve(a, {}, vectors, {.max_products = products});
    BOOST_TEST(outcome.products == products + (products > 1 ? 1 : 0));
    BOOST_TEST(outcome.values[0] <= before + 1e-14);
    before = outcome.values[0];
  }
}

BOOST_AUTO_TEST_CASE(a_small_basis_restarts_and_converges) {
  Numbers numbers(22);
  const Values all = ladder(0, 0.125, 100);
  const SymmetricMap a(with_spectrum(all, numbers));
  for (const std::int64_t basis : {2, 4, 8}) {
    Vectors vectors = one(HostVector(numbers.take(100)));
    const EigenOutcome outcome = solver.solve(a, {}, vectors, {.max_iterations = 4000, .max_basis = basis});
    eigen_suite::check_outcome(a, outcome, vectors, {0});
  }
}

BOOST_AUTO_TEST_CASE(the_diagonal_saves_products_where_it_dominates) {
  Numbers numbers(23);
  const Values matrix = diagonally_dominant(150, 1, numbers);
  const SymmetricMap plain(matrix), known(matrix, true);
  Vectors one_way = one(HostVector(numbers.take(150))), other;
  other.push_back(clone(*one_way[0]));
  const EigenOutcome lanczos = solver.solve(plain, {}, one_way, {.max_iterations = 5000});
  const EigenOutcome davidson = solver.solve(known, {}, other, {});
  eigen_suite::check_outcome(known, davidson, other, {spectrum_of(matrix).front()});
  BOOST_CHECK(lanczos.outcome.stop == Stop::converged);
  BOOST_TEST(3 * davidson.products < lanczos.products, davidson.products << " against " << lanczos.products);
}

BOOST_AUTO_TEST_CASE(the_diagonal_does_no_harm_where_it_does_not) {
  Numbers numbers(24);
  Values matrix = semicircle(150, numbers);
  for (std::int64_t i = 0; i < 150; ++i) matrix[static_cast<std::size_t>(i * 151)] += 0.05 * numbers.next();
  const SymmetricMap plain(matrix), known(matrix, true);
  Vectors one_way = one(HostVector(numbers.take(150))), other;
  other.push_back(clone(*one_way[0]));
  const EigenOutcome lanczos = solver.solve(plain, {}, one_way, {.which = Spectrum::largest});
  const EigenOutcome davidson = solver.solve(known, {}, other, {.which = Spectrum::largest});
  BOOST_CHECK(davidson.outcome.stop == Stop::converged);
  BOOST_TEST(2 * davidson.products <= 3 * lanczos.products, davidson.products << " against " << lanczos.products);
}

BOOST_AUTO_TEST_CASE(a_map_that_is_its_diagonal_does_not_stand_still) {
  Values matrix(400, 0.0);
  for (std::size_t i = 0; i < 20; ++i) matrix[i * 21] = static_cast<double>(i + 1);
  const SymmetricMap a(matrix, true);
  Numbers numbers(25);
  Vectors vectors = one(HostVector(numbers.take(20)));
  eigen_suite::check_outcome(a, solver.solve(a, {}, vectors, {}), vectors, {1});
}

BOOST_AUTO_TEST_CASE(rounding_ends_the_search_by_name) {
  Numbers numbers(26);
  const SymmetricMap a(with_spectrum(ladder(1, 1, 50), numbers));
  Vectors vectors;
  const EigenOutcome outcome = solver.solve(a, {}, vectors, {.tolerance = 0});
  BOOST_CHECK(outcome.outcome.stop == Stop::stalled);
  BOOST_TEST(outcome.outcome.reason.rfind("rounding: residual ", 0) == 0U, outcome.outcome.reason);
  BOOST_TEST(std::abs(outcome.values[0] - 1) <= 1e-12);
}

BOOST_AUTO_TEST_CASE(the_same_call_gives_the_same_bits) {
  Numbers numbers(27);
  const SymmetricMap a(semicircle(60, numbers));
  Vectors one_time, again;
  const EigenOutcome first = solver.solve(a, {}, one_time, {.count = 2}), second = solver.solve(a, {}, again, {.count = 2});
  BOOST_TEST(first.values == second.values, boost::test_tools::per_element());
  BOOST_TEST(std::equal(one_time[1]->read().as<double>(), one_time[1]->read().as<double>() + 60, again[1]->read().as<double>()));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::algebra
