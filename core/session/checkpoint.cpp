/// Writing and reading checkpoints.
#include "session/checkpoint.hpp"
#include <fmt/format.h>
#include "config/config_json.hpp"
#include "error/fail.hpp"
#include "session/file_lists.hpp"
#include "tensor/checksum.hpp"
#include "tensor/write.hpp"

namespace tyto::session {

namespace {

using tensor::Archive;

const tensor::ArchiveKind kind{"tyto checkpoint", 1};

using Paths = std::function<std::string(const std::string& key, const std::string& path)>;

/// The values of a run file with every path as `found` says; paths stand under `file` and `files`, in {file: ...} and in
/// plugin_path. Without defaults where only what is given is wanted: a default that is written down could count as the user's wish.
SettingsNode with_paths(const SettingsNode& node, const Paths& found, bool only_given) {
  SettingsNode changed = node;
  if (only_given)
    std::erase_if(changed.items,
                  [](const SettingsNode::Item& item) { return !item.is_given && item.rule.form != config::Form::plugin; });
  for (SettingsNode::Item& item : changed.items) {
    const std::string& key = item.rule.key.name;
    if (item.is_file || ((key == "file" || key == "files" || key == "plugin_path") && item.is_given))
      for (std::string& path : item.texts) path = found(key, path);
    for (std::shared_ptr<const SettingsNode>& group : item.groups)
      group = std::make_shared<const SettingsNode>(with_paths(*group, found, only_given));
  }
  return changed;
}

std::string json_of(const Prepared& p, bool only_given) {
  const Paths absolute = [&](const std::string& key, const std::string& path) {
    const bool is_pattern = key == "files" && path.find('*') != std::string::npos;
    const std::string found = is_pattern ? found_pattern(p.config, path) : found_path(p.config, path);
    return std::filesystem::absolute(found).lexically_normal().string();
  };
  const Paths as_it_is = [](const std::string&, const std::string& path) {
    return path;
  };  // only the plugin knows what its texts mean
  config::RunConfig config = p.config;
  config.checked = std::make_shared<const SettingsNode>(with_paths(*p.config.checked, absolute, only_given));
  const SettingsNode settings = with_paths(*p.settings, as_it_is, only_given);
  return config::to_json(config, &settings);
}

void store(const Origin& origin, Archive& archive) {
  archive.add("origin/given", origin.given);
  archive.add("origin/config", origin.config);
  archive.add("origin/tyto_version", origin.tyto_version);
  archive.add("origin/algorithm_version", origin.algorithm_version);
  archive.add("origin/started_at", origin.started_at);
  archive.add("origin/plan", static_cast<std::int64_t>(origin.plan));
  archive.add("origin/inputs", static_cast<std::int64_t>(origin.inputs.size()));
  for (std::size_t k = 0; k < origin.inputs.size(); ++k) {
    const std::string name = fmt::format("origin/inputs/{}/", k);
    const InputFacts& in = origin.inputs[k];
    archive.add(name + "name", in.name);
    archive.add(name + "dtype", static_cast<std::int64_t>(in.dtype));
    archive.add(name + "extents",
                tensor::Dense::copy(ConstArray(in.extents.data(), {static_cast<std::int64_t>(in.extents.size())})));
    archive.add(name + "norm", in.norm);
    archive.add(name + "values", static_cast<std::int64_t>(in.values));
    archive.add(name + "weights", static_cast<std::int64_t>(in.weights));
  }
}

Origin stored_origin(const Archive& archive) {
  Origin origin{.given = archive.text("origin/given"),
                .config = archive.text("origin/config"),
                .tyto_version = archive.text("origin/tyto_version"),
                .algorithm_version = archive.text("origin/algorithm_version"),
                .started_at = archive.text("origin/started_at"),
                .plan = static_cast<std::uint64_t>(archive.integer("origin/plan"))};
  for (std::int64_t k = 0; k < archive.integer("origin/inputs"); ++k) {
    const std::string name = fmt::format("origin/inputs/{}/", k);
    const tensor::Dense& extents = archive.array(name + "extents");
    const auto* const first = extents.view().as<std::int64_t>();
    origin.inputs.push_back({.name = archive.text(name + "name"),
                             .dtype = static_cast<Dtype>(archive.integer(name + "dtype")),
                             .extents = Extents(first, first + extents.size()),
                             .norm = archive.real(name + "norm"),
                             .values = static_cast<std::uint64_t>(archive.integer(name + "values")),
                             .weights = static_cast<std::uint64_t>(archive.integer(name + "weights"))});
  }
  return origin;
}

void store(const Result& best, Archive& archive) {
  solve::store(best.outcome, "best/outcome", archive);
  archive.add("best/objective", best.objective);
  archive.add("best/relative_error", best.relative_error);
  archive.add("best/sweeps", best.sweeps);
  archive.add("best/seconds", best.seconds);
  archive.add("best/start", std::int64_t{best.best_start});
  archive.add("best/unknowns", best.unknowns);
  archive.add("best/observed", best.observed);
  for (const std::string& name : best.names()) {
    const NamedArray& array = best.array(name);
    archive.add("best/values/" + name, tensor::Dense::copy(ConstArray(array.values.data(), array.extents)));
    if (!array.imaginary.empty())
      archive.add("best/imaginary/" + name, tensor::Dense::copy(ConstArray(array.imaginary.data(), array.extents)));
    archive.add("best/labels/" + name, array.labels);
  }
}

Result stored_best(const Archive& archive) {
  Result best{.outcome = solve::stored_outcome("best/outcome", archive),
              .objective = archive.real("best/objective"),
              .relative_error = archive.real("best/relative_error"),
              .sweeps = archive.integer("best/sweeps"),
              .seconds = archive.real("best/seconds"),
              .best_start = static_cast<int>(archive.integer("best/start"))};
  best.unknowns = archive.texts("best/unknowns"), best.observed = archive.texts("best/observed");
  for (const std::string& name : best.names()) {
    const tensor::Dense& array = archive.array("best/values/" + name);
    const auto* const first = array.view().as<double>();
    NamedArray& values = best.values[name];
    values = {array.extents(), archive.texts("best/labels/" + name), {first, first + array.size()}};
    if (!archive.has("best/imaginary/" + name)) continue;
    const auto* const imaginary = archive.array("best/imaginary/" + name).view().as<double>();
    values.imaginary.assign(imaginary, imaginary + array.size());
  }
  return best;
}

void store(const Ended& ended, Archive& archive) {
  archive.add("ended/starts", static_cast<std::int64_t>(ended.starts.size()));
  for (std::size_t k = 0; k < ended.starts.size(); ++k) {
    const std::string name = fmt::format("ended/starts/{}/", k);
    const result::StartSummary& start = ended.starts[k];
    archive.add(name + "objective", start.objective);
    archive.add(name + "relative_error", start.relative_error);
    archive.add(name + "sweeps", start.sweeps);
    solve::store(start.outcome, name + "outcome", archive);
  }
  solve::store(ended.rows, "ended/history", archive);
  archive.add("ended/least", ended.least);
  if (ended.optimality) archive.add("ended/optimality", *ended.optimality);
  if (!ended.starts.empty()) store(ended.best, archive);
}

Ended stored_ended(const Archive& archive) {
  Ended ended{.least = archive.real("ended/least"), .rows = solve::stored_rows("ended/history", archive)};
  for (std::int64_t k = 0; k < archive.integer("ended/starts"); ++k) {
    const std::string name = fmt::format("ended/starts/{}/", k);
    ended.starts.push_back({static_cast<int>(k), archive.real(name + "objective"), archive.real(name + "relative_error"),
                            archive.integer(name + "sweeps"), solve::stored_outcome(name + "outcome", archive)});
  }
  if (archive.has("ended/optimality")) ended.optimality = archive.real("ended/optimality");
  if (!ended.starts.empty()) ended.best = stored_best(archive);
  return ended;
}

}  // namespace

void Ended::take(Result result, double objective, std::optional<double> kkt_residual, const std::vector<Progress>& more) {
  rows.insert(rows.end(), more.begin(), more.end());
  const auto start = static_cast<int>(starts.size());
  starts.push_back({start, result.objective, result.relative_error, result.sweeps, result.outcome});
  const bool is_better =
      start == 0 || best.outcome.stop == Stop::failed || (result.outcome.stop != Stop::failed && objective < least);
  if (is_better) best = std::move(result), best.best_start = start, least = objective, optimality = kkt_residual;
}

std::string config_of(const Prepared& p) { return json_of(p, false); }

std::vector<InputFacts> input_facts(const std::vector<Loaded>& inputs) {
  std::vector<InputFacts> facts;
  for (const Loaded& in : inputs)
    facts.push_back({.name = in.name,
                     .dtype = in.values.dtype(),
                     .extents = in.values.extents(),
                     .norm = in.norm.value(),
                     .values = tensor::checksum(in.values.view()),
                     .weights = in.weights ? tensor::checksum(in.weights->view()) : 0});
  return facts;
}

Origin origin_of(const Prepared& p, const std::string& started_at) {
  return {.given = json_of(p, true),
          .config = config_of(p),
          .tyto_version = TYTO_VERSION,
          .algorithm_version = p.plugin->version,
          .started_at = started_at,
          .plan = tensor::checksum(std::string_view(plan_text(p))),
          .inputs = input_facts(p.inputs)};
}

std::filesystem::path checkpoint_file(const std::filesystem::path& folder) { return folder / "checkpoint"; }

void write_checkpoint(const std::filesystem::path& folder, const Origin& origin, const Ended& ended,
                      const solve::Snapshot& snapshot) {
  Archive archive;
  store(origin, archive);
  store(ended, archive);
  solve::store(snapshot, archive);
  with_context("while writing a checkpoint",
               [&] { tensor::write_file(checkpoint_file(folder), tensor::archive_bytes(archive, kind)); });
}

Checkpoint read_checkpoint(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path file = checkpoint_file(folder);
  if (!fs::is_directory(folder, ignored) || !fs::exists(file, ignored)) {
    const bool is_folder = fs::is_directory(folder, ignored);
    const char* const found = is_folder                     ? "no file 'checkpoint' in it"
                              : fs::exists(folder, ignored) ? "a file"
                                                            : "nothing of that name";
    fail({.code = Code::file_missing,
          .where = {.file = folder.string()},
          .what = is_folder ? "the folder holds no checkpoint" : "this is no folder",
          .expected = "the output folder of a run",
          .found = found,
          .hint = is_folder ? "tyto run; output.checkpoint says when a run leaves one" : "ls " + folder.string()});
  }
  int schema = 0;
  const Archive archive = tensor::read_archive(file, kind, schema);
  return with_place({.file = file.string()}, [&] {
    return Checkpoint{stored_origin(archive), stored_ended(archive), solve::stored_snapshot(archive)};
  });
}

}  // namespace tyto::session
