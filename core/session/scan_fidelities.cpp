#include "session/scan_fidelities.hpp"
#include <algorithm>
#include <limits>
#include "result/fidelity.hpp"
#include "session/inputs.hpp"
#include "tensor/read.hpp"

namespace tyto::session {

namespace {

using Train = std::vector<tensor::Dense>;

constexpr const char* of_train = ".entropy";  ///< what every train has among the observed values

/// Trains of which something is observed, by name.
std::vector<std::string> names_of_trains(const Result& r) {
  std::vector<std::string> names;
  for (const std::string& name : r.observed)
    if (name.ends_with(of_train)) names.push_back(name.substr(0, name.size() - std::string(of_train).size()));
  return names;
}

/// Empty where the run has no such train, or its cores are not in the folder.
Train read_train(const std::filesystem::path& folder, const Result& r, const std::string& name) {
  Train train;
  for (std::size_t k = 0;; ++k) {
    const std::string core = item(name, k);
    if (std::find(r.unknowns.begin(), r.unknowns.end(), core) == r.unknowns.end()) return train;
    const std::filesystem::path file = file_of_unknown(folder, core);
    if (!std::filesystem::exists(file)) return {};
    train.push_back(tensor::read_tensor(file.string(), {}));
  }
}

bool have_same_sites(const Train& a, const Train& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const tensor::Dense& x, const tensor::Dense& y) { return x.extents()[1] == y.extents()[1]; });
}

}  // namespace

std::map<std::string, std::vector<double>> fidelities(const std::vector<ScanPoint>& points, const std::filesystem::path& folder) {
  std::map<std::string, std::vector<double>> found;
  if (points.empty()) return found;
  for (const std::string& name : names_of_trains(points.front().kept().result)) {
    std::vector<double> values;
    Train last;
    bool is_there = false;
    for (std::size_t k = 0; k < points.size(); ++k) {
      const ScanRun& kept = points[k].kept();
      Train next = read_train(folder / kept.folder, kept.result, name);
      const bool are_comparable = !next.empty() && have_same_sites(last, next);
      is_there = is_there || are_comparable;
      if (k > 0) values.push_back(are_comparable ? result::fidelity(last, next) : std::numeric_limits<double>::quiet_NaN());
      last = std::move(next);
    }
    if (is_there) found[name] = std::move(values);
  }
  return found;
}

}  // namespace tyto::session
