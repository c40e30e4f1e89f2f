// Reads a file at once, and looks around in its folder when it is not there.
#include "tensor/file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>
#include "error/fail.hpp"
#include <fmt/format.h>

namespace tyto::tensor {
namespace {

namespace fs = std::filesystem;

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

[[noreturn]] void fail_missing(const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code error;
  if (!fs::is_directory(folder, error))
    fail(file_finding(Code::file_missing, path.string(), "the file does not exist", {},
                      fmt::format("no folder \"{}\" either", folder.string()),
                      path.is_absolute() ? "checking the path" : "checking the path, which is relative to the current folder"));
  std::vector<std::string> names;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    names.push_back(entry->path().filename().string());
  std::sort(names.begin(), names.end());
  const std::string name = nearest(path.filename().string(), names);
  fail(file_finding(Code::file_missing, path.string(), "the file does not exist", {}, {},
                    name.empty() ? fmt::format("checking the name: the folder \"{}\" holds nothing similar", folder.string())
                                 : fmt::format("\"{}\", which is in that folder", name)));
}

[[noreturn]] void fail_reading(const fs::path& path, int error) {
  fail(file_finding(Code::reading, path.string(), "the file cannot be read", {}, std::generic_category().message(error),
                    "checking the permissions of the file"));
}

}  // namespace

Finding file_finding(Code code, const std::string& file, std::string what, std::string expected, std::string found,
                     std::string hint) {
  Finding finding;
  finding.code = code;
  finding.where.file = file;
  finding.what = std::move(what);
  finding.expected = std::move(expected);
  finding.found = std::move(found);
  finding.hint = std::move(hint);
  return finding;
}

std::string read_bytes(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) fail_missing(path);
  if (fs::is_directory(status))
    fail(file_finding(Code::file_format, path.string(), "this is a folder", "a file that holds a tensor", "a folder",
                      "naming a file in it"));
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rb"));
  if (!file) fail_reading(path, errno);

  const std::uintmax_t size = fs::file_size(path, error);
  std::string bytes(error ? 0 : static_cast<std::size_t>(size), '\0');
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file.get()));
  if (std::ferror(file.get()) != 0) fail_reading(path, errno);
  if (bytes.empty())
    fail(file_finding(Code::file_format, path.string(), "the file is empty", "a file that holds a tensor", "0 bytes",
                      "writing the file again"));
  return bytes;
}

std::string first_bytes(const std::string& bytes) {
  const std::string start = bytes.substr(0, 8);
  std::string codes, characters;
  bool is_printable = true;
  for (const char c : start) {
    codes += fmt::format("{}{:02x}", codes.empty() ? "" : " ", static_cast<unsigned char>(c));
    is_printable = is_printable && ((c >= ' ' && c <= '~') || c == '\n' || c == '\t' || c == '\r');
    characters += c >= ' ' && c <= '~' ? c : ' ';
  }
  return is_printable ? fmt::format("\"{}\" ({})", characters, codes) : codes;
}

}  // namespace tyto::tensor
