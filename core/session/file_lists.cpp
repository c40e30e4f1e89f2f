#include "session/file_lists.hpp"
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "session/data_files.hpp"
#include "session/inputs.hpp"

namespace tyto::session {

namespace {

namespace fs = std::filesystem;

/// What stands before and behind the one '*'.
struct Pattern {
  std::string before, after;

  std::string with(std::int64_t number) const { return fmt::format("{}{}{}", before, number, after); }
  /// The number in place of '*', of digits alone.
  std::optional<std::int64_t> number_in(const std::string& name) const {
    if (name.size() <= before.size() + after.size() || !name.starts_with(before) || !name.ends_with(after)) return std::nullopt;
    const char *first = name.data() + before.size(), *last = name.data() + name.size() - after.size();
    std::int64_t number = 0;
    if (*first == '-') return std::nullopt;
    const auto [end, error] = std::from_chars(first, last, number);
    return error == std::errc() && end == last ? std::optional(number) : std::nullopt;
  }
};

class PatternList {
 public:
  PatternList(const config::RunConfig& config, const std::string& path, const Where& where)
      : config_(config), path_(path), where_(where) {}

  std::vector<std::string> paths() const {
    const std::size_t star = path_.find('*');
    if (path_.find('*', star + 1) != std::string::npos) refuse_pattern();
    const std::size_t of_dataset = path_.find(":/");
    if (of_dataset != std::string::npos && of_dataset < star)
      return datasets(path_.substr(0, of_dataset), path_.substr(of_dataset + 1));
    if (path_.find('/', star) != std::string::npos) refuse_pattern();
    return files();
  }

 private:
  [[noreturn]] void refuse_pattern() const {
    fail({.code = Code::contradiction,
          .where = where_,
          .what = fmt::format("'{}' is no pattern for a list of files", path_),
          .expected = "one * in the name of a file or of a dataset, in place of a number",
          .hint = "\"mpo/H[*].npy\", or \"mpo.h5:/H[*]\""});
  }

  std::vector<std::string> files() const {
    const fs::path folder = fs::path(path_).parent_path(), beside = fs::path(config_.where("").file).parent_path();
    const Pattern pattern = split(fs::path(path_).filename().string());
    std::vector<fs::path> starts{folder};
    if (!folder.is_absolute() && !beside.empty()) starts.push_back(beside / folder);
    std::string looked;
    for (const fs::path& start : starts) {
      std::vector<std::string> names;
      std::error_code ignored;
      const fs::path place = start.empty() ? fs::path(".") : start;
      for (fs::directory_iterator entry(place, ignored), end; !ignored && entry != end; entry.increment(ignored))
        names.push_back(entry->path().filename().string());
      looked += fmt::format("{}nothing of that kind in {}", looked.empty() ? "" : ", ", place.string());
      const std::vector<std::string> fitting = in_order(pattern, names);
      if (fitting.empty()) continue;
      std::vector<std::string> paths;
      for (const std::string& name : fitting) paths.push_back((start / name).string());
      return paths;
    }
    fail_nothing_fits(looked);
  }

  std::vector<std::string> datasets(const std::string& file, const std::string& name) const {
    const std::string found = found_path(config_, file);
    if (!fs::exists(found)) fail_missing_file(config_, file, where_);
    if (!tensor::is_hdf5(found))
      fail({.code = Code::file_format, .where = where_, .what = fmt::format("{} is no file of HDF5", found), .hint = "H[*].npy"});
    std::vector<std::string> names;
    for (const tensor::Dataset& d : with_place(where_, [&] { return hdf5()->datasets(found); })) names.push_back(d.name);
    std::vector<std::string> paths = in_order(split(name), names);
    if (paths.empty()) fail_nothing_fits(fmt::format("{} in {}", names.empty() ? "no dataset" : listed(names), found));
    for (std::string& path : paths) path = found + ":" + path;
    return paths;
  }

  static Pattern split(const std::string& name) {
    const std::size_t star = name.find('*');
    return {name.substr(0, star), name.substr(star + 1)};
  }

  [[noreturn]] void fail_nothing_fits(const std::string& found) const {
    fail({.code = Code::file_missing,
          .where = where_,
          .what = fmt::format("nothing fits {}", path_),
          .expected = "whole numbers in place of *",
          .found = found,
          .hint = "checking the path, which starts at the current folder or at that of the run file"});
  }

  /// Those of the names that fit, by their numbers.
  std::vector<std::string> in_order(const Pattern& pattern, const std::vector<std::string>& names) const {
    std::map<std::int64_t, std::string> by_number;
    for (const std::string& name : names) {
      const std::optional<std::int64_t> number = pattern.number_in(name);
      if (!number) continue;
      const auto [known, is_new] = by_number.emplace(*number, name);
      if (!is_new)
        fail({.code = Code::contradiction,
              .where = where_,
              .what = fmt::format("the list {} has the number {} twice", path_, *number),
              .expected = "one of each number",
              .found = fmt::format("{} and {}", std::min(known->second, name), std::max(known->second, name)),
              .hint = "removing one of them"});
    }
    std::vector<std::string> ordered;
    std::int64_t next = by_number.empty() || by_number.begin()->first != 1 ? 0 : 1;
    for (const auto& [number, name] : by_number) {
      if (number != next)
        fail({.code = Code::contradiction,
              .where = where_,
              .what = fmt::format("the list {} has a gap: there is no {}", path_, pattern.with(next)),
              .expected = "numbers one after the other, from 0 or 1",
              .found = ordered.empty() ? fmt::format("{} as the first", name) : fmt::format("{} behind {}", name, ordered.back()),
              .hint = "files: [...], which names each"});
      ordered.push_back(name);
      ++next;
    }
    return ordered;
  }

  const config::RunConfig& config_;
  const std::string& path_;
  const Where& where_;
};

/// What is said of one tensor cannot be said of all of a list.
void refuse_keys_of_one(const config::RunConfig& config, const std::string& name) {
  for (const char* key : {"file", "modes", "scale", "shape", "mask", "weights"}) {
    const std::string place = fmt::format("data.{}.{}", name, key);
    if (config.places.contains(place))
      fail({.code = Code::contradiction,
            .where = config.where(place),
            .what = fmt::format("data.{0} is a list of tensors, and '{1}' is of one tensor", name, key),
            .expected = "files, with dense, index_base or missing",
            .hint = fmt::format("leaving out {}", std::string(key) == "file" ? "one of file and files" : key)});
  }
}

}  // namespace

std::vector<std::string> files_of_list(const config::RunConfig& config, const std::string& name, const config::DataConfig& data) {
  refuse_keys_of_one(config, name);
  const Where where = config.where(fmt::format("data.{}.files", name));
  const bool is_pattern = data.files.size() == 1 && data.files.front().find('*') != std::string::npos;
  return is_pattern ? PatternList(config, data.files.front(), where).paths() : data.files;
}

std::string found_pattern(const config::RunConfig& config, const std::string& pattern) {
  const std::string first = PatternList(config, pattern, {}).paths().front();
  if (!data_path(pattern).dataset.empty()) return data_path(first).file + ":" + data_path(pattern).dataset;
  return (fs::path(first).parent_path() / fs::path(pattern).filename()).string();
}

}  // namespace tyto::session
