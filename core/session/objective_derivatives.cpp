/// Session::check_derivatives: gradients and products with Hessians at the start of a run, against differences.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "session/bound_leaves.hpp"
#include "session/differences.hpp"
#include "session/implementation.hpp"
#include "session/train_derivatives.hpp"
#include "solve/start.hpp"
#include "tensor/random.hpp"
#include "tyto/derivative.hpp"

namespace tyto::inline v1 {
using namespace session;

namespace {

constexpr std::int64_t most_directions = 3, most_entries = 8;
/// Work for one derivative by one unknown, in flops and bytes: some seconds.
constexpr std::int64_t most_work = 20'000'000'000;

Numbers numbers_of(const ConstArray& array) {
  const tensor::Dense row_major = tensor::Dense::copy(array, Dtype::f64);
  return {row_major.view().as<double>(), row_major.view().as<double>() + row_major.size()};
}

/// Of length one; depends on the seed, the name and its number alone.
Numbers random_direction(std::uint64_t seed, const std::string& name, std::int64_t number, std::size_t size) {
  const tensor::Random random(seed, fmt::format("direction {} of {}", number, name));
  Numbers direction(size);
  double sum = 0;
  for (std::size_t k = 0; k < size; ++k) {
    direction[k] = random.normal(static_cast<std::int64_t>(k));
    sum += direction[k] * direction[k];
  }
  for (double& x : direction) x /= std::sqrt(sum);
  return direction;
}

/// One from each of `count` parts of about one size, so that they differ.
std::vector<std::int64_t> random_entries(std::uint64_t seed, const std::string& name, std::int64_t count, std::int64_t size) {
  const tensor::Random random(seed, fmt::format("entries of {}", name));
  std::vector<std::int64_t> entries;
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t first = k * size / count, last = (k + 1) * size / count;
    entries.push_back(first + static_cast<std::int64_t>(random.uniform(k) * static_cast<double>(last - first)));
  }
  return entries;
}

std::string counted(std::int64_t count, const std::string& one, const std::string& several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

/// Derivatives beside the slopes that they ought to be.
struct Samples {
  Numbers derivatives;
  Slopes slopes;
  void add(const Numbers& d, const Slopes& s) {
    derivatives.insert(derivatives.end(), d.begin(), d.end());
    slopes.value.insert(slopes.value.end(), s.value.begin(), s.value.end());
    slopes.bound.insert(slopes.bound.end(), s.bound.begin(), s.bound.end());
    slopes.typical = std::max(slopes.typical, s.typical);
  }
  DerivativeCheck result(const std::function<std::string(std::int64_t)>& place) const {
    return compared(derivatives, slopes, "central differences", place);
  }
};

/// An unknown, and the direction in which the Hessian is taken.
struct Moved {
  Expr unknown, direction;
  Array values;
  tensor::Dense step;  ///< zeros, but while its unknown is checked
  Numbers start;
  Extents extents;
};

class ObjectiveCheck {
 public:
  ObjectiveCheck(const Prepared& p, const solve::State& state, std::size_t number)
      : seed_(static_cast<std::uint64_t>(p.config.solver.seed)),
        name_(p.declared.setup.objectives[number].name),
        unknowns_(moved(p, state)),
        values_(value_and_gradients(p.declared.problem.objectives[number].value), options_of(p)),
        products_(products(p.declared.problem.objectives[number].value), options_of(p)) {
    bind(p, state);
  }

  std::vector<ObjectiveDerivative> run() {
    std::vector<ObjectiveDerivative> results;
    for (std::size_t u = 0; u < unknowns_.size(); ++u) results.push_back(gradient_by(u)), results.push_back(hessian_by(u));
    return results;
  }

 private:
  static CompileOptions options_of(const Prepared& p) {
    return {.executor = p.config.execution.executor,
            .memory_limit = p.config.execution.memory_limit.value_or(0),
            .threads = static_cast<int>(p.config.execution.threads),
            .switched_off = p.config.plan.switched_off};
  }
  static std::vector<Moved> moved(const Prepared& p, const solve::State& state) {
    std::vector<Moved> all;
    for (const problem::Unknown& u : p.declared.problem.unknowns) {
      const Array values = state.array(number_of(p, u.expression));
      if (u.traits.fixed || values.size() == 0) continue;
      all.push_back({u.expression, tensor("direction of " + u.expression.name(), u.expression.shape()), values,
                     tensor::Dense::zeros(Dtype::f64, values.extents), numbers_of(values), values.extents});
    }
    return all;
  }
  static std::int32_t number_of(const Prepared& p, const Expr& leaf) {
    const std::vector<graph::NodeId>& nodes = p.declared.nodes;
    return static_cast<std::int32_t>(std::find(nodes.begin(), nodes.end(), leaf.id()) - nodes.begin());
  }
  Exprs unknowns() const {
    Exprs all;
    for (const Moved& m : unknowns_) all.push_back(m.unknown);
    return all;
  }
  Exprs value_and_gradients(const Expr& f) {
    outputs_ = gradient(f, unknowns());
    outputs_.insert(outputs_.begin(), f);
    return outputs_;
  }
  Exprs products(const Expr& f) {
    Exprs directions;
    for (const Moved& m : unknowns_) directions.push_back(m.direction);
    product_outputs_ = hvp(f, unknowns(), directions);
    return product_outputs_;
  }

  void bind(const Prepared& p, const solve::State& state) {
    const problem::Problem& problem = p.declared.problem;
    Exprs leaves;
    for (const std::vector<problem::Leaf>* some :
         {&problem.data, &problem.weights, &problem.constants, &problem.states, &problem.parameters})
      for (const problem::Leaf& leaf : *some) leaves.push_back(leaf.expression);
    for (const problem::Unknown& u : problem.unknowns) leaves.push_back(u.expression);
    for (const Expr& leaf : leaves) {
      const solve::Tensor& t = p.declared.setup.tensors[static_cast<std::size_t>(number_of(p, leaf))];
      const ConstArray array = t.kind == solve::Kind::data ? t.values : state.array(number_of(p, leaf));
      const bool is_moved = t.kind == solve::Kind::unknown && !t.is_fixed;
      bind_where_used(leaf, array, is_moved ? Changes::every_run : Changes::never);
    }
    for (Moved& m : unknowns_) bind_where_used(m.direction, m.step.view(), Changes::every_run);
  }
  void bind_where_used(const Expr& leaf, const ConstArray& array, Changes changes) {
    const auto uses = [&](const Exprs& outputs) {
      return std::any_of(outputs.begin(), outputs.end(), [&](const Expr& e) { return contains(e, leaf); });
    };
    if (uses(outputs_)) values_.bind(leaf, array, changes);
    if (uses(product_outputs_)) products_.bind(leaf, array, changes);
  }

  Numbers value() {
    values_.run(0);
    return numbers_of(values_.output(0));
  }
  Numbers gradients() {
    values_.run();
    Numbers all;
    for (std::size_t n = 0; n < unknowns_.size(); ++n) {
      const Numbers one = numbers_of(values_.output(n + 1));
      all.insert(all.end(), one.begin(), one.end());
    }
    return all;
  }
  Numbers hessian_times(Moved& m, const Numbers& direction) {
    double* const step = m.step.view().as<double>();
    std::copy(direction.begin(), direction.end(), step);
    products_.run();
    std::fill(step, step + direction.size(), 0.0);
    Numbers all;
    for (std::size_t n = 0; n < unknowns_.size(); ++n) {
      const Numbers one = numbers_of(products_.output(n));
      all.insert(all.end(), one.begin(), one.end());
    }
    return all;
  }
  /// Values while the unknown moves along the direction.
  template <class Values>
  Line along(Moved& m, const Numbers& direction, Values values) {
    return [&m, direction, values](double t) {
      auto* const numbers = m.values.as<double>();
      for (std::size_t k = 0; k < direction.size(); ++k) numbers[k] = m.start[k] + t * direction[k];
      Numbers found = values();
      std::copy(m.start.begin(), m.start.end(), numbers);
      return found;
    };
  }
  /// How many lines there is time for.
  static std::int64_t affordable(const Forecast& f, std::int64_t evaluations, std::int64_t most) {
    return std::clamp<std::int64_t>(most_work / (evaluations * std::max<std::int64_t>(1, f.flops + f.bytes_moved)), 1, most);
  }

  ObjectiveDerivative gradient_by(std::size_t u) {
    Moved& m = unknowns_[u];
    const std::string name = m.unknown.name();
    const auto size = static_cast<std::int64_t>(m.start.size());
    const std::int64_t lines = affordable(values_.forecast(), evaluations_for_slopes, most_directions + most_entries),
                       directions = std::min(most_directions, (lines + 1) / 2), entries = std::min(size, lines - directions);
    values_.run();
    const Numbers g = numbers_of(values_.output(u + 1));
    const auto f = [this] { return value(); };
    const double by_entry = size_of_step(m.start), by_direction = by_entry * std::sqrt(static_cast<double>(size));
    Samples samples;
    std::vector<std::string> places;
    Numbers rounding;
    for (std::int64_t n = 0; n < directions; ++n) {
      const Numbers v = random_direction(seed_, name, n, m.start.size());
      const Line line = along(m, v, f);
      if (n == 0) rounding = rounding_of(line, by_direction);
      samples.add({std::inner_product(g.begin(), g.end(), v.begin(), 0.0)}, central_slopes(line, by_direction, rounding));
      places.push_back(fmt::format("direction {}", n));
    }
    for (const std::int64_t entry : random_entries(seed_, name, entries, size)) {
      Numbers v(m.start.size(), 0);
      v[static_cast<std::size_t>(entry)] = 1;
      samples.add({g[static_cast<std::size_t>(entry)]}, central_slopes(along(m, v, f), by_entry, rounding));
      places.push_back("entry " + place_in(m.extents, entry));
    }
    const std::string of_all = entries == size ? "" : fmt::format(" of {}", size);
    return {name_, name, "gradient",
            fmt::format("{}, {}{} {}", counted(directions, "direction", "directions"), entries, of_all,
                        size == 1 ? "entry" : "entries"),
            samples.result([&](std::int64_t k) { return places[static_cast<std::size_t>(k)]; })};
  }

  ObjectiveDerivative hessian_by(std::size_t u) {
    Moved& m = unknowns_[u];
    const std::string name = m.unknown.name();
    const std::int64_t directions =
        affordable(values_.forecast(), evaluations_for_slopes + evaluations_for_rounding, most_directions);
    const double scale = size_of_step(m.start) * std::sqrt(static_cast<double>(m.start.size()));
    Samples samples;
    for (std::int64_t n = 0; n < directions; ++n) {
      const Numbers v = random_direction(seed_, name, n, m.start.size());
      const Line line = along(m, v, [this] { return gradients(); });
      samples.add(hessian_times(m, v), central_slopes(line, scale, rounding_of(line, scale)));
    }
    return {name_, name, "Hessian times vector", counted(directions, "direction", "directions"),
            samples.result([&](std::int64_t k) { return place_of(k); })};
  }

  /// Of element k of what hessian_times() gives, direction after direction.
  std::string place_of(std::int64_t k) const {
    std::int64_t total = 0;
    for (const Moved& m : unknowns_) total += m.values.size();
    const std::int64_t direction = k / total;
    std::int64_t rest = k % total;
    auto moved = unknowns_.begin();
    for (; rest >= moved->values.size(); ++moved) rest -= moved->values.size();
    return fmt::format("direction {}, {}{}", direction, moved->unknown.name(), place_in(moved->extents, rest));
  }

  std::uint64_t seed_;
  std::string name_;
  std::vector<Moved> unknowns_;
  Exprs outputs_, product_outputs_;
  Program values_, products_;
};

}  // namespace

std::vector<ObjectiveDerivative> Session::check_derivatives() {
  Prepared p{.registry = built_in_backends(found_calibration().rates)};
  impl_->configure(p);
  p.config.execution.precision = "f64";  // in single precision differences would show little
  impl_->load(p);
  const std::vector<solve::Tensor>& tensors = p.declared.setup.tensors;
  solve::State state(tensors, Dtype::f64);
  solve::fill_start(tensors, state, static_cast<std::uint64_t>(p.config.solver.seed), impl_->on_message);
  std::vector<ObjectiveDerivative> all;
  for (std::size_t n = 0; n < p.declared.problem.objectives.size(); ++n) {
    const std::vector<ObjectiveDerivative> some =
        with_context(fmt::format("while checking the derivatives of {}", p.declared.setup.objectives[n].name), [&] {
          if (p.declared.setup.objectives[n].rayleigh) return train_derivatives(p, state, n);
          return with_place(p.config.where("execution.memory_limit"), [&] { return ObjectiveCheck(p, state, n).run(); });
        });
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace tyto::inline v1
