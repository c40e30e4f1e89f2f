// PETSc's minimizers on functions whose minima are known.
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include "core/algebra/loaded.hpp"

namespace tyto::algebra {
namespace {

const std::vector<std::string> all{"petsc-ntr", "petsc-nls", "petsc-bntr", "petsc-blmvm", "petsc-lmvm"};
const std::vector<std::string> bounded{"petsc-bntr", "petsc-blmvm"};

const double* numbers_of(const Vector& x) { return x.read().as<double>(); }

/// sum_i 100 (x_{i+1} - x_i^2)^2 + (1 - x_i)^2, least at (1, ..., 1).
class Rosenbrock final : public SmoothFunction {
 public:
  explicit Rosenbrock(bool has_preconditioner = false) : has_preconditioner_(has_preconditioner) {}
  double value(const Vector& at) override {
    const double* x = numbers_of(at);
    double sum = 0;
    for (std::int64_t i = 0; i + 1 < at.size(); ++i) sum += 100 * std::pow(x[i + 1] - x[i] * x[i], 2) + std::pow(1 - x[i], 2);
    return sum;
  }
  void gradient(const Vector& at, Vector& result) override {
    const double* x = numbers_of(at);
    result.fill(0);
    double* g = result.write().as<double>();
    for (std::int64_t i = 0; i + 1 < at.size(); ++i) {
      const double rest = x[i + 1] - x[i] * x[i];
      g[i] += -400 * rest * x[i] - 2 * (1 - x[i]);
      g[i + 1] += 200 * rest;
    }
  }
  bool has_hessian() const override { return true; }
  void hessian_product(const Vector& at, const Vector& direction, Vector& result) override {
    const double *x = numbers_of(at), *v = numbers_of(direction);
    result.fill(0);
    double* h = result.write().as<double>();
    for (std::int64_t i = 0; i + 1 < at.size(); ++i) {
      h[i] += (1200 * x[i] * x[i] - 400 * x[i + 1] + 2) * v[i] - 400 * x[i] * v[i + 1];
      h[i + 1] += 200 * v[i + 1] - 400 * x[i] * v[i];
    }
  }
  bool has_preconditioner() const override { return has_preconditioner_; }
  void precondition(const Vector& at, const Vector& direction, Vector& result) override {
    ++preconditioned;
    const double *x = numbers_of(at), *v = numbers_of(direction);
    double* z = result.write().as<double>();
    const std::int64_t last = at.size() - 1;
    for (std::int64_t i = 0; i <= last; ++i)
      z[i] = v[i] / ((i < last ? std::abs(1200 * x[i] * x[i] - 400 * x[i + 1] + 2) : 0.0) + (i > 0 ? 200 : 0) + 1);
  }
  int preconditioned = 0;

 private:
  bool has_preconditioner_;
};

/// x.Ax / 2 - b.x
class Quadratic final : public SmoothFunction {
 public:
  Quadratic(DenseMap a, Values b) : a_(std::move(a)), b_(std::move(b)) {}
  double value(const Vector& x) override {
    const auto product = x.create();
    a_.apply(x, *product);
    double sum = 0;
    for (std::size_t i = 0; i < b_.size(); ++i) sum += numbers_of(x)[i] * (0.5 * numbers_of(*product)[i] - b_[i]);
    return sum;
  }
  void gradient(const Vector& x, Vector& result) override {
    a_.apply(x, result);
    double* g = result.write().as<double>();
    for (std::size_t i = 0; i < b_.size(); ++i) g[i] -= b_[i];
  }
  bool has_hessian() const override { return true; }
  void hessian_product(const Vector&, const Vector& v, Vector& result) override { a_.apply(v, result); }

 private:
  DenseMap a_;
  Values b_;
};

class Record final : public Monitor {
 public:
  explicit Record(std::int64_t stop_after = std::numeric_limits<std::int64_t>::max()) : stop_after_(stop_after) {}
  bool proceed(const MinimizerProgress& progress) override {
    BOOST_TEST(progress.x != nullptr);
    points.emplace_back(numbers_of(*progress.x), numbers_of(*progress.x) + progress.x->size());
    seen.push_back(progress);
    return progress.iteration < stop_after_;
  }
  std::vector<MinimizerProgress> seen;
  std::vector<Values> points;

