#pragma once
/// Declarations taken all the way to a solver without a session around them, so that tests see what it has inside.
#include <random>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "execute/executor.hpp"
#include "problem/recorder.hpp"
#include "session/sweeps.hpp"
#include "solve/iteration.hpp"
#include "solve/start.hpp"

namespace tyto {

/// CP as a plugin would declare it, weights respected.
class CpObjective final : public Algorithm {
 public:
  explicit CpObjective(std::int64_t rank) : rank_(rank) {}
  void declare(Declaration& d, const Settings&) override { declare(d); }
  void declare(Declaration& d) const {
    const Expr x = d.data("X");
    const Index r("r", rank_);
    Exprs factors;
    for (const Index& mode : x.shape()) factors.push_back(d.unknown("A_" + mode.name(), {mode, r}));
    const Objective fit = d.minimize(0.5 * sum(d.weights(x) * square(x - v1::einsum(factors, x.shape()))));
    for (const Expr& a : factors) d.block_solve(fit, a);
  }

 private:
  std::int64_t rank_;
};

inline session::Loaded random_input(const Extents& extents, std::uint64_t seed) {
  session::Loaded in{.name = "X", .values = tensor::Dense::zeros(Dtype::f64, extents)};
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (std::int64_t k = 0; k < in.values.size(); ++k) in.values.view().as<double>()[k] = uniform(engine);
  for (std::size_t n = 0; n < extents.size(); ++n) in.modes.push_back(fmt::format("{}", n));
  return in;
}

/// CP of a random tensor, from the declaration to the plan. Neither copied nor moved: parts refer to each other.
struct CpRun {
  CpRun(const Extents& extents, std::int64_t rank, const execute::Executor& executor,
        config::RunConfig with = {.plan = {.sweeps_per_cycle = 1}})
      : config(std::move(with)), algorithm(rank), inputs{random_input(extents, 1)}, known(session::described(inputs)) {
    problem::Recorder recorder(known, [](const std::string&) { return problem::UserTraits{}; });
    algorithm.declare(recorder);
    declared = session::numbered(recorder.finish(), inputs, config);
    declared.setup.limits = {config.solver.max_sweeps, config.solver.tolerance, 0, 0};
    solve::State start(declared.setup.tensors, declared.setup.precision);
    const session::Kernels sweep = session::derived(declared, solve::recorded_cycle(algorithm, declared.setup, start), false);
    kernels = session::unrolled(sweep, session::sweeps_per_cycle(declared, sweep, executor, config));
    optimized = optimize::optimize(kernels.graph, kernels.context, config.plan.switched_off);
    plan = session::planned(declared, optimized, kernels, executor, config);
  }
  CpRun(const CpRun&) = delete;
  CpRun& operator=(const CpRun&) = delete;

  config::RunConfig config;
  CpObjective algorithm;
  std::vector<session::Loaded> inputs;
  std::vector<problem::Input> known;
  session::Declared declared;
  session::Kernels kernels;
  optimize::Optimized optimized;
  plan::Plan plan;
};

/// The default run() with a call after each sweep.
class WatchedSweeps final : public Algorithm {
 public:
  explicit WatchedSweeps(std::function<void(std::int64_t sweep)> before) : before_(std::move(before)) {}
  void declare(Declaration&, const Settings&) override {}
  void run(Iteration& it) const override {
    const v1::Objective f = it.objectives()[0];
    const std::vector<v1::BlockSolve> blocks = it.block_solves(f);
    while (it.next(f)) {
      before_(it.sweep());
      for (const v1::BlockSolve b : blocks) it.apply(b);
    }
  }

 private:
  std::function<void(std::int64_t)> before_;
};

}  // namespace tyto
