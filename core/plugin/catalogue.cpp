// Finding algorithms by name; see the header.
#include "plugin/catalogue.hpp"

#include <algorithm>
#include <utility>
#include "error/fail.hpp"

namespace tyto::plugin {
namespace {

namespace fs = std::filesystem;

const module::Kind& kind() {
  static const module::Kind plugin{.noun = "plugin",
                                   .symbol = "tyto_plugin",
                                   .api = TYTO_PLUGIN_API,
                                   .tag = TYTO_BUILD_TAG,
                                   .remedy = "building it anew with tyto_add_plugin() of tyto " TYTO_VERSION};
  return plugin;
}

void check(const fs::path& file, const PluginInfo& info) {
  module::check(kind(), file, info);
  const bool is_complete = info.name != nullptr && info.version != nullptr && info.summary != nullptr && info.schema != nullptr &&
                           info.create != nullptr && info.destroy != nullptr;
  if (is_complete) return;
  fail(Code::plugin_rule, "plugin file " + file.string() + " has an incomplete table",
       "name, version, summary, schema, create, destroy", "a null pointer", "declaring the algorithm with TYTO_PLUGIN");
}

/// The algorithms in a file. Throws what is wrong with it.
std::vector<Entry> read(const fs::path& file) {
  using Table = const PluginInfo* (*)(std::uint32_t);
  const auto table = reinterpret_cast<Table>(module::open(kind(), file));
  std::vector<Entry> entries;
  for (const PluginInfo* info = table(0); info != nullptr; info = table(static_cast<std::uint32_t>(entries.size()))) {
    check(file, *info);
    entries.push_back({.file = file, .info = info});
  }
  if (entries.empty()) {
    fail(Code::plugin_symbol, "plugin file " + file.string() + " has no algorithm", "one or more entries", "an empty table",
         "listing its algorithms in TYTO_PLUGINS");
  }
  return entries;
}

/// The same findings, at the place that asked for the plugin.
Error placed(const Error& error, const Where& where) {
  std::vector<Finding> findings = error.findings();
  for (Finding& finding : findings) finding.where = where;
  return Error(std::move(findings));
}

std::string lines(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text.append(text.empty() ? "" : "\n").append(item);
  return text;
}

std::string origin(const Entry& entry) { return entry.file.empty() ? "the program itself" : entry.file.string(); }

}  // namespace

Catalogue::Catalogue(std::vector<module::Folder> folders) : folders_(std::move(folders)) {}

void Catalogue::add(const PluginInfo* info) {
  check("(linked in)", *info);
  const auto first_file = std::find_if(entries_.begin(), entries_.end(), [](const Entry& entry) { return !entry.file.empty(); });
  entries_.insert(first_file, {.file = {}, .info = info});
}

void Catalogue::search() {
  if (std::exchange(searched_, true)) return;
  for (const fs::path& file : module::files_in(folders_)) {
    try {
      for (const Entry& entry : read(file)) entries_.push_back(entry);
    } catch (const Error& error) {
      entries_.push_back({.file = file, .trouble = error});
    }
  }
}

const std::vector<Entry>& Catalogue::list() {
  search();
  return entries_;
}

const PluginInfo& Catalogue::find(const std::string& name, const Where& where) {
  const Entry* found = nullptr;
  for (const Entry& entry : list()) {
    if (entry.trouble && entry.file.filename() == module::file_name(name)) throw placed(*entry.trouble, where);
    if (entry.info == nullptr || entry.info->name != name) continue;
    if (found != nullptr) {
      fail({.code = Code::plugin_duplicate,
            .where = where,
            .what = "two plugins are called '" + name + "'",
            .expected = "one plugin of that name in all folders searched",
            .found = lines({origin(*found), origin(entry)}),
            .hint = "removing one of them, or leaving its folder out of TYTO_PLUGIN_PATH and plugin_path"});
    }
    found = &entry;
  }
  if (found == nullptr) refuse_unknown(name, where);
  return *found->info;
}

void Catalogue::refuse_unknown(const std::string& name, const Where& where) const {
  std::vector<std::string> names, places;
  for (const Entry& entry : entries_) {
    if (entry.info != nullptr) names.emplace_back(entry.info->name);
  }
  for (const module::Folder& folder : folders_) places.push_back("no such plugin in " + folder.path.string());
  for (const Entry& entry : entries_) {
    if (entry.trouble) places.push_back("unusable: " + std::string(entry.trouble->findings().front().what));
  }
  const std::string close = nearest(name, names);
  fail({.code = Code::plugin_missing,
        .where = where,
        .what = "unknown plugin '" + name + "'",
        .expected = names.empty() ? "the name of a plugin; there are none" : listed(names),
        .found = lines(places),
        .hint = close.empty() ? "naming the folder of the plugin in plugin_path or TYTO_PLUGIN_PATH" : close});
}

}  // namespace tyto::plugin
