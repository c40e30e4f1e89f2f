// PETSc's linear solvers against LAPACK and against the built-in conjugate gradients.
#include <boost/test/unit_test.hpp>
#include <limits>
#include "algebra/conjugate_gradient.hpp"
#include "core/algebra/loaded.hpp"

namespace tyto::algebra {
namespace {

constexpr std::int64_t n = 24;
const std::vector<std::string> all{"petsc-cg", "petsc-minres", "petsc-gmres", "petsc-stcg", "petsc-nash", "petsc-gltr"};
const std::vector<std::string> in_a_region{"petsc-stcg", "petsc-nash", "petsc-gltr"};

}  // namespace

BOOST_AUTO_TEST_SUITE(petsc_krylov)

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
  for (const std::string method : {"petsc-minres", "petsc-gmres"}) {
    HostVector x(n);
    check_solution(solvers().linear_solver(method).solve(a, b, x, {.tolerance = 1e-12}), a, b, x, by_lapack(matrix, b.values()));
  }
  for (const std::string method : {"petsc-cg", "petsc-stcg", "petsc-nash"}) {
    HostVector x(n);
    const LinearOutcome outcome = solvers().linear_solver(method).solve(a, b, x, {});
    BOOST_CHECK(outcome.outcome.stop == Stop::failed);
    BOOST_TEST(outcome.negative_curvature, method);
    BOOST_TEST(outcome.outcome.reason == "the map is not positive definite");
  }
}

