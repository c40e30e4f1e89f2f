// How the run got there: the error of every start by sweep, and a table of the starts.
#include "result/sections.hpp"
#include "result/chart.hpp"
#include "result/notation.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace tyto::result {
namespace {

constexpr std::size_t most_starts = 50;  ///< further ones are left out of charts and table, the best never

using Quantity = double (*)(const Progress&);

/// One line per start, the best in colour; sweeps that are missing are gaps.
std::vector<Series> by_start(const Result& result, Quantity quantity) {
  std::map<int, std::vector<double>> values;
  for (const Progress& p : result.history) {
    if (p.sweep < 1 || (values.size() >= most_starts && !values.count(p.start) && p.start != result.best_start)) continue;
    std::vector<double>& line = values[p.start];
    line.resize(static_cast<std::size_t>(std::max<std::int64_t>(p.sweep, static_cast<std::int64_t>(line.size()))),
                std::numeric_limits<double>::quiet_NaN());
    line[static_cast<std::size_t>(p.sweep - 1)] = quantity(p);
  }
  std::vector<Series> series;
  for (auto& [start, line] : values) {
    const bool best = start == result.best_start;
    std::string name = values.size() == 1 ? "" : fmt::format("start {}{}", start + 1, best ? ", the best" : "");
    series.push_back({name, std::move(line), 0, !best, ""});
  }
  return series;
}

std::string convergence_chart(const Record& record, Quantity quantity, const std::string& name, bool logarithmic) {
  LineChart chart;
  chart.series = by_start(record.result, quantity);
  for (Series& s : chart.series)
    if (s.name.empty()) s.name = name;
  chart.index_name = "sweep";
  chart.x_label = "sweep";
  chart.alternative = name + " by sweep";
  chart.first = 1;
  chart.logarithmic = logarithmic;
  chart.width = 458;
  chart.height = 290;
  chart.most_points = std::min<std::int64_t>(1000, points_per_line(2 * static_cast<std::int64_t>(chart.series.size())));
  return line_chart(chart);
}

/// A chart with its heading, or nothing.
std::string half(const std::string& svg, const std::string& name, bool logarithmic) {
  if (svg.empty()) return {};
  return fmt::format("<div><h3>{}{}</h3>\n{}</div>\n", escaped(name),
                     logarithmic ? " <span class=\"note\">(logarithmic)</span>" : "", figure(svg));
}

double relative_error_of(const Progress& p) { return p.relative_error; }
double objective_of(const Progress& p) { return p.objective; }
/// There is no change before the second sweep.
double change_of(const Progress& p) { return p.sweep > 1 ? std::abs(p.change) : 0; }

std::string starts_table(const Record& record) {
  if (record.starts.size() < 2) return {};
  const bool has_error = record.result.relative_error >= 0;
  std::string out = fmt::format(
      "<h3>Starts</h3>\n<div class=\"scroll\"><table>\n<tr><th>Start</th><th class=\"number\">{}</th>"
      "<th class=\"number\">Sweeps</th><th>Ended because</th></tr>\n",
      has_error ? "Relative error" : "Objective");
  std::size_t shown = 0;
  for (const StartSummary& s : record.starts) {
    const bool best = s.start == record.result.best_start;
    if (++shown > most_starts && !best) continue;
    out +=
        fmt::format("<tr{}><td>{}{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"wide\">{}</td></tr>\n",
                    best ? " class=\"best\"" : "", s.start + 1, best ? ", the best" : "",
                    has_error ? fmt::format("{:.8f}", s.relative_error) : fmt::format("{:.10g}", s.objective), s.sweeps,
                    escaped(s.outcome.reason.empty() ? status_name(s.outcome.stop) : s.outcome.reason));
  }
  out += "</table></div>\n";
  if (record.starts.size() > most_starts) out += fmt::format("<p class=\"note\">{} starts in all.</p>\n", record.starts.size());
  return out;
}

}  // namespace

std::string error_chart(const Record& record) {
  return record.result.relative_error >= 0 ? convergence_chart(record, relative_error_of, "Relative error", true)
                                           : convergence_chart(record, objective_of, "Objective", false);
}

std::string change_chart(const Record& record) {
  return convergence_chart(record, change_of, "Relative change of the objective", true);
}

std::string convergence_section(const Record& record) {
  const Result& result = record.result;
  std::string out = "<h2>Convergence</h2>\n";
  if (result.history.empty()) return out + "<p>No sweep was completed.</p>\n";
  const bool has_error = result.relative_error >= 0;
  const std::string left = half(error_chart(record), has_error ? "Relative error" : "Objective", has_error);
  const std::string right = half(change_chart(record), "Relative change of the objective", true);
  if (left.empty()) out += "<p>The relative error is 0 from the first sweep on: there is nothing to draw.</p>\n";
  out += "<div class=\"halves\">\n" + left + right + "</div>\n";
  if (record.starts.size() > 1) out += "<p class=\"note\">The start with the lowest objective in colour, the others in grey.</p>\n";
  return out + starts_table(record);
}

}  // namespace tyto::result
