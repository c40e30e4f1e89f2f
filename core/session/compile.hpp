#pragma once
/// From a declaration to something that runs: kernels as expressions, the recorded order, passes, plan. What the flow in
/// session.cpp calls, one function per arrow.
#include <map>
#include "config/run_config.hpp"
#include "execute/executor.hpp"
#include "optimize/pipeline.hpp"
#include "plan/plan.hpp"
#include "problem/problem.hpp"
#include "session/inputs.hpp"
#include "solve/recording.hpp"

namespace tyto::session {

/// A declaration with its tensors numbered, as solve wants them; no kernel is known yet.
struct Declared {
  problem::Problem problem;
  std::vector<graph::NodeId> nodes;  ///< by tensor
  solve::Setup setup;
};
/// Numbers the tensors of a problem and says how unknowns start. `inputs` outlives the result.
Declared numbered(problem::Problem, const std::vector<Loaded>& inputs, const config::RunConfig&);

/// Brings the data of `scale: auto` near one by a power of two, in place, where the objective is proven homogeneous; the unknowns
/// that follow are noted in the setup. Returns the power: run = 2^-power * data. Error{overflow} names the norm and the remedy
/// where the squared norm of data leaves the range of the precision and no scaling was asked for.
std::int64_t scale_data(Declared&, std::vector<Loaded>& inputs, const config::RunConfig&);

/// Every kernel as an output of one graph, named as explain shows it.
struct Kernels {
  graph::Graph graph;
  optimize::Context context;
  std::int32_t swept_objectives = 0;                           ///< how many the recorded cycle goes through, a sweep each
  std::int64_t sweeps = 1;                                     ///< in the cycle, see sweeps.hpp
  std::map<std::string, std::vector<std::string>> turns = {};  ///< outputs that are a kernel at its turns in the cycle
  std::vector<std::string> notes = {};                         ///< how systems of steps are solved, and why, for people
};
/// The kernels of one recorded sweep of each objective; gradients for each sweep, and where unknowns have bounds for its end.
Kernels derived(Declared&, const std::vector<solve::Recorded>& cycle, bool with_gradients);

/// All passes; with plan.verify each is compared before and after, and what came of it is said.
optimize::Optimized optimized(const Kernels&, const config::RunConfig&, const std::function<void(const std::string&)>& on_message);

plan::Options plan_options(const Declared&, const Kernels&, const config::RunConfig&);
/// The plan for the optimized graph, and its kernels in the setup. Where that needs more memory than there is, the graph becomes
/// one that sums products in slices; see sparing.hpp.
plan::Plan planned(Declared&, optimize::Optimized&, const Kernels&, const execute::Executor&, const config::RunConfig&);

/// "objective", "A_0", ...: the names of outputs.
std::string block_name(const problem::Problem&, const problem::BlockSolve&);

}  // namespace tyto::session
