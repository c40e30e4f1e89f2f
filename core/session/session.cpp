/// The whole flow, one call per arrow:
/// config -> declaration -> graph -> derivative -> optimized graph -> plan -> executor -> solver -> result.
#include "tyto/session.hpp"
#include <algorithm>
#include <fmt/format.h>
#include "config/check.hpp"
#include "error/fail.hpp"
#include "explain/plan_text.hpp"
#include "problem/recorder.hpp"
#include "result/folder.hpp"
#include "result/history.hpp"
#include "result/ktensor.hpp"
#include "result/write.hpp"
#include "session/flow.hpp"
#include "session/record.hpp"
#include "solve/iteration.hpp"
#include "solve/start.hpp"

namespace tyto::inline v1 {
using namespace session;

struct Session::Impl {
  explicit Impl(config::Document d) : document(std::move(d)) {}
  config::Document document;
  std::map<std::string, ConstArray> inputs;
  const PluginInfo* linked = nullptr;
  std::function<void(const Progress&)> on_progress;
  std::function<void(const std::string&)> on_message;
  std::function<bool()> interrupted;

  void configure(Prepared&);
  problem::Problem declare(Prepared&);
  Prepared prepare();
  Result run();
};

/// Reads and checks the config and the plugin's settings: all findings in one report.
void Session::Impl::configure(Prepared& p) {
  std::vector<Finding> findings;
  p.config = config::read_run_config(document, findings);
  try {
    if (linked != nullptr) {
      p.plugin = linked;
    } else if (!p.config.algorithm.empty()) {
      p.plugin = &plugin::Catalogue(plugin_folders(p.config)).find(p.config.algorithm, p.config.where("algorithm"));
    }
    if (p.plugin != nullptr)
      p.settings = with_place(p.config.where("algorithm"),
                              [&] { return config::check_settings(p.config, plugin::schema_of(*p.plugin), findings); });
  } catch (const Error& error) {
    findings.insert(findings.end(), error.findings().begin(), error.findings().end());
  }
  if (p.config.plan.sweeps_per_cycle.value_or(1) != 1)
    findings.push_back({.code = Code::unsupported,
                        .where = p.config.where("plan.sweeps_per_cycle"),
                        .what = "a plan over several sweeps is not part of this version",
                        .expected = "auto or 1",
                        .found = fmt::format("{}", *p.config.plan.sweeps_per_cycle),
                        .hint = "auto"});
  for (Finding& unknown : optimize::unknown_passes(p.config.plan.switched_off)) {
    unknown.where = p.config.where("plan.switched_off");
    findings.push_back(std::move(unknown));
  }
  config::throw_if_any(std::move(findings));
}

problem::Problem Session::Impl::declare(Prepared& p) {
  const std::vector<problem::Input> known_inputs = described(p.inputs);
  const auto traits = [&](const std::string& name) {
    const config::UnknownConfig user = p.config.unknown(name);
    problem::UserTraits t{
        .nonnegative = user.nonnegative, .fixed = user.fixed, .ridge = user.ridge, .where = p.config.where("unknowns." + name)};
    if (user.init && user.init->file.empty()) t.init = user.init->word;
    if (user.init && !user.init->file.empty()) t.init_file = user.init->file;
    return t;
  };
  problem::Recorder recorder(known_inputs, traits);
  p.algorithm = plugin::create(*p.plugin);
  plugin::call(*p.plugin, "declare", [&] { p.algorithm->declare(recorder, Settings(p.settings)); });
  return with_context(fmt::format("while taking the declaration of {}", p.plugin->name), [&] { return recorder.finish(); });
}

/// Everything before the first sweep.
Prepared Session::Impl::prepare() {
  Prepared p{.registry = built_in_backends()};
  configure(p);
  p.executor = &p.registry.executor(p.config.execution.executor == "auto" ? "cpu" : p.config.execution.executor);
  p.inputs = load_inputs(p.config, inputs, p.config.execution.precision == "f32" ? Dtype::f32 : Dtype::f64);
  const Where asked_here = p.config.where("algorithm");  // of what goes wrong in the plugin and has no place of its own
  p.declared = numbered(with_place(asked_here, [&] { return declare(p); }), p.inputs, p.config);
  check_unknown_names(p);
  p.scale = scale_data(p.declared, p.inputs, p.config);
  solve::Setup& setup = p.declared.setup;
  setup.limits = {p.config.solver.max_sweeps, p.config.solver.tolerance, p.config.solver.gradient_tolerance,
                  p.config.solver.time_limit};
  setup.on_message = on_message;
  setup.interrupted = interrupted;
  const std::vector<solve::Recorded> cycle =
      with_place(asked_here, [&] { return plugin::call(*p.plugin, "run", [&] { return dry_run(p); }); });
  p.kernels = derived(p.declared, cycle, p.config.solver.gradient_tolerance > 0);
  p.optimized = optimize::optimize(p.kernels.graph, p.kernels.context, p.config.plan.switched_off);
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
  double least = 0;  // objective of the best start, as the run sees it: in the user's units it may not fit a double
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
    if (is_better) best = std::move(result), best.best_start = start, least = finished.objective;
    if (starts.back().outcome.stop == Stop::interrupted) break;
  }
  best.history = std::move(rows);
  best.warnings = solver.warnings();
  best.settings = settings_text(*p.settings);
  if (folder) best.folder = folder->path().string();
  if (folder) result::write_result(folder->path(), recorded(p, best, starts, started_at), p.formats);
  return best;
}

Session::Session(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Session Session::from_file(const std::string& path) { return Session(std::make_unique<Impl>(config::Document::from_file(path))); }
Session Session::from_text(const std::string& yaml, const std::string& name) {
  return Session(std::make_unique<Impl>(config::Document::from_text(yaml, name)));
}

Session& Session::set(const std::string& key, const std::string& yaml) {
  impl_->document.set(key, yaml);
  return *this;
}
Session& Session::input(const std::string& name, const ConstArray& array) {
  impl_->inputs[name] = array;
  return *this;
}
Session& Session::use(const PluginInfo* plugin) {
  impl_->linked = plugin;
  return *this;
}
Session& Session::on_progress(std::function<void(const Progress&)> observer) {
  impl_->on_progress = std::move(observer);
  return *this;
}
Session& Session::on_message(std::function<void(const std::string&)> observer) {
  impl_->on_message = std::move(observer);
  return *this;
}
Session& Session::interrupt_when(std::function<bool()> asked) {
  impl_->interrupted = std::move(asked);
  return *this;
}

void Session::check() {
  const Prepared p = impl_->prepare();
  if (p.config.output.directory) (void)output_folder(p.config);  // left as it was
}
std::string Session::explain() { return session::plan_text(impl_->prepare()); }
Result Session::run() { return impl_->run(); }

std::vector<std::string> Session::unmet(const Result& r) const {
  const config::RunConfig config = config::read_run_config(impl_->document);
  std::vector<std::string> misses;
  if (!config.expect) return misses;
  const auto compare = [&](const char* name, const std::optional<double>& wanted, double found, double scale) {
    if (wanted && !(std::abs(found - *wanted) <= config.expect->tolerance * scale))
      misses.push_back(
          fmt::format("{} is {:.10g}, expected {:.10g} to {:g}", name, found, *wanted, config.expect->tolerance * scale));
  };
  compare("relative error", config.expect->relative_error, r.relative_error, 1);
  compare("objective", config.expect->objective, r.objective, std::abs(config.expect->objective.value_or(0)));
  return misses;
}

bool Session::requires_convergence() const { return config::read_run_config(impl_->document).solver.require_convergence; }

}  // namespace tyto::inline v1
