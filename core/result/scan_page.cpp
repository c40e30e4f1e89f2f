// scan.html: the table of a scan and its charts.
#include "result/chart.hpp"
#include "result/names.hpp"
#include "result/notation.hpp"
#include "result/scan.hpp"
#include "result/sections.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tyto::result {
namespace {

struct Chart {
  std::string name, svg;
  bool is_logarithmic = false;
};

/// Points by position: a scan may go down, an axis goes up.
std::vector<std::size_t> ascending(const std::vector<double>& positions) {
  std::vector<std::size_t> order(positions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return positions[a] < positions[b]; });
  return order;
}

std::string chart_of(const ScanAxis& axis, const std::string& name, const std::vector<double>& positions,
                     std::vector<Series> series, bool is_logarithmic) {
  const std::vector<std::size_t> order = ascending(positions);
  LineChart chart{.index_name = axis.name, .x_label = axis.name, .alternative = name + " by " + axis.name};
  for (const std::size_t k : order) chart.positions.push_back(positions[k]);
  for (Series& s : series) {
    const std::vector<double> values = std::move(s.values);
    s.values.clear();
    for (const std::size_t k : order) s.values.push_back(values[k]);
  }
  chart.series = std::move(series);
  chart.logarithmic = is_logarithmic, chart.has_points = positions.size() <= 100;
  chart.width = 458, chart.height = 270;
  return line_chart(chart);
}

Chart column_chart(const ScanAxis& axis, const ScanColumn& column) {
  std::vector<double> positions = axis.positions;
  if (column.is_between) {  // of neighbours: between them
    for (std::size_t k = 0; k + 1 < positions.size(); ++k) positions[k] = (positions[k] + positions[k + 1]) / 2;
    if (!positions.empty()) positions.pop_back();
  }
  std::vector<double> values = column.values;
  values.resize(positions.size());
  const bool is_logarithmic =
      column.name == "relative error" && std::all_of(values.begin(), values.end(), [](double x) { return !(x <= 0); });
  return {column.name, chart_of(axis, column.name, positions, {{column.name, values, 0, false, ""}}, is_logarithmic),
          is_logarithmic};
}

/// Where the passes differ somewhere; else one line says it all.
Chart passes_chart(const ScanAxis& axis, const Scanned& s) {
  std::vector<double> forward, backward;
  for (const ScanPoint& point : s.points) {
    forward.push_back(point.forward.result.objective);
    backward.push_back(point.backward ? point.backward->result.objective : std::numeric_limits<double>::quiet_NaN());
  }
  return {"objective of both passes", chart_of(axis, "objective of both passes", axis.positions,
                                               {{"forward", forward, 0, false, ""}, {"backward", backward, 1, false, ""}}, false)};
}

bool is_split(const ScanPoint& point) { return point.is_split; }

std::vector<Chart> charts(const Scanned& s) {
  const ScanAxis axis = scan_axis(s);
  std::vector<Chart> all;
  for (const ScanColumn& column : shown_columns(s)) all.push_back(column_chart(axis, column));
  if (std::any_of(s.points.begin(), s.points.end(), is_split)) all.push_back(passes_chart(axis, s));
  std::erase_if(all, [](const Chart& chart) { return chart.svg.empty(); });
  return all;
}

/// Observed vectors of equal length as one matrix [entry][point], by name.
std::vector<std::pair<std::string, NamedArray>> maps(const Scanned& s) {
  std::vector<std::pair<std::string, NamedArray>> found;
  if (s.points.size() < 2) return found;
  const Result& first = s.points.front().kept().result;
  for (const std::string& name : first.observed) {
    const NamedArray* a = find_array(first, name);
    if (a == nullptr || a->extents.size() != 1 || a->extents[0] < 2) continue;
    const bool all = std::all_of(s.points.begin(), s.points.end(), [&](const ScanPoint& point) {
      const NamedArray* other = find_array(point.kept().result, name);
      return other != nullptr && other->extents == a->extents;
    });
    if (!all) continue;
    const auto points = static_cast<std::int64_t>(s.points.size());
    NamedArray map{{a->extents[0], points}, {a->labels.empty() ? "entry" : a->labels[0], "value of " + s.key}, {}};
    for (std::size_t n = 0; n < a->values.size(); ++n)
      for (const ScanPoint& point : s.points) map.values.push_back(find_array(point.kept().result, name)->values[n]);
    found.emplace_back(name, std::move(map));
  }
  return found;
}

std::string cell(double value) {
  return "<td class=\"number\">" + (std::isnan(value) ? std::string() : fmt::format("{:.8g}", value)) + "</td>";
}

