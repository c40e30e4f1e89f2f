// Everything a backend can offer, used through the loader: device model, executor, four kinds of solvers, a communicator.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include "backend/registry.hpp"
#include "core/algebra/dense_map.hpp"
#include "core/backend/folders.hpp"

namespace tyto::backend {

using algebra::DenseMap;
using algebra::HostVector;
using Values = std::vector<double>;

static Registry dummy() {
  Registry registry;
  registry.add(load(good, "dummy"));
  return registry;
}

BOOST_AUTO_TEST_SUITE(dummy_backend)

/// Kernel 0: fills a vector of three with 2.5.
static std::shared_ptr<const program::Program> filling() {
  program::Program program;
  program.buffers.push_back({.name = "T", .extents = {3}, .strides = {1}});
  program.steps.push_back({.operation = program::Fill{.value = 2.5, .out = 0}});
  program.kernels.push_back({.name = "fill", .steps = {0}, .output = 0});
  program.arena_bytes = 64;
  return std::make_shared<const program::Program>(std::move(program));
}

BOOST_AUTO_TEST_CASE(executor_runs_a_program_and_counts) {
  const Registry registry = dummy();
  const auto instance = registry.executor("dummy").load(filling(), {});
  instance->run(0);
  const ConstArray value = instance->value(0);
  for (std::int64_t i = 0; i < 3; ++i) BOOST_TEST(value.as<double>()[i] == 2.5);
  BOOST_TEST(instance->counts().steps == 1);
  BOOST_TEST(instance->counts().bytes == 24);
}

BOOST_AUTO_TEST_CASE(device_model_says_what_it_takes_and_why_not) {
  const Registry registry = dummy();
  const device::Model& model = registry.executor("dummy").model();
  const auto program = filling();
  BOOST_TEST(!model.refuses(program->steps[0].operation, program->buffers).has_value());
  BOOST_TEST(model.refuses(program::Identity{.out = 0}, program->buffers).value() == "this device only fills");
  BOOST_TEST(model.seconds(program->steps[0].operation, program->buffers) > 0);
  BOOST_TEST(model.scratch_bytes(program->steps[0].operation, program->buffers) == 0);
  BOOST_TEST(model.kernel_class(program->steps[0].operation, program->buffers) == "fill");
  BOOST_TEST(model.memory_bytes() == 1048576);
}

BOOST_AUTO_TEST_CASE(linear_solver_solves) {
  const Registry registry = dummy();
  const DenseMap a(3, 3, {0, 2, 1, 1, 0, 0, 3, 0, 1});
  const HostVector b(Values{7, 1, 6});
  HostVector x(3);
  const algebra::LinearOutcome outcome = registry.linear_solver("dummy-elimination").solve(a, b, x, {});
  BOOST_TEST(x.values() == (Values{1, 2, 3}), boost::test_tools::per_element());
  BOOST_TEST(outcome.residual == 0);
  BOOST_CHECK(outcome.outcome.stop == Stop::converged);
}

BOOST_AUTO_TEST_CASE(eigenvalue_solver_finds_both_ends_and_complements) {
  const Registry registry = dummy();
  const algebra::EigenSolver& solver = registry.eigen_solver("dummy-jacobi");
  const DenseMap a(3, 3, {2, -1, 0, -1, 2, -1, 0, -1, 2}, true);  // 2 - sqrt(2), 2, 2 + sqrt(2)
  algebra::Vectors lowest, next, none;
  const algebra::EigenOutcome smallest = solver.solve(a, none, lowest, {.count = 1});
  BOOST_TEST(smallest.values[0] == 2 - std::sqrt(2.0), boost::test_tools::tolerance(1e-10));
  BOOST_TEST(smallest.residuals[0] < 1e-12);
  BOOST_TEST(solver.solve(a, lowest, next, {.count = 1}).values[0] == 2, boost::test_tools::tolerance(1e-10));
  BOOST_TEST(std::abs(next[0]->dot(*lowest[0])) < 1e-12);
  const algebra::EigenOutcome largest = solver.solve(a, none, next, {.count = 2, .which = algebra::Spectrum::largest});
  BOOST_TEST(largest.values[0] == 2 + std::sqrt(2.0), boost::test_tools::tolerance(1e-10));
  BOOST_TEST(largest.values[1] == 2, boost::test_tools::tolerance(1e-10));
}

BOOST_AUTO_TEST_CASE(svd_solver_finds_the_largest_triplets) {
  const Registry registry = dummy();
  const DenseMap a(2, 3, {3, 0, 0, 0, 0, -4});
  const algebra::SvdOutcome outcome = registry.svd_solver("dummy-gram").solve(a, {.count = 2});
  BOOST_TEST(outcome.values == (Values{4, 3}), boost::test_tools::tolerance(1e-10) << boost::test_tools::per_element());
  BOOST_TEST(outcome.residuals[0] < 1e-12);
  BOOST_TEST(std::abs(outcome.left[0]->dot(HostVector(Values{0, 1}))) == 1, boost::test_tools::tolerance(1e-10));
  BOOST_TEST(std::abs(outcome.right[0]->dot(HostVector(Values{0, 0, 1}))) == 1, boost::test_tools::tolerance(1e-10));
}

/// (x - 1)^4 / 4 + y^2
class Bowl final : public algebra::SmoothFunction {
 public:
  double value(const algebra::Vector& v) override { return std::pow(x(v) - 1, 4) / 4 + y(v) * y(v); }
  void gradient(const algebra::Vector& v, algebra::Vector& g) override { set(g, std::pow(x(v) - 1, 3), 2 * y(v)); }
  bool has_hessian() const override { return true; }
  void hessian_product(const algebra::Vector& at, const algebra::Vector& v, algebra::Vector& result) override {
    set(result, 3 * std::pow(x(at) - 1, 2) * x(v), 2 * y(v));
  }

