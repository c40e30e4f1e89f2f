/// Small steps of the flow that only look: the dry run, names that the config mentions, wanted formats, the text of the plan.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include "config/check.hpp"
#include "error/fail.hpp"
#include "explain/plan_text.hpp"
#include "result/ktensor.hpp"
#include "session/analyze.hpp"
#include "session/data_files.hpp"
#include "session/flow.hpp"
#include "session/subspace_kernels.hpp"
#include "session/train_plan.hpp"
#include "solve/start.hpp"

namespace tyto::session {

std::vector<solve::Recorded> dry_run(const Prepared& p, std::int64_t sweep) {
  solve::State state(p.declared.setup.tensors, p.declared.setup.precision);
  solve::fill_start(p.declared.setup.tensors, state, static_cast<std::uint64_t>(p.config.solver.seed), nullptr);
  return solve::recorded_cycle(*p.algorithm, p.declared.setup, state, sweep);
}

void check_unknown_names(const Prepared& p) {
  std::vector<std::string> names;
  for (const problem::Unknown& u : p.declared.problem.unknowns) names.push_back(u.expression.name());
  std::vector<Finding> findings;
  for (const auto& [name, entry] : p.config.unknowns)
    if (name != "*" && std::find(names.begin(), names.end(), name) == names.end())
      findings.push_back({.code = Code::unknown_word,
                          .where = p.config.where("unknowns." + name),
                          .what = fmt::format("{} has no unknown '{}'", p.plugin->name, name),
                          .expected = listed(names),
                          .found = name,
                          .hint = nearest(name, names)});
  config::throw_if_any(std::move(findings));
}

void check_weights_are_used(const Prepared& p) {
  const std::vector<problem::Leaf>&used = p.declared.problem.weights, &data = p.declared.problem.data;
  const auto names = [](const std::vector<problem::Leaf>& leaves, const std::string& input) {
    return std::any_of(leaves.begin(), leaves.end(), [&](const problem::Leaf& leaf) { return leaf.input == input; });
  };
  std::vector<Finding> findings;
  for (const Loaded& in : p.inputs)
    if (in.weights && names(data, in.name) && !names(used, in.name))
      findings.push_back({.code = Code::contradiction,
                          .where = in.where,
                          .what = fmt::format("{} does not weigh the entries of {}", p.plugin->name, in.name),
                          .expected = "all entries known, and no weights",
                          .found = "a mask, weights or missing values",
                          .hint = "an algorithm or objective that asks for weights"});
  config::throw_if_any(std::move(findings));
}

std::string why_not_ktensor(const Prepared& p) {
  std::vector<result::NamedAxes> unknowns;
  std::vector<result::DataDescription> data;
  for (const solve::Tensor& t : p.declared.setup.tensors) {
    if (t.kind == solve::Kind::unknown) unknowns.push_back({t.name, t.labels});
    if (t.kind == solve::Kind::data) data.push_back({.name = t.name, .shape = t.extents, .labels = t.labels});
  }
  return result::why_not_ktensor(unknowns, data);
}

result::Formats wanted_formats(Prepared& p) {
  const auto& formats = p.config.output.formats;
  if (!formats) return {.report = p.config.output.report, .plots = p.config.output.plots};
  const auto has = [&](const char* name) { return std::find(formats->begin(), formats->end(), name) != formats->end(); };
  if (has("ktensor")) {
    const std::string why = why_not_ktensor(p);
    if (!why.empty())
      fail({.code = Code::contradiction,
            .where = p.config.where("output.formats"),
            .what = "the result is no CP decomposition and cannot be written as a ktensor",
            .found = why,
            .hint = "formats: [npy]"});
  }
  if (has("hdf5")) p.hdf5 = with_place(p.config.where("output.formats"), [] { return hdf5(); });
  return {has("npy"), has("ktensor"), p.config.output.report, p.config.output.plots, p.hdf5.get()};
}

result::OutputFolder output_folder(const config::RunConfig& config) {
  return with_place(config.where("output.directory"),
                    [&] { return result::prepare_folder(*config.output.directory, config.output.overwrite); });
}

std::string settings_text(const SettingsNode& settings) {
  std::string text;
  for (const SettingsNode::Item& item : settings.items) {
    if (!item.is_given || item.rule.key.kind == Kind::groups) continue;
    if (item.rule.key.kind == Kind::group) {
      const std::string inner = item.groups.empty() ? std::string() : settings_text(*item.groups.front());
      if (!inner.empty()) text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", item.rule.key.name, inner);
      continue;
    }
    std::vector<std::string> values = item.texts;
    for (const std::int64_t n : item.integers) values.push_back(fmt::format("{}", n));
    for (const double x : item.reals) values.push_back(fmt::format("{:g}", x));
    if (values.empty() && item.rule.key.kind != Kind::flag) continue;  // an empty list
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", item.rule.key.name,
                        values.empty() ? (item.flag ? "true" : "false") : fmt::format("{}", fmt::join(values, " ")));
  }
  return text;
}

namespace {

/// Whether what an event computes is a matrix from which the unknown is found, not the unknown.
bool is_decomposed(const Prepared& p, const optimize::Event& event) {
  for (std::size_t k = 0; k < p.declared.setup.subspaces.size(); ++k) {
    const auto turns = p.kernels.turns.find(subspace_name(p.declared, k));
    if (turns == p.kernels.turns.end()) continue;
    for (const std::string& output : event.outputs)
      if (std::find(turns->second.begin(), turns->second.end(), output) != turns->second.end()) return true;
  }
  return false;
}

explain::Subject subject_of(const Prepared& p) {
  explain::Subject subject{.algorithm = p.plugin->name,
                           .executor = p.executor->name(),
                           .graph = &p.optimized.graph,
                           .plan = &p.plan,
                           .device = &p.executor->model()};
  subject.sweeps = p.kernels.sweeps;
  if (!p.declared.problem.trains.empty()) subject.cycle_name = "beside the sweeps";
  for (const problem::Objective& f : p.declared.problem.objectives)
    subject.objective += (subject.objective.empty() ? "" : ";  ") + f.value.text();
  for (const optimize::Event& event : p.kernels.context.cycle)
    subject.cycle.push_back({event.outputs, is_decomposed(p, event) ? -1 : event.changes});
  for (const optimize::Report& report : p.optimized.reports)
    for (const std::string& text : report.log.rewrites()) subject.why.push_back({report.pass, text});
  const bool has_residual = std::any_of(p.declared.setup.objectives.begin(), p.declared.setup.objectives.end(),
                                        [](const solve::Objective& f) { return !f.residual.empty(); });
  if (has_residual)
    subject.notes.push_back("fit: from the expanded form; from the residual, tile by tile, where that form cancels");
  for (const std::string& note : p.declared.problem.notes) subject.notes.push_back(note);
  if (!p.linear_algebra.empty()) subject.notes.push_back(p.linear_algebra);
  for (const std::string& note : subspace_notes(p.declared, p.kernels)) subject.notes.push_back(note);
  if (p.scale != 0) subject.notes.push_back(fmt::format("scale: the run sees the data divided by 2^{}", p.scale));
  return subject;
}

}  // namespace

std::string plan_text(const Prepared& p) { return explain::plan_text(subject_of(p)); }

std::string explanation(const Prepared& p) { return plan_text(p) + train_plan_text(p); }

std::string analysis_text(const Prepared& p) {
  explain::Subject subject = subject_of(p);
  subject.measured = measured_cycle(p);
  return explain::plan_text(subject) + train_plan_text(p);
}

}  // namespace tyto::session
