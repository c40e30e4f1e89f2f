// Opening backend modules; see the header.
#include "backend/loader.hpp"

#include <algorithm>
#include "error/fail.hpp"

namespace tyto::backend {
namespace {

namespace fs = std::filesystem;

const module::Kind& kind() {
  static const module::Kind backend{.noun = "backend",
                                    .symbol = "tyto_backend",
                                    .api = TYTO_BACKEND_API,
                                    .tag = TYTO_BACKEND_TAG,
                                    .remedy = "building it anew together with tyto " TYTO_VERSION};
  return backend;
}

std::string name_of(const fs::path& file) {
  std::string name = file.stem().string();
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

fs::path file_of(const std::vector<module::Folder>& folders, const std::string& name) {
  for (const fs::path& file : module::files_in(folders)) {
    if (file.filename() == module::file_name(name)) return file;
  }
  const std::vector<std::string> names = names_in(folders);
  fail(Code::backend, "unknown backend '" + name + "'", names.empty() ? "the name of a backend; none was built" : listed(names),
       name, nearest(name, names));
}

}  // namespace

std::vector<std::string> names_in(const std::vector<module::Folder>& folders) {
  std::vector<std::string> names;
  for (const fs::path& file : module::files_in(folders)) names.push_back(name_of(file));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

const BackendInfo& load(const std::vector<module::Folder>& folders, const std::string& name) {
  const fs::path file = file_of(folders, name);
  const BackendInfo* info = reinterpret_cast<const BackendInfo* (*)()>(module::open(kind(), file))();
  if (info == nullptr) fail(Code::plugin_symbol, "backend file " + file.string() + " has no table");
  module::check(kind(), file, *info);
  if (info->name == nullptr || info->name != name) {
    fail(Code::backend, "backend file " + file.string() + " calls itself otherwise", name,
         info->name == nullptr ? "no name" : info->name, "renaming the file");
  }
  const char* reason = info->why_unavailable == nullptr ? nullptr : info->why_unavailable();
  if (reason != nullptr) fail(Code::backend, "backend '" + name + "' cannot be used on this machine", {}, reason);
  return *info;
}

}  // namespace tyto::backend
