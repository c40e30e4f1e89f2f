/// The whole flow, one call per arrow:
/// config -> declaration -> graph -> derivative -> optimized graph -> plan -> executor -> solver -> result.
#include <cmath>
#include <utility>
#include "error/fail.hpp"
#include "result/folder.hpp"
#include "result/history.hpp"
#include "session/implementation.hpp"
#include "session/contraction_plans.hpp"
#include "session/hermitian.hpp"
#include "session/linear_algebra.hpp"
#include "session/record.hpp"
#include "session/reference.hpp"
#include "session/sweeps.hpp"
#include "session/switches.hpp"
#include "session/train_plan.hpp"
#include "session/written_objective.hpp"
#include "solve/iteration.hpp"
#include "solve/start.hpp"
#include "tensor/write.hpp"

namespace tyto::inline v1 {
using namespace session;

namespace {

/// Between checkpoints of a run that sets nothing: what a crash may cost.
constexpr double seconds_between_checkpoints = 60;

}  // namespace

/// Data and declaration: what is known before any plan.
void Session::Impl::load(Prepared& p) {
  p.executor = &p.registry.executor(p.config.execution.executor == "auto" ? "cpu" : p.config.execution.executor);
  p.inputs = load_inputs(p.config, inputs, p.config.execution.precision == "f32" ? Dtype::f32 : Dtype::f64);
  const Where asked_here = p.config.where_algorithm();
  if (p.objective) p.objective = language::checked(std::move(*p.objective), named_in_objective(p.inputs));
  if (resumed) check_same_inputs(resumed->origin, p, document);
  p.declared = numbered(with_place(asked_here, [&] { return declare(p); }), p.inputs, p.config);
  check_hermitian(p.declared, p.inputs);
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
  if (resumed) check_same_settings(resumed->origin, p, document);
  load(p);
  const Where asked_here = p.config.where_algorithm();  // of what goes wrong in the plugin and has no place of its own
  solve::Setup& setup = p.declared.setup;
  setup.limits = {p.config.solver.max_sweeps, p.config.solver.tolerance, p.config.solver.gradient_tolerance,
                  p.config.solver.time_limit};
  setup.on_message = on_message;
  setup.interrupted = interrupted;
  p.reference = reference_factors(p);
  choose_linear_algebra(p);
  const std::vector<solve::Recorded> cycle =
      with_place(asked_here, [&] { return plugin::call(*p.plugin, "run", [&] { return dry_run(p); }); });
  const Kernels one_sweep = derived(p.declared, cycle, p.config.solver.gradient_tolerance > 0);
  for (const std::string& note : one_sweep.notes) p.linear_algebra += "\n" + note;
  p.kernels = unrolled(one_sweep, sweeps_per_cycle(p.declared, one_sweep, *p.executor, p.config));
  p.kernels.context.is_thorough = p.config.plan.sweeps_per_cycle.has_value();
  p.optimized = optimized(p.kernels, p.config, on_message);
  p.plan = with_place(p.config.where("execution.memory_limit"),
                      [&] { return planned(p.declared, p.optimized, p.kernels, *p.executor, p.config); });
  if (!setup.trains.empty()) {
    p.contractions =
        std::make_unique<ContractionPlans>(*p.executor,
                                           plan::Options{.memory_limit = plan_options(p.declared, p.kernels, p.config).memory_limit,
                                                         .switched_off = switches_of(p.config.plan.switched_off).fusions},
                                           switches_of(p.config.plan.switched_off).passes);
    setup.plans = p.contractions.get();
    check_train_memory(p);
  }
  p.formats = wanted_formats(p);
  return p;
}

std::optional<result::OutputFolder> Session::Impl::folder_of(const Prepared& p) const {
  if (!p.config.output.directory) return std::nullopt;
  if (resumed && *p.config.output.directory == resumed_folder) {
    tensor::remove_unfinished(checkpoint_file(resumed_folder));
    return result::prepare_folder(resumed_folder, true);
  }
  return output_folder(p.config);
}

Result Session::Impl::run() {
  Prepared p = prepare();
  std::optional<Checkpoint> from = resumed;
  const auto note = [this](const std::string& text) {
    if (on_message) on_message(text);
  };
  if (from) note_changes(*from, p, note);
  else
    for (const std::string& text : p.declared.problem.notes) note(text);
  const std::string started_at = from ? from->origin.started_at : present_time();
  solve::Setup& setup = p.declared.setup;
  std::optional<result::OutputFolder> folder = folder_of(p);
  const auto for_people = [&p](std::vector<Progress> rows) {
    for (Progress& row : rows) {
      row.objective = std::ldexp(row.objective, static_cast<int>(2 * p.scale));
      row.starts = static_cast<int>(p.config.solver.starts);
    }
    return rows;
  };
  Ended ended = from ? from->ended : Ended{};
  for (Progress& row : ended.rows) row.starts = static_cast<int>(p.config.solver.starts);
  std::vector<Progress> earlier = ended.rows;
  if (from)
    for (Progress& row : for_people(from->solve.history)) earlier.push_back(std::move(row));
  std::optional<result::HistoryWriter> history;
  if (folder) history.emplace(folder->path(), std::move(earlier));
  setup.on_progress = [&](const Progress& of_run) {
    const Progress row = for_people({of_run}).front();
    if (history) history->append(row);
    if (on_progress) on_progress(row);
  };
  if (folder && p.config.output.checkpoint != 0) {
    const Origin origin = origin_of(p, started_at);
    setup.checkpoints = {p.config.output.checkpoint.value_or(0), p.config.output.checkpoint ? 0 : seconds_between_checkpoints,
                         [&, origin](const solve::Snapshot& s) { write_checkpoint(folder->path(), origin, ended, s); }};
  }
  solve::State state(setup.tensors, setup.precision);
  solve::Solver solver(setup, state);
  for (int start = from ? from->solve.start : 0; start < static_cast<int>(p.config.solver.starts); ++start) {
    const auto seed = static_cast<std::uint64_t>(p.config.solver.seed + start);
    solve::fill_start(setup.tensors, state, seed, start == 0 && !from ? on_message : nullptr);
    if (from) solver.resume(std::move(std::exchange(from, std::nullopt)->solve));
    const solve::Solver::Finished finished =
        plugin::call(*p.plugin, "run", [&] { return solver.solve(*p.algorithm, start, seed); });
    ended.take(collected(p, state, solver, finished), finished.objective, finished.optimality, for_people(finished.history));
    if (ended.starts.back().outcome.stop == Stop::interrupted) break;
  }
  Result best = std::move(ended.best);
  best.history = std::move(ended.rows);
  best.warnings = solver.warnings();
  best.settings = settings_text(*p.settings);
  if (folder) best.folder = folder->path().string();
  if (!folder && p.reference.empty()) return best;
  const result::Record record = recorded(p, best, ended.starts, ended.optimality, started_at);
  if (folder) result::write_result(folder->path(), record, p.formats);
  if (record.match) note(result::text_of(*record.match));
  return best;
}

}  // namespace tyto::inline v1
