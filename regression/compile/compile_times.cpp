// How long graphs take to be optimized and planned, in processor time, and what a cycle of their kernels costs. Exits with 1 where a
// time is above its limit.
#include <algorithm>
#include <ctime>
#include <functional>
#include <fmt/format.h>
#include "core/optimize/networks.hpp"
#include "core/plan/prepared_run.hpp"
#include "execute/cpu/executor.hpp"
#include "optimize/pipeline.hpp"

using namespace tyto;

namespace {

struct Case {
  std::string name;
  NetworkProblem problem;
  double most_seconds;  ///< of optimizing and planning together
  double by_hand = 0;   ///< flops of a cycle as the algorithm is written by hand; 0: not counted
};

/// The kernels of one sweep of CP-ALS as a run has them.
NetworkProblem cp_block_updates(const execute::Executor& executor, std::size_t order) {
  const CpRun run(Extents(order, 4), 3, executor);
  NetworkProblem p{run.kernels.graph, run.kernels.context};
  for (const optimize::Event& event : p.context.cycle) p.cycle.push_back({event.outputs, event.changes});
  return p;
}

/// The same kernels where nothing says what network they come from.
NetworkProblem without_objective(NetworkProblem p) {
  p.context.objectives.clear();
  return p;
}

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Of one case; whether it kept its limit. The least of three times is taken.
bool report(const Case& c, const execute::Executor& executor) {
  double optimizing = 1e300, planning = 1e300, flops = 0;
  for (int repetition = 0; repetition < 3; ++repetition) {
    const double start = processor_seconds();
    const optimize::Optimized optimized = optimize::optimize(c.problem.graph, c.problem.context);
    const double middle = processor_seconds();
    const plan::Plan plan = plan::make_plan(optimized.graph, executor.model(), {.cycle = c.problem.cycle});
    optimizing = std::min(optimizing, middle - start), planning = std::min(planning, processor_seconds() - middle);
    flops = static_cast<double>(plan.cycle_flops);
  }
  const bool is_kept = optimizing + planning <= c.most_seconds;
  fmt::print("{:<38}{:10.1f}{:10.1f}{:10.0f}  {:14.6g}{:>10}{}\n", c.name, 1e3 * optimizing, 1e3 * planning, 1e3 * c.most_seconds,
             flops, c.by_hand > 0 ? fmt::format("{:.4f}", flops / c.by_hand) : "", is_kept ? "" : "  TOO LONG");
  return is_kept;
}

}  // namespace

int main() {
  const auto executor = execute::cpu::make_executor();
  const Chain chain{.sites = 50, .bond = 16, .operator_bond = 5, .extent = 2, .products = 3};
  const Chain wide{.sites = 50, .bond = 256, .operator_bond = 5, .extent = 2, .products = 10};
  const TreeNetwork tree{.levels = 5, .bond = 4, .extent = 3};
  const Lattice lattice{.rows = 4, .columns = 4, .bond = 3};
  const std::vector<Case> cases = {
      {"cp-als, order 3", cp_block_updates(*executor, 3), 0.05},
      {"cp-als, order 5", cp_block_updates(*executor, 5), 0.05},
      {"cp-als, order 7", cp_block_updates(*executor, 7), 0.05},
      {"two-site sweep, 50 sites, bond 16", two_site_sweep(chain), 1, two_site_flops(chain)},
      {"two-site sweep, 50 sites, bond 256", two_site_sweep(wide), 1, two_site_flops(wide)},
      {"single-site sweep, 50 sites, bond 16", single_site_sweep(chain), 1, single_site_flops(chain)},
      {"gradients, binary tree of 31", all_gradients(tree), 1, message_flops(tree)},
      {"gradients, lattice 4x4", all_gradients(lattice), 1, row_flops(lattice)},
      {"two-site, bond 16, no objective", without_objective(two_site_sweep(chain)), 10},
      {"single-site, bond 16, no objective", without_objective(single_site_sweep(chain)), 10, single_site_flops(chain)},
      {"binary tree of 31, no objective", without_objective(all_gradients(tree)), 5, message_flops(tree)},
      {"lattice 4x4, no objective", without_objective(all_gradients(lattice)), 5, row_flops(lattice)},
  };
  fmt::print("{:<38}{:>10}{:>10}{:>10}  {:>14}{:>10}\n", "", "optimize", "plan", "limit ms", "flop a cycle", "by hand");
  bool are_kept = true;
  for (const Case& c : cases) are_kept = report(c, *executor) && are_kept;
  return are_kept ? 0 : 1;
}
