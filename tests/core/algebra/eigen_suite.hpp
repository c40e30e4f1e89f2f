#pragma once
// What every eigensolver must do, built in or of a library. Each function is one case.
#include <boost/test/data/test_case.hpp>
#include <limits>
#include <stdexcept>
#include "core/algebra/eigen_maps.hpp"

namespace tyto::algebra::eigen_suite {

constexpr double accuracy = 1e-9;  // of values, relative to those of LAPACK

inline double rayleigh_quotient(const LinearMap& a, const Vector& x) {
  const auto image = a.range();
  a.apply(x, *image);
  return x.dot(*image) / x.dot(x);
}

/// Values, residuals and orthonormality of what a solver returned.
inline void check_outcome(const LinearMap& a, const EigenOutcome& outcome, const Vectors& vectors, const Values& expected) {
  BOOST_CHECK_MESSAGE(outcome.outcome.stop == Stop::converged, outcome.outcome.reason);
  BOOST_REQUIRE_MESSAGE(outcome.values.size() == expected.size() && vectors.size() == expected.size(), outcome.outcome.reason);
  BOOST_TEST(outcome.residuals.size() == expected.size());
  const auto image = a.range();
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const double size = std::max(std::abs(expected[k]), 1.0);
    BOOST_TEST(std::abs(outcome.values[k] - expected[k]) <= accuracy * size, outcome.values[k] << " is not " << expected[k]);
    a.apply(*vectors[k], *image);
    image->axpy(-outcome.values[k], *vectors[k]);
    BOOST_TEST(std::abs(image->norm() - outcome.residuals[k]) <= 1e-12 * size);
    for (std::size_t j = 0; j <= k; ++j)
      BOOST_TEST(std::abs(vectors[k]->dot(*vectors[j]) - (j == k ? 1 : 0)) <= 1e-10, "vectors " << j << " and " << k);
  }
}

inline Values first_of(Values ascending, std::int64_t count, Spectrum which) {
  if (which == Spectrum::largest) std::reverse(ascending.begin(), ascending.end());
  ascending.resize(static_cast<std::size_t>(std::min<std::int64_t>(count, static_cast<std::int64_t>(ascending.size()))));
  return ascending;
}

inline void agrees_with_lapack_at_every_size(const EigenSolver& solver) {
  Numbers numbers(11);
  for (const std::int64_t n : {1, 2, 3, 10, 200}) {
    const SymmetricMap a(semicircle(n, numbers));
    const Values all = spectrum_of(a.entries());
    for (const Spectrum which : {Spectrum::smallest, Spectrum::largest}) {
      for (const std::int64_t count : {1, 2, 4}) {
        BOOST_TEST_CONTEXT(solver.name() << ", n = " << n << ", count = " << count
                                         << (which == Spectrum::largest ? ", largest" : "")) {
          Vectors vectors = one(HostVector(numbers.take(n)));
          const EigenOutcome outcome = solver.solve(a, {}, vectors, {.count = count, .which = which, .tolerance = 1e-8});
          check_outcome(a, outcome, vectors, first_of(all, count, which));
        }
      }
    }
  }
}

inline void finds_clusters_and_copies(const EigenSolver& solver) {
  Numbers numbers(12);
  const std::vector<Values> lowest{{1, 1.001, 1.002}, {-2, -2, -1.5}, {-3, -3, -3}, {0, 0, 0}};
  for (const Values& wanted : lowest) {
    BOOST_TEST_CONTEXT(solver.name() << ", lowest " << wanted[0] << ' ' << wanted[1] << ' ' << wanted[2]) {
      Values all = wanted;
      for (const double value : ladder(2, 0.25, 37)) all.push_back(value);
      const SymmetricMap a(with_spectrum(all, numbers));
      Vectors vectors = one(HostVector(numbers.take(40)));
      const EigenOutcome outcome = solver.solve(a, {}, vectors, {.count = 3, .tolerance = 1e-9});
      check_outcome(a, outcome, vectors, wanted);
    }
  }
}

inline void stays_in_the_complement(const EigenSolver& solver) {
  Numbers numbers(13);
  const Values all = ladder(-1, 0.5, 30);
  const SymmetricMap a(with_spectrum(all, numbers));
  Vectors lowest, next = one(HostVector(numbers.take(30)));
  solver.solve(a, {}, lowest, {.count = 2, .tolerance = 1e-12});
  BOOST_REQUIRE(lowest.size() == 2U);
  const EigenOutcome outcome = solver.solve(a, lowest, next, {.count = 2});
  check_outcome(a, outcome, next, {0, 0.5});
  for (const auto& v : next)
    for (const auto& w : lowest) BOOST_TEST(std::abs(v->dot(*w)) <= 1e-12);
}

