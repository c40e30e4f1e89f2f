// A backend that offers one of everything and does it in the plainest way: what a real one has to implement.
#include <algorithm>
#include <cstddef>
#include <utility>
#include "backend/backend.hpp"
#include "core/backend/dummy/dense.hpp"

namespace dummy {

using namespace tyto;

class Model final : public device::Model {
 public:
  std::optional<std::string> refuses(const program::Operation& operation, const std::vector<program::Buffer>&) const override {
    if (std::holds_alternative<program::Fill>(operation)) return std::nullopt;
    return "this device only fills";
  }
  double seconds(const program::Operation&, const std::vector<program::Buffer>&) const override { return 1e-6; }
  std::int64_t scratch_bytes(const program::Operation&, const std::vector<program::Buffer>&) const override { return 0; }
  std::string kernel_class(const program::Operation&, const std::vector<program::Buffer>&) const override { return "fill"; }
  std::int64_t memory_bytes() const override { return 1 << 20; }
};

class Instance final : public execute::Instance {
 public:
  explicit Instance(std::shared_ptr<const program::Program> program)
      : program_(std::move(program)), arena_(static_cast<std::size_t>(program_->arena_bytes)) {
    for (const program::Buffer& buffer : program_->buffers)
      views_.emplace_back(arena_.data() + buffer.offset, buffer.dtype, buffer.extents, buffer.strides);
  }
  void bind(program::LeafId, const Array&) override {}
  void run(program::StepId step) override {
    const auto& fill = std::get<program::Fill>(program_->steps[static_cast<std::size_t>(step)].operation);
    Array& out = views_[static_cast<std::size_t>(fill.out)];
    std::fill_n(out.as<double>(), out.size(), fill.value);
    counts_.bytes += out.size() * size_of(out.dtype);
    ++counts_.steps;
  }
  const ConstArray& value(program::BufferId buffer) const override { return views_[static_cast<std::size_t>(buffer)]; }
  const execute::Counts& counts() const override { return counts_; }

 private:
  std::shared_ptr<const program::Program> program_;
  std::vector<std::byte> arena_;
  std::vector<Array> views_;
  execute::Counts counts_;
};

class Executor final : public execute::Executor {
 public:
  std::string name() const override { return "dummy"; }
  const device::Model& model() const override { return model_; }
  std::unique_ptr<execute::Instance> load(std::shared_ptr<const program::Program> program, const execute::Options&) const override {
    return std::make_unique<Instance>(std::move(program));
  }

 private:
  Model model_;
};

class Elimination final : public algebra::LinearSolver {
 public:
  std::string name() const override { return "dummy-elimination"; }
  algebra::LinearOutcome solve(const algebra::LinearMap& a, const algebra::Vector& b, algebra::Vector& x,
                               const algebra::LinearOptions&) const override {
    assign(x, dummy::solve(entries(a), numbers(b)));
    return {.outcome = {Stop::converged, "direct"}, .iterations = 1, .residual = residual_norm(a, b, x)};
  }
};

class Jacobi final : public algebra::EigenSolver {
 public:
  std::string name() const override { return "dummy-jacobi"; }
  algebra::EigenOutcome solve(const algebra::LinearMap& a, const algebra::Vectors& orthogonal_to, algebra::Vectors& vectors,
                              const algebra::EigenOptions& options) const override {
    Matrix matrix = entries(a);
    double large = 1;
    for (const Row& row : matrix) large += std::inner_product(row.begin(), row.end(), row.begin(), 0.0);
    for (const auto& vector : orthogonal_to)
      shift(matrix, numbers(*vector), options.which == algebra::Spectrum::smallest ? large : -large);
    const Matrix v = diagonalize(matrix);
    std::vector<std::size_t> order = ascending(matrix);
    if (options.which == algebra::Spectrum::largest) std::reverse(order.begin(), order.end());
    algebra::EigenOutcome outcome{.outcome = {Stop::converged, "direct"}, .iterations = 30};
    vectors.clear();
    for (std::size_t k = 0; k < static_cast<std::size_t>(options.count); ++k) {
      vectors.push_back(a.domain());
      assign(*vectors.back(), v[order[k]]);
      const auto rest = a.range();
      a.apply(*vectors.back(), *rest);
      rest->axpy(-matrix[order[k]][order[k]], *vectors.back());
      outcome.values.push_back(matrix[order[k]][order[k]]);
      outcome.residuals.push_back(rest->norm());
    }
    return outcome;
  }

