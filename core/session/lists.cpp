/// Session::write_list: lists of data and constants of a declaration, as files for other programs.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "session/implementation.hpp"
#include "tensor/file.hpp"
#include "tensor/write.hpp"

namespace tyto::inline v1 {
using namespace session;

namespace {

namespace fs = std::filesystem;

constexpr const char* star = "[*]";

[[noreturn]] void refuse_name(const std::string& files) {
  fail({.code = Code::unknown_word,
        .where = {.file = "command line"},
        .what = fmt::format("{} does not say which list is to be written", files),
        .expected = "the name of a list that the algorithm declares, as in mpo/H[*].npy",
        .found = files,
        .hint = "\"H[*].npy\""});
}

/// Data and constants: what has values before a run.
bool has_values(const solve::Tensor& t) { return t.kind == solve::Kind::data || t.kind == solve::Kind::constant; }

std::vector<std::string> list_names(const std::vector<solve::Tensor>& tensors) {
  std::vector<std::string> names;
  for (const solve::Tensor& t : tensors)
    if (has_values(t) && t.name.ends_with("[0]")) names.push_back(t.name.substr(0, t.name.size() - 3));
  return names;
}

std::vector<ConstArray> items_of(const std::vector<solve::Tensor>& tensors, const std::string& list) {
  std::vector<ConstArray> items;
  while (true) {
    const std::string wanted = item(list, items.size());
    const auto at =
        std::find_if(tensors.begin(), tensors.end(), [&](const solve::Tensor& t) { return has_values(t) && t.name == wanted; });
    if (at == tensors.end()) return items;
    items.push_back(at->kind == solve::Kind::data ? at->values : ConstArray(at->start.given->view()));
  }
}

}  // namespace

std::vector<std::string> Session::write_list(const std::string& files) {
  const fs::path path = files;
  const std::string stem = path.stem().string();
  if (path.extension() != ".npy" || !stem.ends_with(star) || stem.find('*') + 2 != stem.size()) refuse_name(files);
  const std::string name = stem.substr(0, stem.size() - std::string(star).size());
  Prepared p{.registry = built_in_backends(found_calibration().rates)};
  impl_->configure(p);
  impl_->load(p);
  const std::vector<solve::Tensor>& tensors = p.declared.setup.tensors;
  const std::vector<ConstArray> items = items_of(tensors, name);
  if (items.empty()) {
    const std::vector<std::string> known = list_names(tensors);
    fail({.code = Code::unknown_word,
          .where = {.file = "command line"},
          .what = fmt::format("{} declares no list {}", p.plugin->name, name),
          .expected = known.empty() ? "a list of data or constants; it declares none" : listed(known),
          .found = name,
          .hint = nearest(name, known)});
  }
  std::error_code code;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), code);
  if (code)
    throw Error(tensor::file_finding(Code::output, path.parent_path().string(), "the folder cannot be made", {}, code.message(),
                                     "another folder"));
  std::vector<std::string> written;
  for (std::size_t k = 0; k < items.size(); ++k) {
    written.push_back((path.parent_path() / (item(name, k) + ".npy")).string());
    tensor::write_npy(written.back(), items[k]);
  }
  for (const std::string& note : p.declared.problem.notes)
    if (impl_->on_message) impl_->on_message(note);
  return written;
}

}  // namespace tyto::inline v1