/// P A P for an arbitrary direction: against the dense matrix with the direction moved out of the way.
inline void the_complement_need_not_be_invariant(const EigenSolver& solver) {
  Numbers numbers(14);
  constexpr std::int64_t n = 20;
  const SymmetricMap a(semicircle(n, numbers));
  HostVector direction(numbers.take(n)), column(n);
  direction.scale(1 / direction.norm());
  Values moved(static_cast<std::size_t>(n * n));
  for (std::int64_t j = 0; j < n; ++j) {
    HostVector e(n);
    e.values()[static_cast<std::size_t>(j)] = 1;
    const double part = direction.dot(e);
    e.axpy(-part, direction);
    a.apply(e, column);
    column.axpy(100 * part - direction.dot(column), direction);
    for (std::int64_t i = 0; i < n; ++i) moved[static_cast<std::size_t>(i * n + j)] = column.values()[static_cast<std::size_t>(i)];
  }
  const double expected = spectrum_of(moved).front();
  Vectors vectors;
  const EigenOutcome outcome = solver.solve(a, one(direction), vectors, {});
  BOOST_CHECK_MESSAGE(outcome.outcome.stop == Stop::converged, outcome.outcome.reason);
  BOOST_REQUIRE(vectors.size() == 1U);
  BOOST_TEST(std::abs(outcome.values[0] - expected) <= accuracy);
  BOOST_TEST(std::abs(vectors[0]->dot(direction)) <= 1e-12);
}

inline void a_full_complement_is_exhausted(const EigenSolver& solver) {
  const SymmetricMap a({2, 0, 0, 0, 3, 0, 0, 0, 5});
  Vectors two = one(HostVector(Values{1, 0, 0})), last;
  two.push_back(std::make_unique<HostVector>(Values{0, 1, 0}));
  check_outcome(a, solver.solve(a, two, last, {.count = 3}), last, {5});
  two.push_back(std::make_unique<HostVector>(Values{0, 0, 1}));
  const EigenOutcome none = solver.solve(a, two, last, {});
  BOOST_CHECK(none.outcome.stop == Stop::failed);
  BOOST_TEST(none.outcome.reason == "no dimension is left: 3 numbers, 3 vectors to be orthogonal to");
  BOOST_TEST(last.empty());
}

inline void accepts_any_start(const EigenSolver& solver) {
  Numbers numbers(15);
  const Values all = ladder(1, 1, 24);
  const SymmetricMap a(with_spectrum(all, numbers));
  Vectors none, zero = one(HostVector(24)), exact;
  check_outcome(a, solver.solve(a, {}, none, {.tolerance = 1e-11}), none, {1});
  check_outcome(a, solver.solve(a, {}, zero, {}), zero, {1});
  exact.push_back(clone(*none[0]));
  check_outcome(a, solver.solve(a, {}, exact, {}), exact, {1});
  BOOST_TEST(std::abs(exact[0]->dot(*none[0])) >= 1 - 1e-10);
  Vectors many;
  for (int k = 0; k < 3; ++k) many.push_back(std::make_unique<HostVector>(numbers.take(24)));
  many.push_back(clone(*many[0]));  // twice the same
  check_outcome(a, solver.solve(a, {}, many, {.count = 2}), many, {1, 2});
}

inline void respects_limits(const EigenSolver& solver) {
  Numbers numbers(16);
  const SymmetricMap a(semicircle(200, numbers));
  for (const std::int64_t limit : {2, 5, 12}) {
    BOOST_TEST_CONTEXT(solver.name() << ", " << limit << " products") {
      Vectors vectors = one(HostVector(numbers.take(200)));
      const double start = rayleigh_quotient(a, *vectors[0]);
      a.products = 0;
      const EigenOutcome outcome = solver.solve(a, {}, vectors, {.tolerance = 1e-12, .max_products = limit});
      BOOST_TEST(outcome.products == a.products);
      BOOST_TEST(a.products <= limit + 1);
      BOOST_CHECK_MESSAGE(outcome.outcome.stop == Stop::sweep_limit, outcome.outcome.reason);
      BOOST_REQUIRE(outcome.values.size() == 1U);
      BOOST_TEST(outcome.values[0] < start);
      BOOST_TEST(outcome.residuals[0] > 1e-12);
      BOOST_TEST(std::abs(rayleigh_quotient(a, *vectors[0]) - outcome.values[0]) <= 1e-13);
    }
  }
  Vectors vectors = one(HostVector(numbers.take(200)));
  const EigenOutcome outcome = solver.solve(a, {}, vectors, {.tolerance = 1e-13, .max_iterations = 2});
  BOOST_CHECK_MESSAGE(outcome.outcome.stop == Stop::sweep_limit, solver.name() << ": " << outcome.outcome.reason);
  BOOST_TEST(outcome.outcome.reason == "2 iterations");
  BOOST_TEST(outcome.values.size() == 1U);
}

