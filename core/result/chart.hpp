#pragma once
/// Charts as inline SVG: lines, grouped bars, heat maps. They depend on nothing but the style sheet and the pointer script of the
/// report template, work without the script, and hold no more numbers than can be seen.
#include "result/scale.hpp"
#include <cstdint>
#include <string>
#include <vector>

namespace tyto::result {

/// Lines beyond the eighth repeat the colours, dashed.
inline constexpr int color_count = 8;
/// "f1" .. "f8" fill with the colour of component r (from 0), "l1" .. "l8" draw a line in it.
std::string fill_class(std::int64_t r);
std::string line_class(std::int64_t r);

struct Series {
  std::string name = {};
  std::vector<double> values = {};  ///< at first, first + 1, ...; gaps where not finite, or not positive on a logarithmic axis
  std::int64_t color = 0;
  bool faint = false;     ///< drawn thin and grey, behind the others
  std::string mark = {};  ///< written at the entry of largest magnitude
};

struct LineChart {
  std::vector<Series> series = {};
  std::string index_name = {}, x_label = {},
              alternative = {};        ///< what the index counts; the label of the axis; text for readers of the page's source
  double first = 0;                    ///< index of the first value
  std::vector<double> positions = {};  ///< where the values stand on the horizontal axis, ascending; empty: at their indices
  bool logarithmic = false, with_zero = false;
  bool has_points = false;          ///< each value has a dot
  int width = 944, height = 280;    ///< in px at full size
  std::int64_t most_points = 2000;  ///< of one line; longer ones keep the extremes of each stretch
};

/// Empty where there is no point to draw.
std::string line_chart(const LineChart&);

/// Positions of the values to draw, ascending: all of them, or the least and greatest of each of most/2 stretches.
std::vector<std::int64_t> drawn_positions(const std::vector<double>& values, std::int64_t most);

struct BarChart {
  std::vector<Series> series = {};  ///< one bar of each in every group
  std::string index_name = {}, x_label = {}, alternative = {};
  int width = 560, height = 260;
};
std::string bar_chart(const BarChart&);

/// Horizontal bars, one a row, each with its own colour, from zero; `texts` stand at their ends.
struct RowChart {
  std::vector<std::string> names = {}, texts = {};
  std::vector<double> values = {};
  std::string alternative = {};
  int width = 560;
};
std::string row_chart(const RowChart&);

/// Cells of a row-major matrix, coloured by sign and magnitude. `rows` and `columns` name the axes.
struct HeatMap {
  std::vector<double> values = {};
  std::int64_t row_count = 0, column_count = 0;
  std::string rows = {}, columns = {}, alternative = {};
  int width = 560;
};
std::string heat_map(const HeatMap&);

}  // namespace tyto::result
