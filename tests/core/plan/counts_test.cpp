// What a plan says a sweep costs is what the executors count while they run one.
#include <boost/test/unit_test.hpp>
#include <numeric>
#include <fmt/ranges.h>
#include "core/plan/prepared_run.hpp"
#include "execute/cpu/executor.hpp"
#include "execute/reference/executor.hpp"

using namespace tyto;

namespace {

/// Flops counted from the third sweep to the fourth, objective included.
std::int64_t counted_flops(CpRun& run) {
  solve::Setup& setup = run.declared.setup;
  setup.limits = {.max_sweeps = 4, .tolerance = 0};
  for (solve::Objective& f : setup.objectives)
    f.residual.clear(), f.fit_at_zero = {};  // no other program, no end where the fit is exact
  setup.balances.clear();                    // changes unknowns where their norms grow apart, and so costs a product more
  solve::State state(setup.tensors, setup.precision);
  solve::fill_start(setup.tensors, state, 1, nullptr);
  solve::Solver solver(setup, state);
  std::vector<std::int64_t> counts;
  solver.solve(WatchedSweeps([&](std::int64_t) { counts.push_back(solver.counts().flops); }), 0, 1);
  BOOST_TEST_REQUIRE(counts.size() == 4U);
  return counts[3] - counts[2];
}

bool contracts(const CpRun& run, program::StepId step, const std::string& leaf) {
  const program::Program& p = *run.plan.program;
  for (const program::BufferId input : program::inputs_of(p.steps[static_cast<std::size_t>(step)].operation))
    if (p.buffers[static_cast<std::size_t>(input)].storage == program::Storage::leaf &&
        p.buffers[static_cast<std::size_t>(input)].name == leaf)
      return true;
  return false;
}

/// How often a sweep runs steps that `counts`.
template <class Counts>
int steps_in_sweep(const CpRun& run, const Counts& counts) {
  int total = 0;
  for (const plan::Evaluated& evaluated : run.plan.cycle)
    for (const program::StepId step : evaluated.computed) total += counts(step) ? 1 : 0;
  return total;
}

/// A factor times itself, summed over its mode.
bool is_gram(const CpRun& run, program::StepId step) {
  const auto* c = std::get_if<program::Contraction>(&run.plan.program->steps[static_cast<std::size_t>(step)].operation);
  return c != nullptr && c->inputs.size() == 2 && c->inputs[0].buffer == c->inputs[1].buffer && c->out.labels.size() == 2;
}

}  // namespace

BOOST_AUTO_TEST_CASE(both_executors_count_the_flops_of_the_plan) {
  const std::vector<std::unique_ptr<execute::Executor>> executors = [] {
    std::vector<std::unique_ptr<execute::Executor>> made;
    made.push_back(execute::reference::make_executor()), made.push_back(execute::cpu::make_executor());
    return made;
  }();
  std::mt19937_64 engine(5);
  const auto between = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(engine);
  };
  for (int k = 0; k < 100; ++k) {
    Extents extents(static_cast<std::size_t>(between(2, 6)));
    do {
      for (std::int64_t& n : extents) n = between(1, 8);
    } while (element_count(extents) > 1500);
    const std::int64_t rank = between(1, 7);
    for (const auto& executor : executors) {
      CpRun run(extents, rank, *executor);
      const std::int64_t counted = counted_flops(run);
      BOOST_TEST(counted == run.plan.cycle_flops,
                 executor->name() << " counts " << counted << " flop, the plan " << run.plan.cycle_flops << ", for ("
                                  << fmt::format("{}", fmt::join(extents, ",")) << ") at rank " << rank);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_sweep_of_order_three_costs_two_contractions_with_the_data) {
  const auto executor = execute::cpu::make_executor();
  const CpRun run({50, 60, 70}, 16, *executor);
  BOOST_TEST(run.plan.cycle_flops <= 13'960'000);
  BOOST_TEST(steps_in_sweep(run, [&](program::StepId step) { return contracts(run, step, "X"); }) == 2);
}

BOOST_AUTO_TEST_CASE(a_sweep_computes_each_gram_matrix_once) {
  const auto executor = execute::cpu::make_executor();
  for (std::size_t order = 3; order <= 6; ++order) {
    const CpRun run(Extents(order, 5), 3, *executor);
    BOOST_TEST(steps_in_sweep(run, [&](program::StepId step) { return is_gram(run, step); }) == static_cast<int>(order));
    BOOST_TEST(steps_in_sweep(run, [&](program::StepId step) { return contracts(run, step, "X"); }) == 2);
  }
}

BOOST_AUTO_TEST_CASE(nothing_is_transposed_in_a_sweep) {
  const auto executor = execute::cpu::make_executor();
  for (const Extents& extents : {Extents{4, 5, 6}, Extents{6, 5, 4}, Extents{3, 4, 5, 6}, Extents{6, 2, 5, 3},
                                 Extents{2, 3, 4, 3, 2}, Extents{5, 4, 3, 2, 2}, Extents{2, 3, 2, 3, 2, 3}}) {
    const CpRun run(extents, 4, *executor);
    const program::Program& p = *run.plan.program;
    for (const program::Step& step : p.steps) {
      const auto* c = std::get_if<program::Contraction>(&step.operation);
      BOOST_TEST((c == nullptr || c->inputs.size() != 1),
                 "a copy in the plan for (" << fmt::format("{}", fmt::join(extents, ",")) << ")");
      const auto* solve = std::get_if<program::Solve>(&step.operation);
      if (solve == nullptr) continue;
      const program::Buffer& out = p.buffers[static_cast<std::size_t>(solve->out)];  // (rank, mode), the rank contiguous
      BOOST_TEST_REQUIRE(out.extents.size() == 2U);
      BOOST_TEST((out.strides == Extents{1, out.extents[0]}));
    }
  }
}
