// What a table or a chart of a scan has, and where its points stand.
#include "result/scan.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace tyto::result {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// Names of observed values of any point, in the order in which they are met.
std::vector<std::string> observed_names(const Scanned& s) {
  std::vector<std::string> names;
  for (const ScanPoint& point : s.points)
    for (const std::string& name : point.kept().result.observed)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

/// The value of a number, the largest of entropies; nothing for other arrays.
double number_in(const NamedArray& a, bool is_entropy) {
  if (a.values.empty() || !(a.extents.empty() || is_entropy)) return nothing;
  return *std::max_element(a.values.begin(), a.values.end());
}

std::optional<double> number(const std::string& text) {
  double value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// The largest gap of sorted positions as a share of all: the smaller, the better they are spread.
double largest_gap(std::vector<double> at) {
  std::sort(at.begin(), at.end());
  double largest = 0;
  for (std::size_t k = 1; k < at.size(); ++k) largest = std::max(largest, at[k] - at[k - 1]);
  return at.size() < 2 || at.back() == at.front() ? 1 : largest / (at.back() - at.front());
}

}  // namespace

std::vector<ScanColumn> scan_columns(const Scanned& s) {
  std::vector<ScanColumn> columns;
  const auto add = [&](const std::string& name, const auto& value_of) {
    ScanColumn column{name};
    for (const ScanPoint& point : s.points) column.values.push_back(value_of(point.kept().result));
    if (std::any_of(column.values.begin(), column.values.end(), [](double x) { return !std::isnan(x); }))
      columns.push_back(std::move(column));
  };
  add("objective", [](const Result& r) { return r.objective; });
  add("relative error", [](const Result& r) { return r.relative_error < 0 ? nothing : r.relative_error; });
  for (const std::string& name : observed_names(s)) {
    const bool is_entropy = name.ends_with(".entropy");
    add(is_entropy ? "largest " + name : name, [&](const Result& r) {
      const NamedArray* a = find_array(r, name);
      return a == nullptr ? nothing : number_in(*a, is_entropy);
    });
  }
  for (const auto& [train, values] : s.fidelities) {
    columns.push_back({s.fidelities.size() == 1 ? "fidelity" : "fidelity of " + train, values, true});
    columns.back().values.resize(s.points.size(), nothing);
  }
  return columns;
}

std::vector<ScanColumn> shown_columns(const Scanned& s) {
  std::vector<ScanColumn> columns = scan_columns(s);
  const bool have_errors =
      std::all_of(s.points.begin(), s.points.end(), [](const ScanPoint& point) { return point.kept().result.relative_error >= 0; });
  if (have_errors) std::erase_if(columns, [](const ScanColumn& column) { return column.name == "objective"; });
  return columns;
}

ScanAxis scan_axis(const Scanned& s) {
  std::vector<double> values, logarithms;
  for (const ScanPoint& point : s.points) {
    const std::optional<double> value = number(point.value());
    if (!value) {
      values.clear();
      for (std::size_t k = 0; k < s.points.size(); ++k) values.push_back(static_cast<double>(k));
      return {"number of the value, from 0", values};
    }
    values.push_back(*value);
    if (*value > 0) logarithms.push_back(std::log10(*value));
  }
  if (logarithms.size() == values.size() && largest_gap(logarithms) < largest_gap(values)) return {"log10 of " + s.key, logarithms};
  return {s.key, values};
}

}  // namespace tyto::result
