// From checked values to the typed form. Ranges and defaults are in run_rules.cpp.
#include "config/run_config.hpp"

#include <algorithm>
#include <utility>

#include "config/check.hpp"
#include "config/config_json.hpp"
#include "config/memory_size.hpp"
#include "config/run_rules.hpp"
#include "error/fail.hpp"

namespace tyto::config {
namespace {

using Findings = std::vector<Finding>;
using Item = SettingsNode::Item;

const Item& item_of(const SettingsNode& node, const std::string& key) {
  const Item* item = node.find(key);
  TYTO_ASSERT(item != nullptr);
  return *item;
}

InitConfig init_of(const Item& item) {
  const std::string& text = item.texts.at(0);
  return item.is_file ? InitConfig{.word = "", .file = text} : InitConfig{.word = text};
}

std::string file_of(const SettingsNode& node, const std::string& key) {
  const Item& item = item_of(node, key);
  return item.groups.empty() ? "" : Settings(item.groups[0]).text("file");
}

std::optional<double> optional_real(const SettingsNode& node, const std::string& key) {
  const Item& item = item_of(node, key);
  return item.is_present ? std::optional(item.reals.at(0)) : std::nullopt;
}

std::optional<bool> optional_flag(const SettingsNode& node, const std::string& key) {
  const Item& item = item_of(node, key);
  return item.is_present ? std::optional(item.flag) : std::nullopt;
}

DataConfig data_of(const std::shared_ptr<const SettingsNode>& node) {
  const Settings s(node);
  return {.file = s.text("file"),
          .files = s.texts("files"),
          .dense = s.flag("dense"),
          .modes = s.texts("modes"),
          .missing = s.text("missing"),
          .scale = s.text("scale"),
          .index_base = s.integer("index_base"),
          .shape = s.integers("shape"),
          .mask_file = file_of(*node, "mask"),
          .weights_file = file_of(*node, "weights")};
}

UnknownConfig unknown_of(const SettingsNode& node) {
  UnknownConfig unknown = {.nonnegative = optional_flag(node, "nonnegative"),
                           .fixed = optional_flag(node, "fixed"),
                           .ridge = optional_real(node, "ridge"),
                           .lower = optional_real(node, "lower"),
                           .upper = optional_real(node, "upper")};
  const Item& init = item_of(node, "init");
  if (init.is_present) unknown.init = init_of(init);
  return unknown;
}

SolverConfig solver_of(const std::shared_ptr<const SettingsNode>& node) {
  const Settings s(node);
  const Item& tolerance = item_of(*node, "krylov_tolerance");
  return {.max_sweeps = s.integer("max_sweeps"),
          .tolerance = s.real("tolerance"),
          .gradient_tolerance = s.real("gradient_tolerance"),
          .time_limit = s.real("time_limit"),
          .seed = s.integer("seed"),
          .init = init_of(item_of(*node, "init")),
          .starts = s.integer("starts"),
          .backend = s.text("backend"),
          .krylov = s.text("krylov"),
          .minimizer = s.text("minimizer"),
          .eigensolver = s.text("eigensolver"),
          .krylov_tolerance = tolerance.reals.empty() ? std::nullopt : std::optional(tolerance.reals[0]),
          .krylov_products = s.integer("krylov_products"),
          .petsc_options = item_of(*node, "petsc_options").is_present ? s.text("petsc_options") : "",
          .require_convergence = s.flag("require_convergence"),
          .normalize = s.flag("normalize"),
          .extrapolation = s.flag("extrapolation")};
}

std::optional<std::int64_t> memory_limit_of(const Item& item, Findings& findings) {
  const std::string& text = item.texts.at(0);
  if (text == "auto") return {};
  const std::optional<std::int64_t> bytes = parse_memory_size(text);
  if (!bytes) {
    findings.push_back({.code = Code::wrong_type,
                        .where = item.where,
                        .what = "'execution.memory_limit' is not a size of memory",
                        .expected = "a number with its unit (bytes, kB, MB, GB, TB, KiB, MiB, GiB or TiB) or auto",
                        .found = text,
                        .hint = suggest_memory_size(text)});
  }
  return bytes;
}

ExecutionConfig execution_of(const std::shared_ptr<const SettingsNode>& node, Findings& findings) {
  const Settings s(node);
  return {.executor = s.text("executor"),
          .threads = s.integer("threads"),
          .memory_limit = memory_limit_of(item_of(*node, "memory_limit"), findings),
          .precision = s.text("precision")};
}

PlanConfig plan_of(const std::shared_ptr<const SettingsNode>& shared) {
  const SettingsNode& node = *shared;
  const Item& sweeps = item_of(node, "sweeps_per_cycle");
  return {.sweeps_per_cycle = sweeps.integers.empty() ? std::nullopt : std::optional(sweeps.integers[0]),
          .verify = Settings(shared).flag("verify"),
          .switched_off = item_of(node, "switched_off").texts};
}

OutputConfig output_of(const std::shared_ptr<const SettingsNode>& node) {
  const Settings s(node);
  OutputConfig output = {.overwrite = s.flag("overwrite"), .report = s.flag("report"), .plots = s.flag("plots")};
  const Item& checkpoint = item_of(*node, "checkpoint");
  if (!checkpoint.integers.empty()) output.checkpoint = checkpoint.integers[0];
  if (item_of(*node, "directory").is_present) output.directory = s.text("directory");
  if (item_of(*node, "formats").is_present) output.formats = s.texts("formats");
  return output;
}

std::optional<ExpectConfig> expect_of(const Item& item, Findings& findings) {
  if (!item.is_given) return {};
  const SettingsNode& node = *item.groups.at(0);
  ExpectConfig expect = {.relative_error = optional_real(node, "relative_error"),
                         .objective = optional_real(node, "objective"),
                         .tolerance = item_of(node, "tolerance").reals.at(0)};
  const bool has_value = item_of(node, "relative_error").is_given || item_of(node, "objective").is_given;
  if (!has_value) {
    findings.push_back({.code = Code::missing_key,
                        .where = item.where,
                        .what = "'expect' says nothing about the result",
                        .expected = "relative_error or objective",
                        .hint = "{relative_error: ...}"});
  }
  return expect;
}

bool is_given(const SettingsNode& node, const std::string& key) { return item_of(node, key).is_given; }

/// Whether the user meant a key that is reported as misspelled.
bool is_suggested(const std::string& key, const Findings& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& f) { return f.code == Code::unknown_key && f.hint == key; });
}

