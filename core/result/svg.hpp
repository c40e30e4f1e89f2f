#pragma once
/// What the charts share: the plotting area in an SVG image, axes and grid.
#include "result/scale.hpp"
#include <string>

namespace tyto::result {

/// The area between the axes, in px of the image; y grows downwards.
struct PlotArea {
  double left = 0, right = 0, top = 0, bottom = 0;
  double x(double value, const Scale& s) const { return left + (value - s.low) / (s.high - s.low) * (right - left); }
  double y(double value, const Scale& s) const { return bottom - (value - s.low) / (s.high - s.low) * (bottom - top); }
};

/// Leaves room at the left for the longest tick label and below for labels and the name of the axis.
PlotArea plot_area(int width, int height, const Scale& vertical);
/// Opens the element; `attributes` are added to it as given, `alternative` is read to those who cannot see it.
std::string svg_start(int width, int height, const std::string& alternative, const std::string& attributes);
std::string vertical_axis(const PlotArea&, const Scale&);                              ///< grid lines and labels
std::string horizontal_axis(const PlotArea&, const Scale&, const std::string& label);  ///< ticks, labels and the axis' name
std::string svg_text(double x, double y, const std::string& anchor, const std::string& classes, const std::string& text);
std::string svg_line(double x1, double y1, double x2, double y2, const std::string& classes);

}  // namespace tyto::result