/// Complex eigenvectors count once, also where copies of their values exist.
inline void complex_maps_have_each_vector_once(const EigenSolver& solver) {
  Numbers numbers(17);
  for (const Values& lowest : {Values{-2, -1.5, -1}, Values{-2, -2, -1}, Values{0, 0, 0}}) {
    Values all = lowest;
    for (const double value : ladder(1, 0.5, 17)) all.push_back(value);
    const HermitianMap a(hermitian_with_spectrum(all, numbers));
    BOOST_TEST_CONTEXT(solver.name() << ", lowest " << lowest[0] << ' ' << lowest[1] << ' ' << lowest[2]) {
      Vectors vectors, first, next;
      check_outcome(a, solver.solve(a, {}, vectors, {.count = 3, .tolerance = 1e-9}), vectors, lowest);
      const auto turned = a.domain();
      for (const auto& v : vectors) {
        a.times_i(*v, *turned);
        for (const auto& w : vectors) BOOST_TEST(std::abs(turned->dot(*w)) <= 1e-10);
      }
      check_outcome(a, solver.solve(a, {}, first, {.tolerance = 1e-12}), first, {lowest[0]});
      check_outcome(a, solver.solve(a, first, next, {.count = 2}), next, {lowest[1], lowest[2]});
    }
  }
}

inline void failures_have_names(const EigenSolver& solver) {
  Numbers numbers(18);
  const std::int64_t n = 30;
  Values broken = semicircle(n, numbers);
  Vectors vectors;
  check_error(Code::unsupported, {solver.name() + " for a map that is not symmetric is not part of this version"},
              [&] { solver.solve(DenseMap(n, n, broken), {}, vectors, {}); });
  broken[7] = std::numeric_limits<double>::quiet_NaN();
  const EigenOutcome outcome = solver.solve(SymmetricMap(broken), {}, vectors, {});
  BOOST_CHECK(outcome.outcome.stop == Stop::failed);
  BOOST_TEST(outcome.outcome.reason == "a number is not finite", solver.name() << ": " << outcome.outcome.reason);
  vectors = one(HostVector(numbers.take(n)));
  vectors[0]->write().as<double>()[3] = std::numeric_limits<double>::infinity();
  const EigenOutcome started = solver.solve(SymmetricMap(semicircle(n, numbers)), {}, vectors, {});
  BOOST_CHECK(started.outcome.stop == Stop::failed);
  BOOST_TEST(started.outcome.reason == "a number is not finite", solver.name() << ": " << started.outcome.reason);
}

inline void errors_of_a_map_come_through(const EigenSolver& solver) {
  class Broken final : public LinearMap {
   public:
    std::unique_ptr<Vector> domain() const override { return std::make_unique<HostVector>(40); }
    std::unique_ptr<Vector> range() const override { return domain(); }
    void apply(const Vector&, Vector&) const override { throw std::runtime_error("as the map said it"); }
    bool is_symmetric() const override { return true; }
  };
  Vectors vectors;
  BOOST_CHECK_EXCEPTION(solver.solve(Broken(), {}, vectors, {}), std::runtime_error,
                        [](const std::runtime_error& error) { return error.what() == std::string("as the map said it"); });
}

inline void run_all(const EigenSolver& solver) {
  agrees_with_lapack_at_every_size(solver);
  finds_clusters_and_copies(solver);
  stays_in_the_complement(solver);
  the_complement_need_not_be_invariant(solver);
  a_full_complement_is_exhausted(solver);
  accepts_any_start(solver);
  respects_limits(solver);
  complex_maps_have_each_vector_once(solver);
  failures_have_names(solver);
  errors_of_a_map_come_through(solver);
}

}  // namespace tyto::algebra::eigen_suite

/// A test case of each function above for each solver of a list `methods`, looked up by named().
#define EIGEN_CASE(CASE) \
  BOOST_DATA_TEST_CASE(CASE, boost::unit_test::data::make(methods), method) { eigen_suite::CASE(named(method)); }
#define EVERY_EIGEN_CASE                           \
  EIGEN_CASE(agrees_with_lapack_at_every_size)     \
  EIGEN_CASE(finds_clusters_and_copies)            \
  EIGEN_CASE(stays_in_the_complement)              \
  EIGEN_CASE(the_complement_need_not_be_invariant) \
  EIGEN_CASE(a_full_complement_is_exhausted)       \
  EIGEN_CASE(accepts_any_start)                    \
  EIGEN_CASE(respects_limits)                      \
  EIGEN_CASE(complex_maps_have_each_vector_once)   \
  EIGEN_CASE(failures_have_names)                  \
  EIGEN_CASE(errors_of_a_map_come_through)
