#include "compare.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <fmt/format.h>

namespace {

/// The array whose entries differ most.
struct Difference {
  double size = 0;
  std::string name;
};

/// Of states that are trains the tensors are not determined, but what is observed in them is.
const std::vector<std::string>& compared_names(const tyto::Result& r) { return r.observed.empty() ? r.unknowns : r.observed; }

Difference largest_difference(const tyto::Result& a, const tyto::Result& b) {
  Difference worst;
  for (const std::string& name : compared_names(a)) {
    const std::vector<double>&x = a.array(name).values, &y = b.array(name).values;
    double largest = 0, difference = x.size() == y.size() ? 0 : std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < std::min(x.size(), y.size()); ++k) {
      largest = std::max({largest, std::abs(x[k]), std::abs(y[k])});
      if (const double d = std::abs(x[k] - y[k]); !(d <= difference)) difference = d;  // also where it is not a number
    }
    const double size = a.observed.empty() ? largest : std::max(largest, 1.0);  // a variance may be 0
    const double relative = size > 0 || std::isnan(difference) ? difference / size : 0;
    if (!(relative <= worst.size)) worst = {relative, name};
  }
  return worst;
}

}  // namespace

std::pair<std::string, std::string> setting_for(const std::string& name) {
  if (name == "builtin" || name == "petsc" || name == "trilinos") return {"solver.backend", name};
  if (name == "cpu" || name == "reference") return {"execution.executor", name};
  throw tyto::Error(tyto::Finding{.code = tyto::Code::unknown_word,
                                  .where = {.file = "command line"},
                                  .what = fmt::format("--compare knows no '{}'", name),
                                  .expected = "builtin, petsc, trilinos, cpu or reference",
                                  .found = name,
                                  .hint = "--compare petsc,trilinos"});
}

std::string comparison(const std::vector<std::string>& names, const std::vector<tyto::Result>& results) {
  std::string text =
      fmt::format("\n{:<12}{:>22}{:>16}{:>8}{:>10}   difference of {} from the first\n", "compared", "objective", "relative error",
                  "sweeps", "seconds", results.front().observed.empty() ? "unknowns" : "observed values");
  Difference worst;
  for (std::size_t k = 0; k < results.size(); ++k) {
    const tyto::Result& r = results[k];
    const Difference d = largest_difference(results.front(), r);
    if (!std::isnan(worst.size) && !(d.size <= worst.size)) worst = d;
    text +=
        fmt::format("{:<12}{:>22.15g}{:>16.9g}{:>8}{:>10.2f}   {}\n", names[k], r.objective, r.relative_error, r.sweeps, r.seconds,
                    k == 0        ? ""
                    : d.size == 0 ? "none"
                                  : fmt::format("{:.2g}, in {}", d.size, d.name));
  }
  return text + fmt::format("largest difference {:.2g}\n", worst.size);
}