BOOST_AUTO_TEST_CASE(maps_without_symmetry_are_for_gmres) {
  Numbers numbers(3);
  const Values matrix = unsymmetric(n, numbers);
  const DenseMap a(n, n, matrix);
  const HostVector b(numbers.take(n));
  for (const std::string& method : all) {
    HostVector x(n);
    if (method == "petsc-gmres") {
      check_solution(solvers().linear_solver(method).solve(a, b, x, {.tolerance = 1e-12}), a, b, x, by_lapack(matrix, b.values()));
    } else {
      check_error(Code::unsupported, {method + " for a map that is not symmetric is not part of this version", "petsc-gmres"},
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

BOOST_AUTO_TEST_CASE(transposes_reach_the_map) {
  Numbers numbers(5);
  const Values matrix = unsymmetric(n, numbers);
  const DenseMap a(n, n, matrix);
  const HostVector b(numbers.take(n));
  HostVector x(n);
  const LinearOutcome outcome =
      solvers().linear_solver("petsc-gmres").solve(a, b, x, {.tolerance = 1e-12, .library = {.options = {{"ksp_type", "bicg"}}}});
  check_solution(outcome, a, b, x, by_lapack(matrix, b.values()));
}

BOOST_AUTO_TEST_CASE(the_diagonal_is_offered_where_the_map_knows_it) {
  Numbers numbers(6);
  const Values matrix = badly_scaled(symmetric(n, numbers, 0.5));
  const HostVector b(numbers.take(n));
  const LinearOptions jacobi{.tolerance = 1e-12, .library = {.options = {{"pc_type", "jacobi"}}}};
  HostVector x(n);
  const DenseMap known(n, n, matrix, true, true), unknown(n, n, matrix, true);
  check_solution(solvers().linear_solver("petsc-cg").solve(known, b, x, jacobi), known, b, x, by_lapack(matrix, b.values()));
  x.fill(0);
  check_error(Code::unsupported, {"the diagonal of this linear map is not part of this version", "pc_type none"},
              [&] { solvers().linear_solver("petsc-cg").solve(unknown, b, x, jacobi); });
}

BOOST_AUTO_TEST_CASE(steps_to_the_boundary_are_those_of_the_built_in_method) {
  Numbers numbers(7);
  const Values matrix = badly_scaled(symmetric(n, numbers, 0.5));
  const DenseMap a(n, n, matrix, true), inverse = inverse_diagonal(matrix);
  const HostVector b(numbers.take(n));
  for (const std::string method : {"petsc-stcg", "petsc-nash"}) {
    for (const LinearMap* preconditioner : {static_cast<const LinearMap*>(nullptr), static_cast<const LinearMap*>(&inverse)}) {
      for (const double radius : {1e-6, 1e-4, 1e-2}) {
        HostVector x(numbers.take(n)), expected(n);
        const LinearOptions options{.tolerance = 1e-12, .trust_radius = radius, .preconditioner = preconditioner};
        const LinearOutcome outcome = solvers().linear_solver(method).solve(a, b, x, options);
        const LinearOutcome built_in = ConjugateGradient().solve(a, b, expected, options);
        BOOST_TEST(outcome.on_boundary == built_in.on_boundary);
        BOOST_TEST(outcome.iterations == built_in.iterations);
        BOOST_TEST(outcome.outcome.reason == built_in.outcome.reason);
        BOOST_TEST(distance(x, expected.values()) <= 1e-8 * expected.norm());  // scalar products are rounded in another order
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_step_inside_the_region_is_the_solution) {
  Numbers numbers(8);
  const Values matrix = symmetric(n, numbers, 0.1);
  const DenseMap a(n, n, matrix, true);
  const HostVector b(numbers.take(n));
  for (const std::string& method : in_a_region) {
    HostVector x(numbers.take(n));
    const LinearOutcome outcome = solvers().linear_solver(method).solve(a, b, x, {.tolerance = 1e-8, .trust_radius = 1e6});
    BOOST_CHECK_MESSAGE(outcome.outcome.stop == Stop::converged, outcome.outcome.reason);
    BOOST_TEST(!outcome.on_boundary);
    BOOST_TEST(distance(x, by_lapack(matrix, b.values())) <= 1e-6 * x.norm());
  }
}

BOOST_AUTO_TEST_CASE(negative_curvature_is_followed_to_the_boundary) {
  const DenseMap a(2, 2, {-1, 0, 0, 2}, true);
  const HostVector b(Values{1, 0.125});
  for (const std::string& method : in_a_region) {
    HostVector x(2);
    const LinearOutcome outcome = solvers().linear_solver(method).solve(a, b, x, {.trust_radius = 5});
    BOOST_TEST(outcome.on_boundary, method);
    BOOST_CHECK(outcome.outcome.stop == Stop::converged);
    BOOST_TEST(outcome.outcome.reason == "negative curvature, followed to the trust radius");
    BOOST_TEST(x.norm() == 5, boost::test_tools::tolerance(method == "petsc-gltr" ? 1e-6 : 1e-12));
    BOOST_TEST(x.values()[0] > 4.9);
  }
}

BOOST_AUTO_TEST_CASE(gltr_goes_on_along_the_boundary) {
  Numbers numbers(9);
  const DenseMap a(n, n, with_signs(symmetric(n, numbers, 1)), true);
  const HostVector b(numbers.take(n));
  HostVector first(n), last(n), product(n);
  const auto model = [&](const HostVector& x) {  // x.Ax / 2 - b.x
    a.apply(x, product);
    return 0.5 * x.dot(product) - b.dot(x);
  };
  const LinearOptions options{.tolerance = 1e-10, .trust_radius = 10};
  solvers().linear_solver("petsc-stcg").solve(a, b, first, options);
  const LinearOutcome outcome = solvers().linear_solver("petsc-gltr").solve(a, b, last, options);
  BOOST_TEST(outcome.on_boundary);
  BOOST_TEST(outcome.negative_curvature);
  BOOST_TEST(last.norm() == 10, boost::test_tools::tolerance(1e-6));
  BOOST_TEST(model(last) < model(first));
}

BOOST_AUTO_TEST_CASE(a_radius_that_the_method_does_not_know_is_refused) {
  const DenseMap a(1, 1, {1}, true);
  const HostVector b(1);
  HostVector x(1);
  check_error(Code::unsupported, {"a trust radius in petsc-cg is not part of this version", "petsc-stcg, petsc-nash or petsc-gltr"},
              [&] { solvers().linear_solver("petsc-cg").solve(a, b, x, {.trust_radius = 1}); });
  check_error(Code::unsupported, {"a trust radius in ksp_type cg is not part of this version"}, [&] {
    solvers().linear_solver("petsc-stcg").solve(a, b, x, {.trust_radius = 1, .library = {.options = {{"ksp_type", "cg"}}}});
  });
}

BOOST_AUTO_TEST_CASE(limits_and_bad_numbers_have_names) {
  Numbers numbers(10);
  const DenseMap a(n, n, symmetric(n, numbers, 0.01), true);
  HostVector b(numbers.take(n));
  for (const std::string& method : all) {
    HostVector x(n);
    const LinearOutcome stopped = solvers().linear_solver(method).solve(a, b, x, {.tolerance = 1e-14, .max_iterations = 2});
    BOOST_CHECK_MESSAGE(stopped.outcome.stop == Stop::sweep_limit, method << stopped.outcome.reason);
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
    const LinearOutcome zero = solvers().linear_solver(method).solve(a, HostVector(2), x, {});
    BOOST_CHECK(zero.outcome.stop == Stop::converged);
    BOOST_TEST(x.norm() == 0);
    const LinearOutcome done = solvers().linear_solver(method).solve(a, HostVector(Values{3, 3}), y, {});
    BOOST_CHECK(done.outcome.stop == Stop::converged);
    BOOST_TEST(done.iterations == 0);
    BOOST_TEST(y.values() == (Values{1, 1}), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(errors_of_a_map_come_through_petsc_unchanged) {
  class Broken final : public LinearMap {
   public:
    std::unique_ptr<Vector> domain() const override { return std::make_unique<HostVector>(2); }
    std::unique_ptr<Vector> range() const override { return std::make_unique<HostVector>(2); }
    void apply(const Vector&, Vector&) const override { throw std::runtime_error("as the map said it"); }
    bool is_symmetric() const override { return true; }
  };
  const HostVector b(Values{1, 2});
  for (const std::string& method : all) {
    HostVector x(2);
    BOOST_CHECK_EXCEPTION(solvers().linear_solver(method).solve(Broken(), b, x, {}), std::runtime_error,
                          [](const std::runtime_error& error) { return error.what() == std::string("as the map said it"); });
  }
}

BOOST_AUTO_TEST_CASE(a_map_may_solve_by_petsc_itself) {
  class Inverse final : public LinearMap {
   public:
    explicit Inverse(const DenseMap& map) : map_(map) {}
    std::unique_ptr<Vector> domain() const override { return map_.domain(); }
    std::unique_ptr<Vector> range() const override { return map_.range(); }
    void apply(const Vector& x, Vector& y) const override {
      y.fill(0);
      solvers()
          .linear_solver("petsc-gmres")
          .solve(map_, x, y, {.tolerance = 1e-14, .library = {.options = {{"ksp_gmres_restart", "5"}}}});
    }
    bool is_symmetric() const override { return true; }

   private:
    const DenseMap& map_;
  };
  const DenseMap a(3, 3, {4, 1, 0, 1, 3, 1, 0, 1, 2}, true);
  const HostVector expected(Values{1, 2, 3});
  HostVector b(3), x(3);
  a.apply(expected, b);
  HostVector product(3);
  a.apply(b, product);  // A^-1 x = A b, so x = A A b
  HostVector answer(3);
  a.apply(product, answer);
  solvers().linear_solver("petsc-cg").solve(Inverse(a), product, x, {.tolerance = 1e-12});
  BOOST_TEST(distance(x, answer.values()) <= 1e-9 * answer.norm());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::algebra
