#include "session/convert.hpp"
#include <fmt/format.h>
#include "config/node.hpp"
#include "error/fail.hpp"
#include "session/data_files.hpp"
#include "tensor/file.hpp"
#include "tensor/read.hpp"
#include "tensor/tucker.hpp"
#include "tensor/write.hpp"
#include "tyto/session.hpp"

namespace tyto::session {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const fs::path& folder, const std::string& found) {
  throw Error(tensor::file_finding(Code::file_format, folder.string(), "the folder holds no result that stands for a tensor",
                                   "ktensor.txt, or result.json of a Tucker decomposition", found));
}

/// An array that result.json lists: its file and the names of its axes.
struct Listed {
  std::string name, file;
  std::vector<std::string> labels;
};

Listed listed(const fs::path& folder, const std::string& name, const config::Node& entry) {
  const config::Node *file = entry.find("file"), *labels = entry.find("labels");
  if (file == nullptr || labels == nullptr) refuse(folder, fmt::format("a result.json without the file of {}", name));
  Listed result{name, file->text, {}};
  for (const config::Node& label : labels->items) result.labels.push_back(label.text);
  return result;
}

tensor::Dense read(const fs::path& folder, const Listed& array) {
  return tensor::Dense::copy(tensor::read_tensor(folder / array.file).view(), Dtype::f64);
}

/// The factor whose second axis is an axis of the core, for each of them.
tensor::Tucker tucker_result(const fs::path& folder) {
  const fs::path file = folder / "result.json";
  const config::Node result = config::parse_yaml(tensor::read_bytes(file), file.string());
  const config::Node *observed = result.find("observed"), *unknowns = result.find("unknowns");
  const config::Node* core_entry = observed == nullptr ? nullptr : observed->find("core");
  if (core_entry == nullptr || unknowns == nullptr) refuse(folder, "a result.json without a core");
  const Listed core = listed(folder, "core", *core_entry);
  tensor::Tucker tucker{.core = read(folder, core), .factors = {}};
  for (const std::string& label : core.labels) {
    const std::size_t before = tucker.factors.size();
    for (const config::Node& entry : unknowns->items) {
      const config::Node* name = entry.find("name");
      const Listed factor = listed(folder, name == nullptr ? "an unknown" : name->text, entry);
      if (tucker.factors.size() == before && factor.labels.size() == 2 && factor.labels[1] == label)
        tucker.factors.push_back(read(folder, factor));
    }
    if (tucker.factors.size() == before) refuse(folder, fmt::format("no factor for the axis {} of the core", label));
  }
  return tucker;
}

tensor::Dense dense_of(const fs::path& in) {
  if (!fs::is_directory(in)) return read_data(data_path(in.string()), {.dense = true});
  if (fs::exists(in / "ktensor.txt")) return tensor::read_tensor(in / "ktensor.txt");
  if (!fs::exists(in / "result.json")) refuse(in, "neither of them");
  return tucker_result(in).to_dense();
}

/// A list that the algorithm of a run file declares.
std::string converted_list(const fs::path& in, const fs::path& out) {
  Session session = Session::from_file(in.string());
  std::string notes;
  session.on_message([&](const std::string& note) { notes += "note: " + note + "\n"; });
  const std::vector<std::string> files = session.write_list(out.string());
  return fmt::format("{} to {}   {} tensors\n{}", files.front(), files.back(), files.size(), notes);
}

bool is_run_file(const fs::path& path) {
  const std::string ending = path.extension().string();
  return ending == ".yaml" || ending == ".yml" || ending == ".json";
}

}  // namespace

std::string convert(const fs::path& in, const fs::path& out) {
  if (is_run_file(in)) return converted_list(in, out);
  if (out.extension() != ".npy")
    fail({.code = Code::unknown_word,
          .where = {.file = "command line"},
          .what = fmt::format("{} is no format that tyto writes", out.string()),
          .expected = "a name that ends in .npy",
          .found = out.extension().empty() ? "no ending" : out.extension().string()});
  const tensor::Dense values = dense_of(in);
  tensor::write_npy(out, values.view());
  return fmt::format("{}   {}, {}\n", out.string(), tensor::text_of(values.extents()), name_of(values.dtype()));
}

}  // namespace tyto::session
