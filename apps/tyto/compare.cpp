#include "compare.hpp"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace {

/// The unknown whose entries differ most.
struct Difference {
  double size = 0;
  std::string unknown;
};

Difference largest_difference(const tyto::Result& a, const tyto::Result& b) {
  Difference worst;
  for (const std::string& name : a.unknowns) {
    const std::vector<double>&x = a.array(name).values, &y = b.array(name).values;
    double largest = 0, difference = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      largest = std::max({largest, std::abs(x[k]), std::abs(y[k])});
      difference = std::max(difference, std::abs(x[k] - y[k]));
    }
    const double relative = largest > 0 ? difference / largest : 0;
    if (relative > worst.size || std::isnan(relative)) worst = {relative, name};
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
  std::string text = fmt::format("\n{:<12}{:>22}{:>16}{:>8}{:>10}   difference of unknowns from the first\n", "compared",
                                 "objective", "relative error", "sweeps", "seconds");
  Difference worst;
  for (std::size_t k = 0; k < results.size(); ++k) {
    const tyto::Result& r = results[k];
    const Difference d = largest_difference(results.front(), r);
    if (!(d.size <= worst.size)) worst = d;
    text +=
        fmt::format("{:<12}{:>22.15g}{:>16.9g}{:>8}{:>10.2f}   {}\n", names[k], r.objective, r.relative_error, r.sweeps, r.seconds,
                    k == 0        ? ""
                    : d.size == 0 ? "none"
                                  : fmt::format("{:.2g}, in {}", d.size, d.unknown));
  }
  return text + fmt::format("largest difference {:.2g}\n", worst.size);
}
