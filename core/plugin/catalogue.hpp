#pragma once
/// The algorithm plugins that a run may choose from: those in some folders, and those linked in.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>
#include "module/module.hpp"
#include "tyto/plugin.hpp"

namespace tyto::plugin {

/// One algorithm; or a file that cannot be used, and then `trouble` says why and `info` is null.
struct Entry {
  std::filesystem::path file;        ///< empty: linked in
  const PluginInfo* info = nullptr;  ///< valid until the process ends
  std::optional<Error> trouble = {};
};

/// Searches its folders once, when first asked. Libraries that it opened stay open until the process ends.
class Catalogue {
 public:
  /// Earlier folders come first in lists. A plugin in two folders is an error, not a matter of order.
  explicit Catalogue(std::vector<module::Folder>);

  /// A plugin that is linked in; must outlive the catalogue. Throws Error{plugin_api}, Error{plugin_tag}.
  void add(const PluginInfo*);

  /// The algorithm of that name. A file called after it (cp_als.so for "cp-als") is expected to have it: where that file cannot
  /// be used, the reason is thrown. Other files that cannot be used only matter if the name is found nowhere.
  /// Throws Error at `where`: plugin_missing (with the nearest name, all names, the folders), plugin_duplicate (two files have
  /// it), plugin_symbol, plugin_api, plugin_tag.
  const PluginInfo& find(const std::string& name, const Where& where = {});

  /// Everything there is, in order of search.
  const std::vector<Entry>& list();

 private:
  void search();
  [[noreturn]] void refuse_unknown(const std::string& name, const Where&) const;

  std::vector<module::Folder> folders_;
  std::vector<Entry> entries_;
  bool searched_ = false;
};

}  // namespace tyto::plugin