std::string table(const ScanRecord& record) {
  const Scanned& s = record.scanned;
  const std::vector<ScanColumn> columns = scan_columns(s);
  const bool two_passes = s.has_neighbour_starts();
  std::string out = fmt::format("<div class=\"scroll\"><table>\n<tr><th>{}</th>", escaped(s.key));
  for (const ScanColumn& column : columns)
    out += fmt::format("<th class=\"number\">{}</th>", escaped(column.is_between ? column.name + " with next" : column.name));
  out += fmt::format("<th class=\"number\">sweeps</th><th>status</th>{}</tr>\n", two_passes ? "<th>pass</th>" : "");
  for (std::size_t k = 0; k < s.points.size(); ++k) {
    const ScanPoint& point = s.points[k];
    const ScanRun& kept = point.kept();
    const std::string value = escaped(point.value());
    out += fmt::format("<tr><th scope=\"row\">{}</th>",
                       record.has_reports ? fmt::format("<a href=\"{}/report.html\">{}</a>", escaped(kept.folder), value) : value);
    for (const ScanColumn& column : columns) out += cell(column.values[k]);
    out += fmt::format("<td class=\"number\">{}</td><td>{}</td>", kept.result.sweeps, status_name(kept.result.outcome.stop));
    if (two_passes)
      out += fmt::format("<td>{}{}</td>", kept.pass == ScanPass::forward ? "forward" : "backward",
                         point.is_split ? ", the other one ended higher" : "");
    out += "</tr>\n";
  }
  return out + "</table></div>\n";
}

std::string status(const ScanRecord& record) {
  const Scanned& s = record.scanned;
  const bool is_done = record.status == "done";
  const std::string runs = fmt::format("{} of {}", s.points.size(), counted(s.wanted, "value"));
  std::string out = fmt::format("<p class=\"status {}\"><b>{}</b>: {}.</p>\n",
                                is_done                     ? "good"
                                : record.status == "failed" ? "bad"
                                                            : "fair",
                                is_done                          ? "Done"
                                : record.status == "interrupted" ? "Interrupted"
                                                                 : "Failed",
                                runs);
  if (!record.reason.empty()) out += "<pre>" + escaped(record.reason) + "</pre>\n";
  if (s.has_neighbour_starts())
    out +=
        "<p class=\"note\">Runs started from the results of their neighbours, forward through the values and back; of both runs of "
        "a "
        "value the one with the lower objective is shown.</p>\n";
  if (!s.why_apart.empty())
    out += "<p class=\"note\">" +
           escaped(fmt::format("{} started as the run file says: {}.", s.has_neighbour_starts() ? "Some runs" : "Each run",
                               s.why_apart)) +
           "</p>\n";
  const auto split = std::count_if(s.points.begin(), s.points.end(), is_split);
  if (split > 0)
    out += fmt::format(
        "<div class=\"warnings\"><b>Please note</b><ul><li>At {} both passes end at different objectives: a transition of "
        "first order, or a local minimum.</li></ul></div>\n",
        counted(split, "value"));
  return out;
}

}  // namespace

std::vector<Plot> scan_plots(const ScanRecord& record) {
  std::vector<std::string> names;
  const std::vector<Chart> all = charts(record.scanned);
  for (const Chart& chart : all) names.push_back(chart.name);
  const std::vector<std::string> files = array_files("plots", names, ".svg");
  std::vector<Plot> drawn;
  for (std::size_t n = 0; n < all.size(); ++n)
    drawn.push_back({files[n], standalone(all[n].svg, all[n].name + (all[n].is_logarithmic ? " (logarithmic)" : ""))});
  return drawn;
}

std::string scan_html(const ScanRecord& record) {
  const Scanned& s = record.scanned;
  const std::string title = "Scan of " + s.key;
  std::string body = fmt::format("<p class=\"kicker\">{}</p>\n<h1>{}</h1>\n", escaped(record.algorithm), escaped(title));
  body += fmt::format("<p class=\"note\">{}</p>\n", escaped(record.source)) + status(record);
  const std::vector<Chart> drawn = charts(s);
  if (!drawn.empty()) body += "<h2>Charts</h2>\n<div class=\"halves\">\n";
  for (const Chart& chart : drawn)
    body += fmt::format("<div><h3>{}{}</h3>\n{}</div>\n", escaped(chart.name),
                        chart.is_logarithmic ? " <span class=\"note\">(logarithmic)</span>" : "", figure(chart.svg));
  if (!drawn.empty()) body += "</div>\n";
  body += "<h2>Values</h2>\n" + table(record);
  for (const auto& [name, array] : maps(s))
    if (const std::string svg = picture(name, array); !svg.empty())
      body += fmt::format("<section><h3>{}</h3>\n{}</section>\n", escaped(name), figure(svg));
  body += fmt::format("<footer>Made by tyto {} on {}.</footer>\n", escaped(record.tyto_version), escaped(record.started_at));
  return page(title, body);
}

}  // namespace tyto::result
