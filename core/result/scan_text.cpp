// A scan as a person reads it at the terminal, and which run of a value is kept.
#include "result/scan.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace tyto::inline v1 {
namespace {

using Row = std::vector<std::string>;

std::string aligned(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const Row& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t k = 0; k < row.size(); ++k)
      line += k == 0 ? fmt::format("{:<{}}", row[k], widths[k]) : fmt::format("  {:>{}}", row[k], widths[k]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string values_where_split(const Scanned& s) {
  std::string text;
  for (const ScanPoint& point : s.points)
    if (point.is_split) text += (text.empty() ? "" : ", ") + point.value();
  return text;
}

bool has_failed(const ScanRun& run) { return run.result.outcome.stop == Stop::failed || std::isnan(run.result.objective); }

}  // namespace

const ScanRun& ScanPoint::kept() const {
  if (!backward || has_failed(*backward)) return forward;
  return has_failed(forward) || backward->result.objective < forward.result.objective ? *backward : forward;
}

bool Scanned::has_neighbour_starts() const {
  return std::any_of(points.begin(), points.end(), [](const ScanPoint& point) {
    return !point.forward.start.empty() || (point.backward && !point.backward->start.empty());
  });
}

std::string Scanned::text() const {
  const std::vector<result::ScanColumn> columns = result::shown_columns(*this);
  std::vector<Row> rows(1, Row{key});
  for (const result::ScanColumn& column : columns)
    rows.front().push_back(column.is_between ? column.name + " with next" : column.name);
  rows.front().emplace_back("sweeps");
  rows.front().emplace_back("");
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Result& r = points[k].kept().result;
    Row row{points[k].value()};
    for (const result::ScanColumn& column : columns)
      row.push_back(std::isnan(column.values[k]) ? ""
                                                 : fmt::format("{:.{}g}", column.values[k], column.name == "objective" ? 12 : 7));
    row.push_back(fmt::format("{}", r.sweeps));
    row.emplace_back(r.outcome.stop == Stop::converged ? "" : result::status_name(r.outcome.stop));
    rows.push_back(std::move(row));
  }
  std::string out = aligned(rows) + "\n";
  if (!why_apart.empty())
    out += fmt::format("{} started as the run file says: {}\n", has_neighbour_starts() ? "some runs" : "each run", why_apart);
  const std::string split = values_where_split(*this);
  if (!split.empty())
    out += fmt::format("both passes end at different objectives at {}: a transition of first order, or a local minimum\n", split);
  else if (has_neighbour_starts() && !is_interrupted) out += "both passes end at the same objectives\n";
  return out;
}

}  // namespace tyto::inline v1
