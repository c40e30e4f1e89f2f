// Belos against LAPACK.
#include <boost/test/unit_test.hpp>
#include <limits>
#include <stdexcept>
#include "core/algebra/loaded.hpp"

namespace tyto::algebra {
namespace {

constexpr std::int64_t n = 24;
const std::vector<std::string> all{"trilinos-cg", "trilinos-minres", "trilinos-gmres"};

}  // namespace

BOOST_AUTO_TEST_SUITE(trilinos_belos)

BOOST_AUTO_TEST_CASE(definite_systems_are_solved_by_every_method) {
  Numbers numbers(1);
  for (const std::string& method : all) {
    BOOST_TEST_CONTEXT(method) {
      const Values matrix = symmetric(n, numbers, 0.1);
      const DenseMap a(n, n, matrix, true);
      const HostVector b(numbers.take(n));
      for (const bool from_zero : {true, false}) {
        HostVector x(from_zero ? Values(static_cast<std::size_t>(n)) : numbers.take(n));
        const LinearOutcome outcome = solvers().linear_solver(method).solve(a, b, x, {.tolerance = 1e-12});
        check_solution(outcome, a, b, x, by_lapack(matrix, b.values()));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(indefinite_systems_are_solved_where_the_method_can) {
  Numbers numbers(2);
  const Values matrix = with_signs(symmetric(n, numbers, 1));
  const DenseMap a(n, n, matrix, true);
  const HostVector b(numbers.take(n));
  for (const std::string method : {"trilinos-minres", "trilinos-gmres"}) {
    HostVector x(n);
    check_solution(solvers().linear_solver(method).solve(a, b, x, {.tolerance = 1e-12}), a, b, x, by_lapack(matrix, b.values()));
  }
  HostVector x(n);
  const LinearOutcome outcome = solvers().linear_solver("trilinos-cg").solve(a, b, x, {});
  BOOST_CHECK(outcome.outcome.stop == Stop::failed);
  BOOST_TEST(outcome.negative_curvature);
  BOOST_TEST(outcome.outcome.reason == "the map is not positive definite");
}

BOOST_AUTO_TEST_CASE(maps_without_symmetry_are_for_gmres) {
  Numbers numbers(3);
  const Values matrix = unsymmetric(n, numbers);
  const DenseMap a(n, n, matrix);
  const HostVector b(numbers.take(n));
  for (const std::string& method : all) {
    HostVector x(n);
    if (method == "trilinos-gmres") {
      check_solution(solvers().linear_solver(method).solve(a, b, x, {.tolerance = 1e-12}), a, b, x, by_lapack(matrix, b.values()));
    } else {
      check_error(Code::unsupported, {method + " for a map that is not symmetric is not part of this version", "trilinos-gmres"},
                  [&] { solvers().linear_solver(method).solve(a, b, x, {}); });
    }
  }
}

BOOST_AUTO_TEST_CASE(a_preconditioner_saves_iterations_and_keeps_the_solution) {
  Numbers numbers(4);
  const Values matrix = badly_scaled(symmetric(n, numbers, 0.5));
  const DenseMap a(n, n, matrix, true), inverse = inverse_diagonal(matrix);
  const HostVector b(numbers.take(n));
  for (const std::string& method : all) {
    BOOST_TEST_CONTEXT(method) {
      HostVector x(n), y(n);
      const LinearSolver& solver = solvers().linear_solver(method);
      const LinearOutcome plain = solver.solve(a, b, x, {.tolerance = 1e-12, .max_iterations = 24});
      const LinearOutcome preconditioned = solver.solve(a, b, y, {.tolerance = 1e-12, .preconditioner = &inverse});
      check_solution(preconditioned, a, b, y, by_lapack(matrix, b.values()));
      BOOST_TEST((plain.outcome.stop != Stop::converged || preconditioned.iterations < plain.iterations));
    }
  }
}

BOOST_AUTO_TEST_CASE(numbers_of_the_caller_are_not_copied) {
  class Watched final : public LinearMap {
   public:
    std::unique_ptr<Vector> domain() const override { return std::make_unique<HostVector>(2); }
    std::unique_ptr<Vector> range() const override { return std::make_unique<HostVector>(2); }
    void apply(const Vector& x, Vector& y) const override {
      y.copy(x);
      y.scale(2);
      if (dynamic_cast<const HostVector*>(&x) == nullptr) seen.push_back(x.read().data);
      BOOST_TEST(y.norm() == 2 * x.norm(), boost::test_tools::tolerance(1e-15));
      BOOST_TEST(y.dot(*clone(x)) == 2 * x.dot(x), boost::test_tools::tolerance(1e-15));
    }
    bool is_symmetric() const override { return true; }
    mutable std::vector<const void*> seen;
  };
  const Watched map;
  const HostVector b(Values{3, 4});
  HostVector x(Values{1, 1});
  solvers().linear_solver("trilinos-cg").solve(map, b, x, {});
  BOOST_REQUIRE(!map.seen.empty());
  BOOST_TEST(map.seen.front() == x.values().data());  // the first product is that of the start
  BOOST_TEST(x.values() == (Values{1.5, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(trust_regions_are_refused_by_name) {
  const DenseMap a(1, 1, {1}, true);
  HostVector b(1), x(1);
  for (const std::string& method : all) {
    check_error(Code::unsupported, {"a trust radius in " + method + " is not part of this version"},
                [&] { solvers().linear_solver(method).solve(a, b, x, {.trust_radius = 1}); });
  }
}

BOOST_AUTO_TEST_CASE(limits_and_bad_numbers_have_names) {
  Numbers numbers(10);
  const DenseMap a(n, n, symmetric(n, numbers, 0.01), true);
  HostVector b(numbers.take(n));
  for (const std::string& method : all) {
    HostVector x(n);
    const LinearOutcome stopped = solvers().linear_solver(method).solve(a, b, x, {.tolerance = 1e-14, .max_iterations = 2});
    BOOST_CHECK_MESSAGE(stopped.outcome.stop == Stop::sweep_limit, method << ": " << stopped.outcome.reason);
    BOOST_TEST(stopped.outcome.reason == "2 iterations");
  }
  b.values()[3] = std::numeric_limits<double>::quiet_NaN();
  for (const std::string& method : all) {
    HostVector x(n);
    const LinearOutcome failed = solvers().linear_solver(method).solve(a, b, x, {});
    BOOST_CHECK_MESSAGE(failed.outcome.stop == Stop::failed, method);
    BOOST_TEST(failed.outcome.reason == "a number is not finite");
  }
}

BOOST_AUTO_TEST_CASE(nothing_to_solve_needs_no_iteration) {
  const DenseMap a(2, 2, {2, 1, 1, 2}, true);
  for (const std::string& method : all) {
    HostVector x(2), y(Values{1, 1});
    BOOST_CHECK(solvers().linear_solver(method).solve(a, HostVector(2), x, {}).outcome.stop == Stop::converged);
    BOOST_TEST(x.norm() == 0);
    const LinearOutcome done = solvers().linear_solver(method).solve(a, HostVector(Values{3, 3}), y, {});
    BOOST_CHECK(done.outcome.stop == Stop::converged);
    BOOST_TEST(done.iterations == 0);
  }
}

BOOST_AUTO_TEST_CASE(errors_of_a_map_come_through_belos_unchanged) {
  class Broken final : public LinearMap {
   public:
    std::unique_ptr<Vector> domain() const override { return std::make_unique<HostVector>(2); }
    std::unique_ptr<Vector> range() const override { return std::make_unique<HostVector>(2); }
    void apply(const Vector& x, Vector& y) const override {
      if (dynamic_cast<const HostVector*>(&x) == nullptr) throw std::runtime_error("as the map said it");
      y.copy(x);
    }
    bool is_symmetric() const override { return true; }
  };
  const HostVector b(Values{1, 2});
  for (const std::string& method : all) {
    HostVector x(2);
    BOOST_CHECK_EXCEPTION(solvers().linear_solver(method).solve(Broken(), b, x, {}), std::runtime_error,
                          [](const std::runtime_error& error) { return error.what() == std::string("as the map said it"); });
  }
}

BOOST_AUTO_TEST_CASE(parameters_of_belos_are_passed_on_or_refused) {
  const DenseMap a(2, 2, {2, 1, 1, 3}, true);
  const HostVector b(Values{1, 2});
  std::string log;
  const auto solve = [&](const std::string& method, const std::string& name, const std::string& value) {
    HostVector x(2);
    solvers().linear_solver(method).solve(
        a, b, x, {.library = {.options = {{name, value}}, .log = [&](const std::string& text) { log += text; }}});
  };
  solve("trilinos-gmres", "Num Blocks", "7");
  BOOST_TEST(log.find("Gmres") != std::string::npos, log);
  BOOST_TEST(log.find("Num Blocks = 7") != std::string::npos, log);
  solve("trilinos-cg", "Verbosity", "127");
  BOOST_TEST(log.find("Belos") != std::string::npos, log);
  check_error(Code::unknown_word, {"Belos has no parameter 'Num Block' for trilinos-gmres", "  try       Num Blocks"},
              [&] { solve("trilinos-gmres", "Num Block", "7"); });
  check_error(Code::wrong_type, {"Belos' parameter 'Num Blocks' has a value of another type", "an integer", "seven"},
              [&] { solve("trilinos-gmres", "Num Blocks", "seven"); });
  check_error(Code::third_party, {"Belos refuses its parameters: "}, [&] { solve("trilinos-gmres", "Num Blocks", "-1"); });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::algebra
