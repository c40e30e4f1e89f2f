#pragma once
/// A dry run: an Iteration that computes nothing and writes down which kernels an algorithm spends, in which order.
#include "solve/setup.hpp"
#include "solve/state.hpp"

namespace tyto::solve {

struct Recorded {
  enum class What : std::int8_t { block_solve, step, minimizer, subspace, eigen_solve, split, assign, objective, value, sweep_end };
  What what = What::block_solve;
  std::int32_t id = -1;  ///< of the handle; sweep_end: the objective whose value the stopping rule then needs
  Krylov krylov = {};    ///< of an eigen_solve
  Weight to = Weight::right;
  Truncation cut = {};  ///< of a split, as `to`
};

/// Runs `algorithm.run` for `sweep` sweeps of each objective and returns the kernels of the last: of the second sweep, what
/// repeats; of others, what a schedule makes of them. `read` gives the values of `state`, scalars are 1. Error{plugin_rule} for a
/// handle that was never assigned, a sweep without kernels, or more than most_recorded kernels.
std::vector<Recorded> recorded_cycle(const Algorithm& algorithm, const Setup&, State&, std::int64_t sweep = 2);
constexpr std::int64_t most_recorded = 1'000'000;

}  // namespace tyto::solve