/// An algorithm that knows its objective, or a method and the objective.
void check_algorithm(const SettingsNode& node, Findings& findings) {
  constexpr const char* either = "algorithm: NAME, or method: NAME and minimize: EXPRESSION";
  const bool has_algorithm = is_given(node, "algorithm"), has_method = is_given(node, "method");
  if (has_algorithm && has_method) {
    findings.push_back({.code = Code::contradiction,
                        .where = item_of(node, "method").where,
                        .what = "both 'algorithm' and 'method' are given",
                        .expected = either,
                        .hint = "removing one of them"});
    return;
  }
  const bool is_misspelled = is_suggested("algorithm", findings) || is_suggested("method", findings);
  if (!has_algorithm && !has_method && !is_misspelled) {
    const bool has_objective = is_given(node, "minimize");
    findings.push_back({.code = Code::missing_key,
                        .where = node.where,
                        .what = has_objective ? "key 'method' is missing" : "key 'algorithm' is missing",
                        .expected = either,
                        .hint = has_objective ? "adding 'method: alternating'" : "adding 'algorithm: ...' at the top level"});
  }
  if (has_method && !is_given(node, "minimize") && !is_suggested("minimize", findings)) {
    findings.push_back({.code = Code::missing_key,
                        .where = item_of(node, "method").where,
                        .what = "a method needs an objective, and key 'minimize' is missing",
                        .expected = "an expression",
                        .hint = "minimize: 0.5 * norm2(X[i,j] - A[i,r] * B[j,r])"});
  }
  for (const char* key : {"minimize", "define", "extents"}) {
    if (!has_algorithm || !is_given(node, key)) continue;
    findings.push_back({.code = Code::contradiction,
                        .where = item_of(node, key).where,
                        .what = std::string("'") + key + "' is for methods, and an algorithm declares its own objective",
                        .expected = either,
                        .hint = "'method' in place of 'algorithm', or removing it"});
  }
}

