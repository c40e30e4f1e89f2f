// File names from names that people chose.
#include "result/names.hpp"
#include <fmt/format.h>
#include <set>

namespace tyto::result {
namespace {

std::string file_stem(const std::string& name) {
  std::string stem = name.substr(0, 200);  // file systems stop at 255 bytes
  for (char& c : stem)
    if (c == '/' || c == '\\' || (c >= 0 && c < 0x20) || c == 0x7f) c = '_';
  if (stem.empty() || stem[0] == '.') stem = "_" + stem.substr(stem.empty() ? 0 : 1);
  return stem;
}

}  // namespace

std::vector<std::string> array_files(const std::string& folder, const std::vector<std::string>& names,
                                     const std::string& extension) {
  std::set<std::string> taken;
  std::vector<std::string> files;
  for (const std::string& name : names) {
    const std::string stem = file_stem(name);
    std::string unique = stem;
    for (int n = 2; !taken.insert(unique).second; ++n) unique = fmt::format("{}~{}", stem, n);
    files.push_back(fmt::format("{}/{}{}", folder, unique, extension));
  }
  return files;
}

}  // namespace tyto::result