 private:
  static void shift(Matrix& matrix, const Row& direction, double by) {
    for (std::size_t i = 0; i < direction.size(); ++i) {
      for (std::size_t j = 0; j < direction.size(); ++j) matrix[i][j] += by * direction[i] * direction[j];
    }
  }
};

class GramSvd final : public algebra::SvdSolver {
 public:
  std::string name() const override { return "dummy-gram"; }
  algebra::SvdOutcome solve(const algebra::LinearMap& a, const algebra::SvdOptions& options) const override {
    const Matrix matrix = entries(a);
    const std::size_t n = matrix.front().size();
    Matrix gram(n, Row(n));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        for (const Row& row : matrix) gram[i][j] += row[i] * row[j];
      }
    }
    const Matrix v = diagonalize(gram);
    const std::vector<std::size_t> order = ascending(gram);
    algebra::SvdOutcome outcome{.outcome = {Stop::converged, "direct"}, .iterations = 30};
    for (std::size_t k = 0; k < static_cast<std::size_t>(options.count); ++k) add(a, v[order[n - 1 - k]], outcome);
    return outcome;
  }

 private:
  static void add(const algebra::LinearMap& a, const Row& direction, algebra::SvdOutcome& outcome) {
    std::unique_ptr<algebra::Vector> u = a.range(), v = a.domain();
    const auto back = a.domain();
    assign(*v, direction);
    a.apply(*v, *u);
    const double s = u->norm();
    u->scale(1 / s);
    a.apply_transposed(*u, *back);
    back->axpy(-s, *v);
    outcome.values.push_back(s);
    outcome.residuals.push_back(back->norm());
    outcome.left.push_back(std::move(u));
    outcome.right.push_back(std::move(v));
  }
};

/// Newton's method with the Hessian as a dense matrix.
class Newton final : public algebra::Minimizer {
 public:
  std::string name() const override { return "dummy-newton"; }
  bool needs_hessian() const override { return true; }
  algebra::MinimizerOutcome minimize(algebra::SmoothFunction& f, algebra::Vector& x, algebra::Monitor& monitor,
                                     const algebra::MinimizerOptions& options) const override {
    const auto g = x.create();
    f.gradient(x, *g);
    const double bound = std::max(options.gradient_tolerance * g->norm(), options.gradient_absolute);
    algebra::MinimizerOutcome result{.outcome = {Stop::sweep_limit, "iterations"}};
    while (result.iterations < options.max_iterations) {
      const Row step = dummy::solve(hessian(f, x), numbers(*g));
      const auto s = x.create();
      assign(*s, step);
      x.axpy(-1, *s);
      f.gradient(x, *g);
      ++result.iterations;
      const bool goes_on = monitor.proceed(
          {.iteration = result.iterations, .value = f.value(x), .gradient_norm = g->norm(), .step_length = s->norm(), .x = &x});
      if (g->norm() <= bound) result.outcome = {Stop::converged, "gradient"};
      if (!goes_on) result.outcome = {Stop::interrupted, "the monitor asked for it"};
      if (result.outcome.stop != Stop::sweep_limit) break;
    }
    result.value = f.value(x);
    result.gradient_norm = g->norm();
    return result;
  }

 private:
  static Matrix hessian(algebra::SmoothFunction& f, const algebra::Vector& x) {
    class Map final : public algebra::LinearMap {
     public:
      Map(algebra::SmoothFunction& function, const algebra::Vector& at) : f_(function), x_(at) {}
      std::unique_ptr<algebra::Vector> domain() const override { return x_.create(); }
      std::unique_ptr<algebra::Vector> range() const override { return x_.create(); }
      void apply(const algebra::Vector& v, algebra::Vector& y) const override { f_.hessian_product(x_, v, y); }

     private:
      algebra::SmoothFunction& f_;
      const algebra::Vector& x_;
    };
    return entries(Map(f, x));
  }
};

/// Says that it is rank *native of 2; the other rank does as this one does.
class Pair final : public communicator::Communicator {
 public:
  explicit Pair(int rank) : rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return 2; }
  void allreduce_sum(std::span<double> values) const override {
    for (double& value : values) value *= 2;
  }
  void allreduce_min(std::span<std::int64_t>) const override {}
  void allreduce_max(std::span<std::int64_t>) const override {}
  void broadcast(std::span<std::byte>, int) const override {}
  std::unique_ptr<communicator::Communicator> split(int, int) const override { return std::make_unique<Pair>(rank_); }
  void barrier() const override {}

 private:
  int rank_;
};

}  // namespace dummy

#ifndef DUMMY_NAME
#define DUMMY_NAME "dummy"
#define DUMMY_REASON nullptr
#endif
TYTO_BACKEND(DUMMY_NAME, "1.0", "one of everything", []() -> const char* { return DUMMY_REASON; },
             tyto::backend::factory_of<tyto::execute::Executor, dummy::Executor>(),
             tyto::backend::factory_of<tyto::algebra::LinearSolver, dummy::Elimination>(),
             tyto::backend::factory_of<tyto::algebra::EigenSolver, dummy::Jacobi>(),
             tyto::backend::factory_of<tyto::algebra::SvdSolver, dummy::GramSvd>(),
             tyto::backend::factory_of<tyto::algebra::Minimizer, dummy::Newton>(),
             {.create = [](const void* native) -> tyto::communicator::Communicator* {
                return new dummy::Pair(native == nullptr ? 0 : *static_cast<const int*>(native));
              },
              .destroy = [](tyto::communicator::Communicator* mine) { delete mine; }})
