/// What a session finds around it: plugin folders, executors.
#include <cstdlib>
#include <dlfcn.h>
#include "algebra/conjugate_gradient.hpp"
#include "algebra/davidson.hpp"
#include "execute/cpu/executor.hpp"
#include "execute/reference/executor.hpp"
#include "session/flow.hpp"

namespace tyto::session {

namespace {

/// Plugins that come with tyto lie in tyto/plugins beside the library, in a build tree and where it is installed.
std::filesystem::path own_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&plugin_folders), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code ignored;
  const std::filesystem::path library = std::filesystem::canonical(info.dli_fname, ignored);
  return library.parent_path() / "tyto" / "plugins";
}

}  // namespace

std::vector<module::Folder> plugin_folders(const config::RunConfig& config) {
  std::vector<module::Folder> folders;
  for (const std::string& path : config.plugin_path)
    folders.push_back({found_path(config, path), true, config.where("plugin_path")});
  const char* listed = std::getenv("TYTO_PLUGIN_PATH");
  for (std::string rest = listed == nullptr ? "" : listed; !rest.empty();) {
    const std::size_t end = rest.find(':');
    if (end > 0) folders.push_back({rest.substr(0, end), true, {.file = "TYTO_PLUGIN_PATH"}});
    rest = end == std::string::npos ? "" : rest.substr(end + 1);
  }
  folders.push_back({own_folder(), false, {}});
  return folders;
}

std::vector<module::Folder> backend_folders() { return {{own_folder().parent_path() / "backends", false, {}}}; }

backend::Registry built_in_backends(execute::cpu::Rates rates) {
  backend::Registry registry;
  registry.add(execute::cpu::make_executor(std::move(rates)));
  registry.add(execute::reference::make_executor());
  registry.add(std::make_unique<algebra::ConjugateGradient>());
  registry.add(std::make_unique<algebra::Davidson>());
  registry.note_missing("cuda", "not part of this version");
  registry.note_missing("tpetra", "not part of this version");
  registry.note_missing("sql", "not part of this version");
  return registry;
}

}  // namespace tyto::session
