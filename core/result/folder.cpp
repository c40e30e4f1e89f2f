// Preparing the output folder.
#include "result/folder.hpp"
#include "error/fail.hpp"
#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

namespace tyto::result {
namespace {
namespace fs = std::filesystem;

const char* const elsewhere = "another output.directory, one that you may write to";

void remove_empty(const std::vector<fs::path>& innermost_last) {
  std::error_code ignored;
  for (auto p = innermost_last.rbegin(); p != innermost_last.rend(); ++p) fs::remove(*p, ignored);
}

std::vector<fs::path> missing_directories(const fs::path& path) {
  std::vector<fs::path> missing;
  std::error_code ignored;
  for (fs::path p = path; !p.empty() && !fs::exists(p, ignored); p = p.parent_path()) missing.push_back(p);
  std::reverse(missing.begin(), missing.end());
  return missing;
}

OutputFolder create(const fs::path& path) {
  OutputFolder folder(path, missing_directories(path));
  std::error_code code;
  fs::create_directories(path, code);
  if (code) fail(Code::output, fmt::format("cannot create the output folder {}", path.string()), {}, code.message(), elsewhere);
  return folder;
}

void refuse_unless_empty(const fs::path& path) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) names.push_back(entry.path().filename().string());
  if (names.empty()) return;
  std::sort(names.begin(), names.end());
  const bool earlier_run = std::binary_search(names.begin(), names.end(), "result.json");
  const bool earlier_scan = std::binary_search(names.begin(), names.end(), "scan.json");
  const std::string found = earlier_run         ? "the result of an earlier run"
                            : earlier_scan      ? "the results of an earlier scan"
                            : names.size() == 1 ? names.front()
                                                : fmt::format("{} and {} more", names.front(), names.size() - 1);
  fail(Code::output, fmt::format("the output folder {} is not empty", path.string()), "an empty folder or none", found,
       "output.overwrite: true, or another output.directory");
}

/// Permission bits do not tell (root, read-only mounts, full disks), so a file is written and removed.
void try_to_write(const fs::path& path) {
  const fs::path trial = path / fmt::format(".tyto-{}.tmp", ::getpid());
  errno = 0;
  std::ofstream file(trial);
  file << "trial\n";
  file.close();
  const int reason = file ? 0 : errno;
  std::error_code ignored;
  fs::remove(trial, ignored);
  if (reason != 0)
    fail(Code::output, fmt::format("cannot write in the output folder {}", path.string()), {},
         std::generic_category().message(reason), elsewhere);
}

}  // namespace

OutputFolder::OutputFolder(fs::path path, std::vector<fs::path> created) : path_(std::move(path)), created_(std::move(created)) {}
OutputFolder::~OutputFolder() { remove_empty(created_); }

OutputFolder prepare_folder(const std::string& path, bool overwrite) {
  const fs::path wanted = fs::path(path).lexically_normal();
  const fs::path p = wanted.has_filename() ? wanted : wanted.parent_path();  // "out/" is "out"
  std::error_code ignored;
  if (fs::exists(p, ignored) && !fs::is_directory(p, ignored))
    fail(Code::output, fmt::format("the output folder {} is not a folder", p.string()), "a folder", "a file of that name",
         "another output.directory");
  OutputFolder folder = create(p);
  try_to_write(p);
  if (!overwrite) refuse_unless_empty(p);
  return folder;
}

void remove_files(const fs::path& folder, const char* extension) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return;
  std::vector<fs::path> stale;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == extension && entry.is_regular_file(ignored)) stale.push_back(entry.path());
  for (const fs::path& path : stale) fs::remove(path, ignored);
  fs::remove(folder, ignored);
}

}  // namespace tyto::result
