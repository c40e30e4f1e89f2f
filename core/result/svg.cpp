// Frames, axes and text of charts.
#include "result/svg.hpp"
#include "result/notation.hpp"
#include <fmt/format.h>
#include <algorithm>

namespace tyto::result {
namespace {

/// Characters, not bytes: continuation bytes of UTF-8 are not counted.
std::int64_t length_of(const std::string& text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

}  // namespace

PlotArea plot_area(int width, int height, const Scale& vertical) {
  std::int64_t longest = 2;
  for (const Tick& tick : vertical.ticks) longest = std::max(longest, length_of(tick.label));
  return {14 + 7.2 * static_cast<double>(longest), width - 14.0, 14, height - 46.0};
}

std::string svg_start(int width, int height, const std::string& alternative, const std::string& attributes) {
  return fmt::format("<svg class=\"chart\" viewBox=\"0 0 {} {}\" style=\"--width:{}px\" role=\"img\" aria-label=\"{}\"{}>\n", width,
                     height, width, escaped(alternative), attributes);
}

std::string svg_text(double x, double y, const std::string& anchor, const std::string& classes, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" class=\"{}\">{}</text>\n", x, y, anchor, classes,
                     escaped(text));
}

std::string svg_line(double x1, double y1, double x2, double y2, const std::string& classes) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n", x1, y1, x2, y2, classes);
}

std::string vertical_axis(const PlotArea& area, const Scale& scale) {
  std::string out;
  for (const Tick& tick : scale.ticks) {
    const double y = area.y(tick.at, scale);
    out += svg_line(area.left, y, area.right, y, tick.at == 0 && !scale.logarithmic ? "axis" : "grid");
    out += svg_text(area.left - 8, y + 4, "end", "tick", tick.label);
  }
  return out;
}

std::string horizontal_axis(const PlotArea& area, const Scale& scale, const std::string& label) {
  std::string out = svg_line(area.left, area.bottom, area.right, area.bottom, "axis");
  for (const Tick& tick : scale.ticks) {
    const double x = area.x(tick.at, scale);
    out += svg_line(x, area.bottom, x, area.bottom + 5, "axis");
    out += svg_text(x, area.bottom + 19, "middle", "tick", tick.label);
  }
  return out + svg_text((area.left + area.right) / 2, area.bottom + 39, "middle", "label", label);
}

}  // namespace tyto::result
