// Results of any kind: a picture where an array is small enough to be seen, and a table of all of them.
#include "result/sections.hpp"
#include "result/chart.hpp"
#include "result/notation.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cmath>

namespace tyto::result {
namespace {

constexpr std::int64_t most_pictures = 24;
constexpr std::int64_t most_cells = 1600;  ///< of a heat map
constexpr std::int64_t most_lines = 8;

double norm_of(const NamedArray& a) {
  double largest = 0, sum = 0;
  for (const double v : a.values) largest = std::max(largest, std::abs(v));
  if (largest == 0 || !std::isfinite(largest)) return largest;
  for (const double v : a.values) sum += v / largest * (v / largest);
  return largest * std::sqrt(sum);
}

std::string axes(const NamedArray& a) { return a.labels.empty() ? std::string() : fmt::format("({})", fmt::join(a.labels, ", ")); }

std::string label_of(const NamedArray& a, std::size_t n) {
  return n < a.labels.size() ? mode_name(a.labels[n]) : fmt::format("axis {}", n);
}

std::string table(const Result& result, const std::vector<std::string>& names) {
  std::string out =
      "<div class=\"scroll\"><table>\n<tr><th>Name</th><th>Axes</th><th>Shape</th><th class=\"number\">Value or norm</th></tr>\n";
  for (const std::string& name : names) {
    const NamedArray* a = find_array(result, name);
    if (!a) continue;
    const bool scalar = a->extents.empty() && a->values.size() == 1;
    out +=
        fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td class=\"number\">{}</td></tr>\n", escaped(name),
                    escaped(axes(*a)), written(a->extents), scalar ? fmt::format("{:.12g}", a->values[0]) : written(norm_of(*a)));
  }
  return out + "</table></div>\n";
}

std::string vector_picture(const std::string& name, const NamedArray& a) {
  const std::string label = label_of(a, 0) + ", entries counted from 0";
  if (a.extents[0] <= 12) return bar_chart({{{name, a.values, 0, false, ""}}, label_of(a, 0), label, name});
  LineChart chart{{{name, a.values, 0, false, ""}}, label_of(a, 0), label, name};
  chart.height = 230;
  return line_chart(chart);
}

std::string columns_picture(const std::string& name, const NamedArray& a) {
  LineChart chart{{}, label_of(a, 0), label_of(a, 0) + ", entries counted from 0", name};
  for (std::int64_t r = 0; r < a.extents[1]; ++r) {
    Series s{fmt::format("{} {}", label_of(a, 1), r), {}, r, false, fmt::format("{}", r)};
    for (std::int64_t i = 0; i < a.extents[0]; ++i) s.values.push_back(a.values[static_cast<std::size_t>(i * a.extents[1] + r)]);
    chart.series.push_back(s);
  }
  chart.most_points = 500;
  return line_chart(chart);
}

/// Long matrices of few columns are lines instead.
bool is_heat_map(const NamedArray& a) {
  if (a.extents.size() != 2) return false;
  const std::int64_t rows = a.extents[0], columns = a.extents[1];
  return (columns > most_lines || rows <= 12) && rows <= 400 && columns <= 64 && rows * columns <= most_cells;
}

}  // namespace

std::string picture(const std::string& name, const NamedArray& a) {
  if (element_count(a.extents) != static_cast<std::int64_t>(a.values.size()) || a.values.empty()) return {};
  if (a.extents.size() == 1 && a.extents[0] > 1) return vector_picture(name, a);
  if (a.extents.size() != 2) return {};
  if (is_heat_map(a)) return heat_map({a.values, a.extents[0], a.extents[1], label_of(a, 0), label_of(a, 1), name});
  return a.extents[1] <= most_lines ? columns_picture(name, a) : "";
}

std::string values_section(const Record& record, const std::vector<std::string>& names, const std::string& heading) {
  const bool any =
      std::any_of(names.begin(), names.end(), [&](const std::string& name) { return find_array(record.result, name); });
  if (!any) return {};
  std::string out = fmt::format("<h2>{}</h2>\n", heading) + table(record.result, names);
  std::int64_t pictures = 0;
  for (const std::string& name : names) {
    const NamedArray* a = find_array(record.result, name);
    const std::string svg = a && pictures < most_pictures ? picture(name, *a) : "";
    if (svg.empty()) continue;
    ++pictures;
    out += fmt::format(
        "<section><h3>{}</h3>\n<p class=\"note\">{}</p>\n{}</section>\n", escaped(name), escaped(axes(*a)),
        figure(svg, is_heat_map(*a) ? "Blue is positive, orange negative; the strongest colour is the largest magnitude." : ""));
  }
  return out;
}

}  // namespace tyto::result