 private:
  std::int64_t stop_after_;
};

Values start_of(std::int64_t n) {
  Values x(static_cast<std::size_t>(n), 1);
  for (std::size_t i = 0; i < x.size(); i += 2) x[i] = -1.2;
  return x;
}

MinimizerOutcome minimize(const std::string& method, SmoothFunction& f, HostVector& x, const MinimizerOptions& options) {
  Record record;
  return solvers().minimizer(method).minimize(f, x, record, options);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(petsc_minimizers)

BOOST_AUTO_TEST_CASE(every_method_finds_the_minimum_of_rosenbrock) {
  for (const std::string& method : all) {
    for (const std::int64_t n : {2, 7}) {
      BOOST_TEST_CONTEXT(method << ", n = " << n) {
        Rosenbrock f;
        HostVector x(n == 2 ? start_of(n) : Values(static_cast<std::size_t>(n), 0.5));
        const MinimizerOutcome outcome = minimize(method, f, x, {.gradient_tolerance = 1e-10});
        BOOST_CHECK_MESSAGE(outcome.outcome.stop == Stop::converged, outcome.outcome.reason);
        for (const double number : x.values()) BOOST_TEST(std::abs(number - 1) < 1e-6);
        BOOST_TEST(outcome.value == f.value(x));
        HostVector g(n);
        f.gradient(x, g);
        BOOST_TEST(outcome.gradient_norm == g.norm(), boost::test_tools::tolerance(1e-14));
        BOOST_TEST(outcome.iterations > 0);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_preconditioner_of_the_function_is_used) {
  for (const std::string method : {"petsc-ntr", "petsc-nls", "petsc-bntr"}) {
    Rosenbrock f(true);
    HostVector x(Values(40, 0.5));
    std::string view;
    const MinimizerOutcome outcome =
        minimize(method, f, x, {.gradient_tolerance = 1e-10, .library = {.log = [&](const std::string& text) { view += text; }}});
    BOOST_CHECK_MESSAGE(outcome.outcome.stop == Stop::converged, method << ": " << outcome.outcome.reason);
    for (const double number : x.values()) BOOST_TEST(std::abs(number - 1) < 1e-6);
    BOOST_TEST(f.preconditioned > 0);
    BOOST_TEST(outcome.iterations < 100);  // line searches take hundreds where shifts of the Hessian add up
    BOOST_TEST(view.find("type: shell") != std::string::npos, view);
  }
}

BOOST_AUTO_TEST_CASE(the_monitor_sees_each_iteration) {
  for (const std::string& method : all) {
    BOOST_TEST_CONTEXT(method) {
      Rosenbrock f;
      HostVector x(start_of(2));
      Record record;
      const MinimizerOutcome outcome = solvers().minimizer(method).minimize(f, x, record, {.gradient_tolerance = 1e-10});
      BOOST_TEST(static_cast<std::int64_t>(record.seen.size()) == outcome.iterations);
      Values before = start_of(2);
      for (std::size_t k = 0; k < record.seen.size(); ++k) {
        BOOST_TEST(record.seen[k].iteration == static_cast<std::int64_t>(k + 1));
        BOOST_TEST(record.seen[k].value == f.value(HostVector(record.points[k])));
        BOOST_TEST(record.seen[k].step_length == std::hypot(record.points[k][0] - before[0], record.points[k][1] - before[1]),
                   boost::test_tools::tolerance(1e-12));
        before = record.points[k];
      }
      BOOST_TEST(record.points.back() == x.values(), boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(the_monitor_can_stop) {
  for (const std::string& method : all) {
    Rosenbrock f;
    HostVector x(start_of(2));
    Record record(3);
    const MinimizerOutcome outcome = solvers().minimizer(method).minimize(f, x, record, {});
    BOOST_CHECK_MESSAGE(outcome.outcome.stop == Stop::interrupted, method);
    BOOST_TEST(outcome.outcome.reason == "the monitor asked for it");
    BOOST_TEST(record.seen.size() == 3U);
    BOOST_TEST(outcome.iterations == 3);
    BOOST_TEST(outcome.value == f.value(x));
    BOOST_TEST(outcome.value < f.value(HostVector(start_of(2))));
  }
}

BOOST_AUTO_TEST_CASE(the_limit_of_iterations_holds) {
  for (const std::string& method : all) {
    Rosenbrock f;
    HostVector x(start_of(2));
    const MinimizerOutcome outcome = minimize(method, f, x, {.max_iterations = 4});
    BOOST_CHECK_MESSAGE(outcome.outcome.stop == Stop::sweep_limit, method << ": " << outcome.outcome.reason);
    BOOST_TEST(outcome.iterations == 4);
  }
}

BOOST_AUTO_TEST_CASE(nearest_point_of_a_box) {
  const Values target{-2, 0.25, 3, 0.5};
  const HostVector lower(Values{0, 0, 0, 0.75}), upper(Values{1, 1, 1, 2});
  const Values expected{0, 0.25, 1, 0.75};
  for (const std::string& method : bounded) {
    Quadratic f(DenseMap(4, 4, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, true), target);
    HostVector x(Values{0.5, 0.5, 0.5, 1});
    const MinimizerOutcome outcome = minimize(method, f, x, {.gradient_absolute = 1e-10, .lower = &lower, .upper = &upper});
    BOOST_CHECK_MESSAGE(outcome.outcome.stop == Stop::converged, method << ": " << outcome.outcome.reason);
    for (std::size_t i = 0; i < 4; ++i) BOOST_TEST(std::abs(x.values()[i] - expected[i]) < 1e-9, method << " " << i);
    BOOST_TEST(outcome.gradient_norm < 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(bounded_quadratics_meet_the_optimality_conditions) {
  constexpr std::int64_t n = 20;
  Numbers numbers(21);
  for (int round = 0; round < 3; ++round) {
    const DenseMap a(n, n, symmetric(n, numbers, 0.5), true);
    const Values b = numbers.take(n);
    const HostVector lower(Values(n, -0.25));  // from one side only
    for (const std::string& method : bounded) {
      Quadratic f(a, b);
      HostVector x(n), g(n);
      const MinimizerOutcome outcome = minimize(method, f, x, {.gradient_absolute = 1e-9, .lower = &lower});
      BOOST_CHECK_MESSAGE(outcome.outcome.stop == Stop::converged, method << ": " << outcome.outcome.reason);
      f.gradient(x, g);
      int active = 0;
      for (std::size_t i = 0; i < n; ++i) {
        BOOST_TEST(x.values()[i] >= -0.25);
        const double left = std::min(x.values()[i] + 0.25, g.values()[i]);
        BOOST_TEST(std::abs(left) < 1e-7, method);
        if (x.values()[i] < -0.25 + 1e-9) ++active;
      }
      BOOST_TEST(active > 0);
      BOOST_TEST(active < n);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_preconditioner_and_bounds_go_together) {
  Rosenbrock f(true);
  HostVector x(Values(6, 0.25));
  const HostVector upper(Values(6, 0.5));
  const MinimizerOutcome outcome = minimize("petsc-bntr", f, x, {.gradient_tolerance = 1e-9, .upper = &upper});
  BOOST_CHECK_MESSAGE(outcome.outcome.stop == Stop::converged, outcome.outcome.reason);
  HostVector g(6);
  f.gradient(x, g);
  for (std::size_t i = 0; i < 6; ++i) BOOST_TEST(std::abs(std::max(x.values()[i] - 0.5, g.values()[i])) < 1e-5);
}

BOOST_AUTO_TEST_CASE(what_a_method_cannot_do_is_refused) {
  class Slope final : public SmoothFunction {
   public:
    double value(const Vector& x) override { return numbers_of(x)[0]; }
    void gradient(const Vector&, Vector& result) override { result.fill(1); }
  };
  Slope f;
  HostVector x(1);
  const HostVector zero(1);
  for (const std::string method : {"petsc-ntr", "petsc-nls", "petsc-bntr"}) {
    check_error(Code::unsupported, {method + " for a function without Hessian products", "petsc-lmvm or petsc-blmvm"},
                [&] { minimize(method, f, x, {}); });
  }
  check_error(Code::unsupported, {"bounds in petsc-lmvm", "petsc-blmvm"}, [&] { minimize("petsc-lmvm", f, x, {.lower = &zero}); });
  Rosenbrock g;
  check_error(Code::unsupported, {"bounds in petsc-ntr", "petsc-bntr"}, [&] { minimize("petsc-ntr", g, x, {.upper = &zero}); });
}

BOOST_AUTO_TEST_CASE(bounds_that_exclude_each_other_are_an_error) {
  Rosenbrock f;
  HostVector x(3);
  const HostVector lower(Values{0, 2, 0}), upper(Values{1, 1, 1});
  check_error(Code::contradiction,
              {"the bounds of element 1 of the unknowns exclude each other\n  expected  lower <= upper\n  found     2 and 1"},
              [&] { minimize("petsc-bntr", f, x, {.lower = &lower, .upper = &upper}); });
}

BOOST_AUTO_TEST_CASE(the_best_point_is_returned_where_values_may_rise) {
  // A line search that compares with the highest of several values accepts worse points.
  const std::vector<std::pair<std::string, std::string>> rising{
      {"tao_ls_type", "armijo"}, {"tao_ls_armijo_memory_size", "10"}, {"tao_ls_armijo_nondescending", ""}};
  int rises = 0;
  for (std::int64_t limit = 1; limit < 30; ++limit) {
    Rosenbrock f;
    HostVector x(start_of(2));
    Record record;
    const MinimizerOutcome outcome =
        solvers().minimizer("petsc-nls").minimize(f, x, record, {.max_iterations = limit, .library = {.options = rising}});
    double best = f.value(HostVector(start_of(2)));
    for (const MinimizerProgress& progress : record.seen) best = std::min(best, progress.value);
    if (record.seen.back().value > best) ++rises;
    BOOST_TEST(outcome.value == best);
    BOOST_TEST(f.value(x) == best);
  }
  BOOST_TEST(rises > 0);
}

BOOST_AUTO_TEST_CASE(methods_say_what_they_need) {
  for (const std::string& method : all) {
    const Minimizer& minimizer = solvers().minimizer(method);
    BOOST_TEST(minimizer.name() == method);
    BOOST_TEST(minimizer.needs_hessian() == (method.back() == 'r' || method == "petsc-nls"));
    BOOST_TEST(minimizer.takes_bounds() == (method[6] == 'b'));
  }
}

BOOST_AUTO_TEST_CASE(a_function_that_is_not_finite_is_an_outcome) {
  class Undefined final : public SmoothFunction {
   public:
    double value(const Vector&) override { return std::numeric_limits<double>::quiet_NaN(); }
    void gradient(const Vector&, Vector& result) override { result.fill(1); }
  };
  Undefined f;
  HostVector x(2);
  const MinimizerOutcome outcome = minimize("petsc-lmvm", f, x, {});
  BOOST_CHECK(outcome.outcome.stop == Stop::failed);
  BOOST_TEST(outcome.outcome.reason == "the function is not finite");
}

BOOST_AUTO_TEST_CASE(errors_of_function_and_monitor_come_through_unchanged) {
  class Broken final : public SmoothFunction {
   public:
    double value(const Vector&) override { throw std::runtime_error("as the function said it"); }
    void gradient(const Vector&, Vector&) override {}
  };
  class Refusing final : public Monitor {
   public:
    bool proceed(const MinimizerProgress&) override { throw std::runtime_error("as the monitor said it"); }
  };
  Broken broken;
  HostVector x(start_of(2));
  BOOST_CHECK_EXCEPTION(minimize("petsc-lmvm", broken, x, {}), std::runtime_error,
                        [](const auto& error) { return error.what() == std::string("as the function said it"); });
  for (const std::string& method : all) {
    Rosenbrock f;
    Refusing refusing;
    BOOST_CHECK_EXCEPTION(solvers().minimizer(method).minimize(f, x, refusing, {}), std::runtime_error,
                          [](const auto& error) { return error.what() == std::string("as the monitor said it"); });
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::algebra
