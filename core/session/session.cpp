/// The whole flow, one call per arrow:
/// config -> declaration -> graph -> derivative -> optimized graph -> plan -> executor -> solver -> result.
#include <cmath>
#include "error/fail.hpp"
#include "result/folder.hpp"
#include "result/history.hpp"
#include "session/implementation.hpp"
#include "session/linear_algebra.hpp"
#include "session/record.hpp"
#include "session/sweeps.hpp"
#include "session/written_objective.hpp"
#include "solve/iteration.hpp"
#include "solve/start.hpp"

namespace tyto::inline v1 {
using namespace session;

/// Data and declaration: what is known before any plan.
void Session::Impl::load(Prepared& p) {
  p.executor = &p.registry.executor(p.config.execution.executor == "auto" ? "cpu" : p.config.execution.executor);
  p.inputs = load_inputs(p.config, inputs, p.config.execution.precision == "f32" ? Dtype::f32 : Dtype::f64);
  const Where asked_here = p.config.where_algorithm();
  if (p.objective) p.objective = language::checked(std::move(*p.objective), named_in_objective(p.inputs));
  p.declared = numbered(with_place(asked_here, [&] { return declare(p); }), p.inputs, p.config);
  check_unknown_names(p);
  check_weights_are_used(p);
  p.scale = scale_data(p.declared, p.inputs, p.config);
}

/// Everything before the first sweep.
Prepared Session::Impl::prepare() {
  Calibration calibration = found_calibration();
  if (!calibration.warning.empty() && on_message) on_message(calibration.warning);
  Prepared p{.registry = built_in_backends(std::move(calibration.rates))};
  configure(p);
  load(p);
  const Where asked_here = p.config.where_algorithm();  // of what goes wrong in the plugin and has no place of its own
  solve::Setup& setup = p.declared.setup;
  setup.limits = {p.config.solver.max_sweeps, p.config.solver.tolerance, p.config.solver.gradient_tolerance,
                  p.config.solver.time_limit};
  setup.on_message = on_message;
  setup.interrupted = interrupted;
  choose_linear_algebra(p);
  const std::vector<solve::Recorded> cycle =
      with_place(asked_here, [&] { return plugin::call(*p.plugin, "run", [&] { return dry_run(p); }); });
  const Kernels one_sweep = derived(p.declared, cycle, p.config.solver.gradient_tolerance > 0);
  p.kernels = unrolled(one_sweep, sweeps_per_cycle(p.declared, one_sweep, *p.executor, p.config));
  p.kernels.context.is_thorough = p.config.plan.sweeps_per_cycle.has_value();
  p.optimized = optimized(p.kernels, p.config, on_message);
  p.plan = with_place(p.config.where("execution.memory_limit"),
                      [&] { return planned(p.declared, p.optimized, p.kernels, *p.executor, p.config); });
  p.formats = wanted_formats(p);
  return p;
}

Result Session::Impl::run() {
  const std::string started_at = present_time();
  Prepared p = prepare();
  solve::Setup& setup = p.declared.setup;
  std::optional<result::OutputFolder> folder;
  std::optional<result::HistoryWriter> history;
  if (p.config.output.directory) folder.emplace(output_folder(p.config)), history.emplace(folder->path());
  const auto for_people = [&p](Progress row) {
    row.objective = std::ldexp(row.objective, static_cast<int>(2 * p.scale));
    row.starts = static_cast<int>(p.config.solver.starts);
    return row;
  };
  setup.on_progress = [&](const Progress& of_run) {
    const Progress row = for_people(of_run);
    if (history) history->append(row);
    if (on_progress) on_progress(row);
  };
  solve::State state(setup.tensors, setup.precision);
  solve::Solver solver(setup, state);
  Result best;
  std::vector<Progress> rows;
  std::optional<double> optimality;  // of the best start
  double least = 0;                  // objective of the best start, as the run sees it: in the user's units it may not fit a double
  std::vector<result::StartSummary> starts;
  for (int start = 0; start < static_cast<int>(p.config.solver.starts); ++start) {
    const auto seed = static_cast<std::uint64_t>(p.config.solver.seed + start);
    solve::fill_start(setup.tensors, state, seed, start == 0 ? on_message : nullptr);
    const solve::Solver::Finished finished =
        plugin::call(*p.plugin, "run", [&] { return solver.solve(*p.algorithm, start, seed); });
    for (const Progress& row : finished.history) rows.push_back(for_people(row));
    Result result = collected(p, state, solver, finished);
    starts.push_back({start, result.objective, result.relative_error, result.sweeps, result.outcome});
    const bool is_better =
        start == 0 || best.outcome.stop == Stop::failed || (result.outcome.stop != Stop::failed && finished.objective < least);
    if (is_better) best = std::move(result), best.best_start = start, least = finished.objective, optimality = finished.optimality;
    if (starts.back().outcome.stop == Stop::interrupted) break;
  }
  best.history = std::move(rows);
  best.warnings = solver.warnings();
  best.settings = settings_text(*p.settings);
  if (folder) best.folder = folder->path().string();
  if (folder) result::write_result(folder->path(), recorded(p, best, starts, optimality, started_at), p.formats);
  return best;
}

}  // namespace tyto::inline v1