ObjectiveConfig objective_of(const Document& document, const SettingsNode& checked) {
  ObjectiveConfig objective;
  if (const Node* minimize = document.root().find("minimize"))
    objective.minimize = document.passage(item_of(checked, "minimize").texts.at(0), minimize->where);
  if (const Node* define = document.root().find("define"))
    for (const Entry& entry : define->entries)
      objective.define.emplace_back(document.passage(entry.key, entry.where),
                                    document.passage(entry.value.text, entry.value.where));
  const Item& extents = item_of(checked, "extents");
  for (const auto& group : extents.groups)
    for (const Item& item : group->items) objective.extents.emplace_back(item.rule.key.name, item.integers.at(0));
  return objective;
}

void collect_places(const SettingsNode& node, std::map<std::string, Where>& places) {
  for (const Item& item : node.items) {
    if (item.is_given) places[node.path_of(item.rule.key.name)] = item.where;
    for (const auto& group : item.groups) {
      if (item.is_given) places.emplace(group->path, group->where);
      collect_places(*group, places);
    }
  }
}

}  // namespace

Where RunConfig::where(const std::string& path) const {
  std::string name = path;
  while (true) {
    const auto found = places.find(name);
    if (found != places.end()) return found->second;
    const std::size_t end = name.find_last_of(".[");
    if (end == std::string::npos) return checked ? checked->where : Where{};
    name.resize(end);
  }
}

UnknownConfig RunConfig::unknown(const std::string& name) const {
  UnknownConfig merged;
  for (const std::string& entry : {std::string("*"), name}) {
    const auto found = unknowns.find(entry);
    if (found == unknowns.end()) continue;
    const UnknownConfig& given = found->second;
    if (given.nonnegative) merged.nonnegative = given.nonnegative;
    if (given.fixed) merged.fixed = given.fixed;
    if (given.ridge) merged.ridge = given.ridge;
    if (given.lower) merged.lower = given.lower;
    if (given.upper) merged.upper = given.upper;
    if (given.init) merged.init = given.init;
  }
  return merged;
}

RunConfig read_run_config(const Document& document, Findings& findings) {
  for (const Finding& duplicate : document.duplicates()) findings.push_back(duplicate);
  const auto checked = check(document.root(), run_rules(), "", findings);
  const Settings s(checked);
  check_algorithm(*checked, findings);
  const bool has_method = is_given(*checked, "method");
  RunConfig config = {
      .algorithm = s.text(has_method ? "method" : "algorithm"), .plugin_path = s.texts("plugin_path"), .checked = checked};
  if (has_method && is_given(*checked, "minimize")) config.objective = objective_of(document, *checked);
  const Item& data = item_of(*checked, "data");
  for (std::size_t k = 0; k < data.groups.size(); ++k) config.data.emplace(data.texts[k], data_of(data.groups[k]));
  const Item& unknowns = item_of(*checked, "unknowns");
  for (std::size_t k = 0; k < unknowns.groups.size(); ++k)
    if (config.unknowns.emplace(unknowns.texts[k], unknown_of(*unknowns.groups[k])).second && unknowns.texts[k] != "*")
      config.unknown_names.push_back(unknowns.texts[k]);
  const Node* settings = document.root().find("settings");
  config.settings = settings == nullptr ? Node{.where = document.root().where} : *settings;
  config.solver = solver_of(item_of(*checked, "solver").groups.at(0));
  config.execution = execution_of(item_of(*checked, "execution").groups.at(0), findings);
  config.plan = plan_of(item_of(*checked, "plan").groups.at(0));
  config.output = output_of(item_of(*checked, "output").groups.at(0));
  if (item_of(*checked, "compare_to").is_present) config.compare_to = s.text("compare_to");
  config.expect = expect_of(item_of(*checked, "expect"), findings);
  collect_places(*checked, config.places);
  return config;
}

RunConfig read_run_config(const Document& document) {
  Findings findings;
  RunConfig config = read_run_config(document, findings);
  throw_if_any(findings);
  return config;
}

std::shared_ptr<const SettingsNode> check_settings(const RunConfig& config, const Schema& schema, Findings& findings) {
  const bool is_mapping = config.settings.form == Node::Form::mapping;  // else the run file's own check has complained
  return check(is_mapping ? config.settings : Node{.where = config.settings.where}, schema, "settings", findings);
}

std::shared_ptr<const SettingsNode> check_settings(const RunConfig& config, const Schema& schema) {
  Findings findings;
  auto checked = check_settings(config, schema, findings);
  throw_if_any(findings);
  return checked;
}

}  // namespace tyto::config
