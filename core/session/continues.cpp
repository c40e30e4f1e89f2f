/// Whether a run is the one that a checkpoint was taken of.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include "error/fail.hpp"
#include "plugin/algorithm.hpp"
#include "session/checkpoint.hpp"

namespace tyto::session {

namespace {

enum class Effect { none, digits, goes_on, problem };

/// What another value of a setting does to a run that is resumed. A schedule says what is to be from sweep to sweep, so it may be
/// written on, or anew, and then the run goes on even if it had come to its end.
Effect effect_of(const std::string& key, const Schema& schema) {
  const auto is_schedule = [&key](const Key& k) { return k.kind == Kind::schedule && key == "settings." + k.name; };
  if (std::any_of(schema.begin(), schema.end(), is_schedule)) return Effect::goes_on;
  for (const char* const free : {"solver.max_sweeps", "solver.tolerance", "solver.gradient_tolerance", "solver.time_limit",
                                 "solver.starts", "solver.require_convergence", "output", "compare_to", "expect", "plugin_path"})
    if (key == free || key.starts_with(std::string(free) + ".")) return Effect::none;
  if (key == "execution.precision") return Effect::problem;
  for (const char* const way :
       {"execution.", "plan.", "solver.backend", "solver.krylov", "solver.minimizer", "solver.eigensolver", "solver.petsc_options"})
    if (key.starts_with(way)) return Effect::digits;
  // Data may lie elsewhere: their values are compared.
  if (key.starts_with("data."))
    for (const char* const source : {".file", ".files", ".dense", ".index_base", ".shape"})
      if (key.ends_with(source)) return Effect::none;
  return Effect::problem;
}

std::string text_of(const config::Node& node) {
  if (node.form != config::Node::Form::list) return node.text;
  std::vector<std::string> items;
  for (const config::Node& item : node.items) items.push_back(text_of(item));
  return fmt::format("[{}]", fmt::join(items, ", "));
}

/// Every value that is no mapping, by its path.
void collect(const config::Node& node, const std::string& path, std::map<std::string, std::string>& values) {
  if (node.form != config::Node::Form::mapping) {
    values[path] = text_of(node);
    return;
  }
  for (const config::Entry& entry : node.entries) collect(entry.value, path.empty() ? entry.key : path + "." + entry.key, values);
}

std::map<std::string, std::string> values_of(const std::string& json) {
  std::map<std::string, std::string> values;
  collect(config::parse_yaml(json, "config"), "", values);
  return values;
}

/// The place of a key in the run file, or of what encloses it.
Where place_of(const config::Node& root, const std::string& path) {
  const config::Node* node = &root;
  for (std::string rest = path; !rest.empty();) {
    const auto inside = std::find_if(node->entries.begin(), node->entries.end(), [&](const config::Entry& entry) {
      return rest == entry.key || rest.starts_with(entry.key + ".");
    });
    if (inside == node->entries.end()) break;
    rest.erase(0, std::min(rest.size(), inside->key.size() + 1));
    node = &inside->value;
  }
  return node->where;
}

std::string shown(const std::map<std::string, std::string>& values, const std::string& key) {
  const auto found = values.find(key);
  return found == values.end() ? "nothing" : found->second;
}

/// A setting that is another than in the checkpoint.
struct Changed {
  std::string key, was, is;
  Effect effect = Effect::none;
};

std::vector<Changed> changed_settings(const std::string& before, const std::string& now, const Schema& schema) {
  const std::map<std::string, std::string> old_values = values_of(before), new_values = values_of(now);
  std::map<std::string, std::string> all = old_values;
  all.insert(new_values.begin(), new_values.end());
  std::vector<Changed> changed;
  for (const auto& [key, value] : all)
    if (shown(old_values, key) != shown(new_values, key))
      changed.push_back({key, shown(old_values, key), shown(new_values, key), effect_of(key, schema)});
  return changed;
}

std::string described(const InputFacts& in) {
  return fmt::format("{} {}, norm {:.10g}", tensor::text_of(in.extents), name_of(in.dtype), in.norm);
}

/// How an input differs from what it was; empty: not at all.
std::string difference(const InputFacts& was, const InputFacts& is) {
  if (described(was) != described(is)) return described(is);
  if (was.values != is.values) return "the same shape and norm, other values";
  if (was.weights == is.weights) return "";
  return was.weights == 0 ? "weights or a mask" : is.weights == 0 ? "no weights or mask" : "other weights or mask";
}

}  // namespace

void check_same_settings(const Origin& before, const Prepared& p, const config::Document& document) {
  std::vector<Finding> findings;
  for (const Changed& c : changed_settings(before.config, config_of(p), plugin::schema_of(*p.plugin)))
    if (c.effect == Effect::problem)
      findings.push_back({.code = Code::contradiction,
                          .where = place_of(document.root(), c.key),
                          .what = fmt::format("a run that is resumed cannot have another {}", c.key),
                          .expected = fmt::format("{}, as in the checkpoint", c.was),
                          .found = c.is,
                          .hint = "tyto run; solver.init: {file: FOLDER} starts from the unknowns of an earlier run"});
  if (!findings.empty()) throw Error(std::move(findings));
}

void check_same_inputs(const Origin& before, const Prepared& p, const config::Document& document) {
  const std::vector<InputFacts> now = input_facts(p.inputs);
  std::vector<Finding> findings;
  for (const InputFacts& was : before.inputs) {
    const auto is = std::find_if(now.begin(), now.end(), [&](const InputFacts& other) { return other.name == was.name; });
    const std::string found = is == now.end() ? "no such input" : difference(was, *is);
    if (!found.empty())
      findings.push_back({.code = Code::contradiction,
                          .where = place_of(document.root(), fmt::format("data.{}.file", was.name)),
                          .what = fmt::format("the input {} is not that of the checkpoint", was.name),
                          .expected = described(was),
                          .found = found,
                          .hint = "the data of the interrupted run"});
  }
  if (!findings.empty()) throw Error(std::move(findings));
}

void note_changes(Checkpoint& checkpoint, const Prepared& p, const std::function<void(const std::string&)>& note) {
  const Origin &before = checkpoint.origin, now = origin_of(p, before.started_at);
  if (before.tyto_version != now.tyto_version)
    note(fmt::format("tyto {} resumes a run of tyto {}: digits may differ from a run of one version", now.tyto_version,
                     before.tyto_version));
  if (before.algorithm_version != now.algorithm_version)
    note(fmt::format("{} {} resumes a run of its version {}", p.plugin->name, now.algorithm_version, before.algorithm_version));
  std::vector<std::string> digits;
  for (const Changed& c : changed_settings(before.config, now.config, plugin::schema_of(*p.plugin))) {
    if (c.effect == Effect::digits) digits.push_back(c.key);
    if (c.effect != Effect::goes_on) continue;
    note(fmt::format("{} is {} from here on, was {}", c.key, c.is, c.was));
    solve::Sweeps& last = checkpoint.solve.sweeps[static_cast<std::size_t>(checkpoint.solve.objective)];
    last.is_done = false, last.last.parameter_changed = true;
  }
  if (!digits.empty()) note(fmt::format("digits may differ from an uninterrupted run: changed {}", fmt::join(digits, ", ")));
  if (before.plan == now.plan) return;
  checkpoint.solve.turns.clear(), checkpoint.solve.values.clear();
  note("the plan is not that of the interrupted run, so the last digits may differ from an uninterrupted one");
}

}  // namespace tyto::session
