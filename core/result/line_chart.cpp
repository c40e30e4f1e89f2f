// Line charts.
#include "result/chart.hpp"
#include "result/notation.hpp"
#include "result/svg.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>

namespace tyto::result {
namespace {

double value_at(const Series& s, std::int64_t i) { return s.values[static_cast<std::size_t>(i)]; }

double position(const LineChart& chart, std::int64_t i) {
  return chart.positions.empty() ? chart.first + static_cast<double>(i) : chart.positions[static_cast<std::size_t>(i)];
}

bool can_be_drawn(double value, bool logarithmic) { return std::isfinite(value) && (!logarithmic || value > 0); }

/// The common range of all values that can be drawn; low > high if there are none.
struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  std::int64_t length = 0;
};

Range range_of(const LineChart& chart) {
  Range range;
  for (const Series& s : chart.series)
    for (std::size_t i = 0; i < s.values.size(); ++i) {
      if (!can_be_drawn(s.values[i], chart.logarithmic)) continue;
      range.low = std::min(range.low, s.values[i]);
      range.high = std::max(range.high, s.values[i]);
      range.length = std::max(range.length, static_cast<std::int64_t>(i) + 1);
    }
  return range;
}

/// A value between 0 and 1 on the scale: browsers compute in single precision, so lines are kept in small numbers.
double unit(double value, const Scale& scale) {
  return ((scale.logarithmic ? std::log10(value) : value) - scale.low) / (scale.high - scale.low);
}

struct Frame {
  PlotArea area;
  Scale horizontal, vertical;
};

std::string polyline(const LineChart& chart, const Series& s, const Frame& frame) {
  std::string points;
  for (const std::int64_t i : drawn_positions(s.values, chart.most_points))
    if (const double value = value_at(s, i); can_be_drawn(value, chart.logarithmic))
      points += fmt::format("{}{:.10g},{:.5g}", points.empty() ? "" : " ", position(chart, i),
                            std::round(1e5 * unit(value, frame.vertical)) / 1e5);
  if (points.empty()) return {};
  const PlotArea& a = frame.area;
  const double step = a.x(1, frame.horizontal) - a.x(0, frame.horizontal);
  return fmt::format(
      "<polyline class=\"{}\" data-name=\"{}\" data-swatch=\"{}\" transform=\"matrix({:.8g} 0 0 {:.8g} {:.8g} {:.8g})\" "
      "points=\"{}\"/>\n",
      s.faint ? "faint" : line_class(s.color), escaped(s.name), s.faint ? "faint" : fill_class(s.color), step, a.top - a.bottom,
      a.x(0, frame.horizontal), a.bottom, points);
}

/// A single point makes no line.
std::string dots(const LineChart& chart, const Series& s, const Frame& frame) {
  std::vector<std::int64_t> drawn;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(s.values.size()); ++i)
    if (can_be_drawn(value_at(s, i), chart.logarithmic)) drawn.push_back(i);
  if (drawn.size() != 1 && !chart.has_points) return {};
  std::string out;
  for (const std::int64_t i : drawn)
    out += fmt::format("<circle class=\"point {}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>\n",
                       s.faint ? "faint" : fill_class(s.color), frame.area.x(position(chart, i), frame.horizontal),
                       frame.area.bottom - unit(value_at(s, i), frame.vertical) * (frame.area.bottom - frame.area.top),
                       drawn.size() == 1 ? 5 : 3.5);
  return out;
}

/// Marks stand just outside the line's extreme and move up until they hide no other mark.
std::string marks(const LineChart& chart, const Frame& frame) {
  struct Place {
    double x, y;
  };
  std::vector<Place> taken;
  std::string out;
  for (const Series& s : chart.series) {
    if (s.mark.empty()) continue;
    std::int64_t best = -1;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(s.values.size()); ++i)
      if (std::isfinite(value_at(s, i)) && (best < 0 || std::abs(value_at(s, i)) > std::abs(value_at(s, best)))) best = i;
    if (best < 0 || value_at(s, best) == 0) continue;
    const bool below = value_at(s, best) < 0;
    Place p{frame.area.x(position(chart, best), frame.horizontal), frame.area.y(value_at(s, best), frame.vertical)};
    p.x = std::clamp(p.x, frame.area.left + 8, frame.area.right - 8);
    p.y = below ? p.y + 17 : p.y - 7;
    const auto collides = [&](const Place& q) { return std::abs(p.x - q.x) < 14 && std::abs(p.y - q.y) < 14; };
    for (int tries = 0; tries < 16 && std::any_of(taken.begin(), taken.end(), collides); ++tries) p.x += 15;
    taken.push_back(p);
    out += svg_text(p.x, p.y, "middle", "peak " + fill_class(s.color), s.mark);
  }
  return out;
}

