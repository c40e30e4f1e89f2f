// Shared libraries by Boost.DLL; see the header.
#include "module/module.hpp"

#include <algorithm>
#include <system_error>
#include "error/fail.hpp"

#define BOOST_DLL_USE_STD_FS
#include <boost/dll/shared_library.hpp>
#include <dlfcn.h>
#include <fmt/format.h>

namespace tyto::module {
namespace {

namespace fs = std::filesystem;

/// The linker's words out of "boost::dll::shared_library::load() failed (dlerror system message: WORDS): Bad file descriptor".
std::string linker_words(const std::string& text) {
  const std::string before = "dlerror system message: ";
  const std::size_t start = text.find(before);
  const std::size_t end = text.rfind("): ");
  if (start == std::string::npos || end == std::string::npos) return text;
  return text.substr(start + before.size(), end - start - before.size());
}

boost::dll::shared_library load(const Kind& kind, const fs::path& file) {
  // Types and objects of a library live as long as the process: the last flag makes closing it harmless.
  const auto mode =
      static_cast<boost::dll::load_mode::type>(boost::dll::load_mode::rtld_now | boost::dll::load_mode::rtld_local | RTLD_NODELETE);
  try {
    return boost::dll::shared_library(fs::absolute(file), mode);
  } catch (const std::system_error& error) {  // of the two overloads only the throwing one carries the linker's words
    fail(Code::plugin_symbol, fmt::format("{} file {} cannot be loaded", kind.noun, file.string()),
         "a shared library built for this tyto", linker_words(error.what()), kind.remedy);
  }
}

std::vector<fs::path> libraries(const Folder& folder) {
  std::vector<fs::path> found;
  std::error_code trouble;
  for (fs::directory_iterator entry(folder.path, trouble); !trouble && entry != fs::directory_iterator();
       entry.increment(trouble)) {
    if (entry->path().extension() == ".so") found.push_back(entry->path());
  }
  if (trouble && folder.must_exist) {
    fail({.code = Code::file_missing,
          .where = folder.where,
          .what = "cannot read the folder " + folder.path.string(),
          .expected = "a folder with plugins (*.so)",
          .found = trouble.message(),
          .hint = "correcting the path; a relative one starts at the working directory"});
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

std::vector<fs::path> files_in(const std::vector<Folder>& folders) {
  std::vector<fs::path> files;
  for (const Folder& folder : folders) {
    for (const fs::path& file : libraries(folder)) {
      std::error_code ignored;  // a dangling link equals nothing; opening it reports it
      const auto is_same = [&](const fs::path& other) { return fs::equivalent(file, other, ignored); };
      if (std::none_of(files.begin(), files.end(), is_same)) files.push_back(file);
    }
  }
  return files;
}

Function open(const Kind& kind, const fs::path& file) {
  boost::dll::shared_library library = load(kind, file);
  if (library.has(kind.symbol)) return &library.get<void()>(kind.symbol);
  fail(Code::plugin_symbol, fmt::format("{} is not a {}", file.string(), kind.noun),
       fmt::format("an exported function {}", kind.symbol), "a shared library without it", kind.remedy);
}

void check_api(const Kind& kind, const fs::path& file, std::uint32_t api) {
  if (api == kind.api) return;
  fail(Code::plugin_api, fmt::format("{} file {} was built for another version of the {} API", kind.noun, file.string(), kind.noun),
       fmt::format("{} API {}", kind.noun, kind.api), fmt::format("{} API {}", kind.noun, api), kind.remedy);
}

void check_tag(const Kind& kind, const fs::path& file, const char* tag) {
  const std::string found = tag == nullptr ? "no tag" : tag;
  if (found == kind.tag) return;
  fail(Code::plugin_tag,
       fmt::format("{} file {} was built with other headers or another standard library", kind.noun, file.string()), kind.tag,
       found, kind.remedy);
}

std::string file_name(const std::string& name) {
  std::string file = name + ".so";
  std::replace(file.begin(), file.end(), '-', '_');
  return file;
}

}  // namespace tyto::module