 private:
  static double x(const algebra::Vector& v) { return v.read().as<double>()[0]; }
  static double y(const algebra::Vector& v) { return v.read().as<double>()[1]; }
  static void set(algebra::Vector& v, double a, double b) {
    v.write().as<double>()[0] = a;
    v.write().as<double>()[1] = b;
  }
};

/// Lets `limit` iterations pass.
class Watch final : public algebra::Monitor {
 public:
  explicit Watch(std::int64_t limit) : limit_(limit) {}
  bool proceed(const algebra::MinimizerProgress& progress) override {
    values.push_back(progress.value);
    return progress.iteration < limit_;
  }
  Values values;

 private:
  std::int64_t limit_;
};

BOOST_AUTO_TEST_CASE(minimizer_owns_its_loop_and_heeds_the_monitor) {
  const Registry registry = dummy();
  const algebra::Minimizer& minimizer = registry.minimizer("dummy-newton");
  Bowl bowl;
  Watch patient(1000), hasty(3);
  HostVector x(Values{2, 5});
  BOOST_TEST(minimizer.needs_hessian());
  const algebra::MinimizerOutcome done = minimizer.minimize(bowl, x, patient, {.gradient_tolerance = 1e-10});
  BOOST_CHECK(done.outcome.stop == Stop::converged);
  BOOST_TEST(static_cast<std::int64_t>(patient.values.size()) == done.iterations);
  BOOST_TEST(patient.values.back() == done.value);
  BOOST_TEST(std::abs(x.values()[0] - 1) < 1e-3);
  x.values() = {2, 5};
  const algebra::MinimizerOutcome stopped = minimizer.minimize(bowl, x, hasty, {});
  BOOST_CHECK(stopped.outcome.stop == Stop::interrupted);
  BOOST_TEST(stopped.iterations == 3);
  x.values() = {2, 5};
  BOOST_CHECK(minimizer.minimize(bowl, x, patient, {.max_iterations = 1}).outcome.stop == Stop::sweep_limit);
}

BOOST_AUTO_TEST_CASE(communicator_is_made_over_the_hosts_handle) {
  const Registry registry = dummy();
  const int native = 1;
  const auto pair = registry.communicator("dummy", &native);
  BOOST_TEST(pair->rank() == 1);
  BOOST_TEST(pair->size() == 2);
  double value = 3;
  pair->allreduce_sum({&value, 1});
  BOOST_TEST(value == 6);
  BOOST_TEST(pair->split(0, 0)->size() == 2);
  BOOST_TEST(registry.communicator("dummy", nullptr)->rank() == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::backend
