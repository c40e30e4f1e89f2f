// From its second sweep on a solve allocates nothing: kernels, stores, objective, residual, history and balancing.
#include <boost/test/unit_test.hpp>
#include "allocations/allocations.hpp"
#include "core/plan/prepared_run.hpp"
#include "execute/cpu/executor.hpp"

using namespace tyto;

namespace {

/// Allocations between the beginning of the third sweep and that of the last.
std::int64_t allocations_of_sweeps(CpRun& run, std::int64_t sweeps) {
  solve::Setup& setup = run.declared.setup;
  setup.limits = {.max_sweeps = sweeps, .tolerance = 0};
  solve::State state(setup.tensors, setup.precision);
  solve::fill_start(setup.tensors, state, 1, nullptr);
  solve::Solver solver(setup, state);
  test::allocations = 0;
  solver.solve(WatchedSweeps([&](std::int64_t sweep) { test::counting = sweep >= 3 && sweep < sweeps; }), 0, 1);
  test::counting = false;
  return test::allocations;
}

}  // namespace

BOOST_AUTO_TEST_CASE(sweeps_allocate_nothing) {
  const auto executor = execute::cpu::make_executor();
  for (const Extents& extents : {Extents{7, 8, 9}, Extents{3, 4, 5, 6}}) {
    CpRun run(extents, 4, *executor);
    const std::int64_t count = allocations_of_sweeps(run, 40);
    BOOST_TEST(count == 0, count << " allocations in 37 sweeps of order " << extents.size());
  }
}

BOOST_AUTO_TEST_CASE(sweeps_that_sum_the_residual_allocate_nothing) {
  const auto executor = execute::cpu::make_executor();
  CpRun run({6, 5, 4}, 30, *executor);  // more terms than the data needs: the fit becomes exact
  BOOST_TEST_REQUIRE(!run.declared.setup.objectives[0].residual.empty());
  BOOST_TEST(allocations_of_sweeps(run, 20) == 0);
}

BOOST_AUTO_TEST_CASE(allocations_are_noticed) {
  test::allocations = 0;
  test::counting = true;
  const auto made = std::make_unique<std::vector<double>>(100);
  test::counting = false;
  BOOST_TEST(made->size() == 100U);
  BOOST_TEST(test::allocations >= 2);
}
