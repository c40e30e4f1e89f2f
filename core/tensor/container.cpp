// Which array of a file is meant.
#include "tensor/container.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>
#include "error/fail.hpp"
#include "tensor/file.hpp"
#include <fmt/format.h>

namespace tyto::tensor {
namespace {

constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";

/// More than these are not listed in an error.
constexpr std::size_t most_listed = 12;

std::string contents(const std::vector<Dataset>& all) {
  std::string text;
  for (std::size_t k = 0; k < std::min(all.size(), most_listed); ++k)
    text += fmt::format("{}{} ({}, {})", k == 0 ? "" : ", ", all[k].name, text_of(all[k].extents), all[k].type);
  if (all.size() > most_listed) text += fmt::format(" and {} more", all.size() - most_listed);
  return text.empty() ? "no dataset" : text;
}

}  // namespace

bool is_hdf5(const std::filesystem::path& path) {
  std::array<char, signature.size()> start{};
  std::ifstream file(path, std::ios::binary);
  return file.read(start.data(), start.size()) && std::string_view(start.data(), start.size()) == signature;
}

Dense read_dataset(const Container& container, const std::filesystem::path& path, const std::string& name) {
  const std::string file = path.string();
  const std::vector<Dataset> all = container.datasets(path);
  if (all.empty())
    fail(file_finding(Code::file_format, file, "the file holds no dataset", "an array", "groups or nothing",
                      "writing the array again"));
  if (name.empty()) {
    if (all.size() == 1) return container.read(path, all.front().name);
    fail(file_finding(Code::missing_key, file, "the file holds several datasets, and none is named", "one dataset of it",
                      contents(all), fmt::format("{}:{}", file, all.front().name)));
  }
  const std::string wanted = name.front() == '/' ? name : "/" + name;
  std::vector<std::string> names;
  for (const Dataset& known : all) {
    if (known.name == wanted) return container.read(path, wanted);
    names.push_back(known.name);
  }
  fail(file_finding(Code::unknown_word, file, fmt::format("the file holds no dataset {}", wanted), "one of what it holds",
                    contents(all), nearest(wanted, names)));
}

}  // namespace tyto::tensor
