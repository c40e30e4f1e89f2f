// What a plan says a sweep costs is what the executors count while they run one.
#include <boost/test/unit_test.hpp>
#include <numeric>
#include <fmt/ranges.h>
#include "core/plan/prepared_run.hpp"
#include "execute/cpu/executor.hpp"
#include "execute/reference/executor.hpp"

using namespace tyto;

namespace {

/// Flops counted in one cycle once it repeats, objective included.
std::int64_t counted_flops(CpRun& run) {
  solve::Setup& setup = run.declared.setup;
  const auto sweeps = static_cast<std::size_t>(setup.sweeps_per_cycle);
  setup.limits = {.max_sweeps = 3 * setup.sweeps_per_cycle + 1, .tolerance = 0};
  for (solve::Objective& f : setup.objectives)
    f.residual.clear(), f.fit_at_zero = {};  // no other program, no end where the fit is exact
  setup.balances.clear();                    // changes unknowns where their norms grow apart, and so costs a product more
  solve::State state(setup.tensors, setup.precision);
  solve::fill_start(setup.tensors, state, 1, nullptr);
  solve::Solver solver(setup, state);
  std::vector<std::int64_t> counts;
  solver.solve(WatchedSweeps([&](std::int64_t) { counts.push_back(solver.counts().flops); }), 0, 1);
  BOOST_TEST_REQUIRE(counts.size() == 3 * sweeps + 1);
  return counts.back() - counts[2 * sweeps];
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

BOOST_AUTO_TEST_CASE(executors_count_the_flops_of_plans_over_several_sweeps) {
  const auto executor = execute::cpu::make_executor();
  for (const Extents& extents : {Extents{5, 6}, Extents{5, 6, 7}, Extents{3, 4, 5, 6}, Extents{6, 2, 5, 3}})
    for (std::int64_t sweeps = 2; sweeps <= 4; ++sweeps) {
      CpRun run(extents, 4, *executor, {.plan = {.sweeps_per_cycle = sweeps}});
      BOOST_TEST(run.declared.setup.sweeps_per_cycle == sweeps);
      BOOST_TEST(counted_flops(run) == run.plan.cycle_flops,
                 sweeps << " sweeps of (" << fmt::format("{}", fmt::join(extents, ",")) << ")");
    }
}

BOOST_AUTO_TEST_CASE(two_sweeps_of_order_three_cost_three_contractions_with_the_data) {
  const auto executor = execute::cpu::make_executor();
  const CpRun run({50, 60, 70}, 16, *executor, {.plan = {.sweeps_per_cycle = 2}});
  BOOST_TEST(run.plan.cycle_flops <= 2 * 10'620'000);
  BOOST_TEST(steps_in_sweep(run, [&](program::StepId step) { return contracts(run, step, "X"); }) == 3);
}

BOOST_AUTO_TEST_CASE(as_few_sweeps_are_unrolled_as_come_near_the_least_time) {
  const auto executor = execute::cpu::make_executor();
  for (const Extents& extents : {Extents{60, 50}, Extents{50, 60, 70}, Extents{70, 60, 8}, Extents{20, 20, 20, 20}}) {
    std::vector<double> seconds;
    for (std::int64_t sweeps = 1; sweeps < static_cast<std::int64_t>(extents.size()); ++sweeps)
      seconds.push_back(CpRun(extents, 16, *executor, {.plan = {.sweeps_per_cycle = sweeps}}).plan.seconds /
                        static_cast<double>(sweeps));
    const double least = *std::min_element(seconds.begin(), seconds.end());
    const CpRun chosen(extents, 16, *executor, {});
    const auto sweeps = static_cast<std::size_t>(chosen.kernels.sweeps);
    BOOST_TEST_REQUIRE(sweeps <= seconds.size());
    BOOST_TEST(seconds[sweeps - 1] <= 1.01 * least);
    for (std::size_t k = 0; k + 1 < sweeps; ++k) BOOST_TEST(seconds[k] > 1.01 * least);
  }
  BOOST_TEST(CpRun({50, 60, 70}, 16, *executor, {}).kernels.sweeps == 2);
}

BOOST_AUTO_TEST_CASE(the_number_of_sweeps_in_a_plan_does_not_change_the_values) {
  const auto executor = execute::cpu::make_executor();
  const auto objectives = [&](std::int64_t sweeps) {
    CpRun run({5, 6, 7, 4}, 3, *executor, {.solver = {.max_sweeps = 11, .tolerance = 0}, .plan = {.sweeps_per_cycle = sweeps}});
    solve::State state(run.declared.setup.tensors, run.declared.setup.precision);
    solve::fill_start(run.declared.setup.tensors, state, 1, nullptr);
    solve::Solver solver(run.declared.setup, state);
    std::vector<double> values;
    for (int start = 0; start < 2; ++start)  // the second goes on from where the first has ended
      for (const Progress& row : solver.solve(WatchedSweeps([](std::int64_t) {}), start, 1).history)
        values.push_back(row.objective);
    return values;
  };
  const std::vector<double> one = objectives(1);
  BOOST_TEST_REQUIRE(one.size() == 22U);
  for (std::int64_t sweeps = 2; sweeps <= 4; ++sweeps) {
    const std::vector<double> several = objectives(sweeps);
    BOOST_TEST_REQUIRE(several.size() == one.size());
    for (std::size_t k = 0; k < one.size(); ++k) BOOST_TEST(std::abs(several[k] - one[k]) <= 1e-10 * one[k]);
  }
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
