// Grouped bars, rows of bars and heat maps.
#include "result/chart.hpp"
#include "result/notation.hpp"
#include "result/svg.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace tyto::result {
namespace {

std::string bar(double x, double y, double width, double height, const std::string& classes, const std::string& tip, double value) {
  return fmt::format(
      "<rect class=\"{0}\" x=\"{1:.2f}\" y=\"{2:.2f}\" width=\"{3:.2f}\" height=\"{4:.2f}\" rx=\"{5}\" data-swatch=\"{0}\" "
      "data-tip=\"{6}\" data-value=\"{7}\"/>\n",
      classes, x, y, width, height, std::min(1.5, width / 4), escaped(tip), written(value));
}

double finite(double value) { return std::isfinite(value) ? value : 0; }

}  // namespace

std::string bar_chart(const BarChart& chart) {
  std::int64_t groups = 0;
  double low = 0, high = 0;
  for (const Series& s : chart.series) {
    groups = std::max(groups, static_cast<std::int64_t>(s.values.size()));
    for (const double v : s.values) {
      low = std::min(low, finite(v));
      high = std::max(high, finite(v));
    }
  }
  if (groups == 0) return {};
  const Scale vertical = linear_scale(low, high, 5, true);
  const PlotArea area = plot_area(chart.width, chart.height, vertical);
  const double group = (area.right - area.left) / static_cast<double>(groups);
  const double width = std::min(34.0, 0.78 * group / static_cast<double>(chart.series.size()));
  std::string out = svg_start(chart.width, chart.height, chart.alternative, "") + vertical_axis(area, vertical);
  Scale positions{-0.5, static_cast<double>(groups) - 0.5, false, {}};
  for (std::int64_t i = 0; i < groups; ++i) positions.ticks.push_back({static_cast<double>(i), fmt::format("{}", i)});
  out += horizontal_axis(area, positions, chart.x_label);
  for (std::size_t r = 0; r < chart.series.size(); ++r) {
    const Series& s = chart.series[r];
    for (std::size_t i = 0; i < s.values.size(); ++i) {
      const double center = area.x(static_cast<double>(i), positions);
      const double x = center + (static_cast<double>(r) - static_cast<double>(chart.series.size()) / 2) * width;
      const double y0 = area.y(0, vertical), y1 = area.y(finite(s.values[i]), vertical);
      out += bar(x + 0.04 * width, std::min(y0, y1), 0.92 * width, std::abs(y1 - y0), fill_class(s.color),
                 fmt::format("{} {}, {}", chart.index_name, i, s.name), s.values[i]);
    }
  }
  return out + "</svg>\n";
}

std::string row_chart(const RowChart& chart) {
  if (chart.values.empty()) return {};
  const double row = 30, left = 28, right = chart.width - 70.0;
  const double largest = std::max(1e-300, *std::max_element(chart.values.begin(), chart.values.end()));
  const int height = static_cast<int>(row * static_cast<double>(chart.values.size())) + 8;
  std::string out = svg_start(chart.width, height, chart.alternative, "");
  for (std::size_t r = 0; r < chart.values.size(); ++r) {
    const double y = 4 + row * static_cast<double>(r), length = std::max(1.0, chart.values[r] / largest * (right - left));
    out += svg_text(left - 12, y + 19, "end", "value", fmt::format("{}", r + 1));
    out += bar(left, y + 4, length, row - 8, fill_class(static_cast<std::int64_t>(r)), chart.names[r], chart.values[r]);
    out += svg_text(left + length + 10, y + 19, "start", "value", chart.texts[r]);
  }
  return out + svg_line(left, 2, left, height - 2.0, "axis") + "</svg>\n";
}

std::string heat_map(const HeatMap& chart) {
  if (chart.row_count <= 0 || chart.column_count <= 0) return {};
  const double left = 62, top = 8, across = (chart.width - left - 14) / static_cast<double>(chart.column_count);
  const double cell = std::min(across, 26.0), tall = std::min(cell, 22.0);
  const double right = left + cell * static_cast<double>(chart.column_count);
  const PlotArea area{left, right, top, top + tall * static_cast<double>(chart.row_count)};
  double largest = 0;
  for (const double v : chart.values) largest = std::max(largest, std::abs(finite(v)));
  std::string out = svg_start(chart.width, static_cast<int>(area.bottom) + 46, chart.alternative, "");
  for (std::int64_t i = 0; i < chart.row_count; ++i)
    for (std::int64_t j = 0; j < chart.column_count; ++j) {
      const double v = chart.values[static_cast<std::size_t>(i * chart.column_count + j)];
      const double opacity = largest > 0 ? std::abs(finite(v)) / largest : 0;
      out += fmt::format(
          "<rect class=\"{}\" fill-opacity=\"{:.2f}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:.2f}\" "
          "data-tip=\"{}\" data-value=\"{}\"/>\n",
          v < 0 ? "f2" : "f1", opacity, left + cell * static_cast<double>(j), top + tall * static_cast<double>(i), cell, tall,
          escaped(fmt::format("{} {}, {} {}", chart.rows, i, chart.columns, j)), written(v));
    }
  const Scale columns{
      -0.5, static_cast<double>(chart.column_count) - 0.5, false,
      index_scale(0, static_cast<double>(chart.column_count - 1), std::max(2, static_cast<int>((right - left) / 40))).ticks};
  const Scale rows =
      index_scale(0, static_cast<double>(chart.row_count - 1), std::max(2, static_cast<int>((area.bottom - top) / 24)));
  for (const Tick& tick : rows.ticks)
    if (tick.at >= 0) out += svg_text(left - 8, top + tall * (tick.at + 0.5) + 4, "end", "tick", tick.label);
  out += fmt::format("<text transform=\"translate(14 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                     (area.top + area.bottom) / 2, escaped(chart.rows));
  return out + horizontal_axis(area, columns, chart.columns) + "</svg>\n";
}

}  // namespace tyto::result