std::string pointer_attributes(const LineChart& chart, const Frame& frame) {
  const PlotArea& a = frame.area;
  return fmt::format(
      " data-lines=\"1\" data-name=\"{}\" data-left=\"{:.1f}\" data-right=\"{:.1f}\" data-x=\"{:.8g}\" data-step=\"{:.8g}\" "
      "data-offset=\"{:.12g}\" data-scale=\"{:.12g}\"{}",
      escaped(chart.index_name), a.left, a.right, a.x(0, frame.horizontal), a.x(1, frame.horizontal) - a.x(0, frame.horizontal),
      frame.vertical.low, frame.vertical.high - frame.vertical.low, chart.logarithmic ? " data-log=\"1\" data-exact=\"1\"" : "");
}

}  // namespace

std::string fill_class(std::int64_t r) { return fmt::format("f{}", r % color_count + 1); }
std::string line_class(std::int64_t r) {
  return fmt::format("l{}{}", r % color_count + 1, r / color_count % 2 == 1 ? " dashed" : "");
}

std::vector<std::int64_t> drawn_positions(const std::vector<double>& values, std::int64_t most) {
  const auto size = static_cast<std::int64_t>(values.size());
  std::vector<std::int64_t> positions;
  const std::int64_t stretches = size <= most ? size : std::max<std::int64_t>(1, most / 2);
  for (std::int64_t k = 0; k < stretches; ++k) {
    const auto begin =
        static_cast<std::int64_t>(static_cast<double>(k) * static_cast<double>(size) / static_cast<double>(stretches));
    const auto end =
        static_cast<std::int64_t>(static_cast<double>(k + 1) * static_cast<double>(size) / static_cast<double>(stretches));
    const auto [least, greatest] = std::minmax_element(values.begin() + begin, values.begin() + std::max(end, begin + 1));
    const std::int64_t low = least - values.begin(), high = greatest - values.begin();
    positions.push_back(std::min(low, high));
    if (low != high) positions.push_back(std::max(low, high));
  }
  return positions;
}

std::string line_chart(const LineChart& chart) {
  const Range range = range_of(chart);
  if (range.length == 0) return {};
  Frame frame;
  const bool marked = std::any_of(chart.series.begin(), chart.series.end(), [](const Series& s) { return !s.mark.empty(); });
  frame.vertical = chart.logarithmic ? logarithmic_scale(range.low, range.high)
                                     : linear_scale(range.low, range.high, 5, chart.with_zero, marked ? 0.1 : 0.06);
  frame.horizontal = chart.positions.empty() ? index_scale(chart.first, position(chart, range.length - 1), chart.width / 80)
                                             : position_scale(chart.positions.front(), chart.positions.back(), chart.width / 80);
  frame.area = plot_area(chart.width, chart.height, frame.vertical);
  std::string out = svg_start(chart.width, chart.height, chart.alternative, pointer_attributes(chart, frame));
  const PlotArea& a = frame.area;
  out += fmt::format("<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n", a.left, a.top,
                     a.right - a.left, a.bottom - a.top);
  out += vertical_axis(a, frame.vertical) + horizontal_axis(a, frame.horizontal, chart.x_label);
  for (const bool faint : {true, false})
    for (const Series& s : chart.series)
      if (s.faint == faint) out += polyline(chart, s, frame) + dots(chart, s, frame);
  out += marks(chart, frame) + svg_line(0, a.top, 0, a.bottom, "cursor");
  return out + "</svg>\n";
}

}  // namespace tyto::result
