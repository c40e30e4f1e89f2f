#pragma once
/// The scale of one axis of a chart: its range and its ticks.
#include <string>
#include <vector>

namespace tyto::result {

struct Tick {
  double at = 0;  ///< in the units of the scale: a power of ten on a logarithmic one
  std::string label = {};
};

/// `low` < `high`, both finite; on a logarithmic scale they are powers of ten.
struct Scale {
  double low = 0, high = 1;
  bool logarithmic = false;
  std::vector<Tick> ticks = {};
};

/// Covers the values with a margin, a share of the range, and zero where it is near or `with_zero` asks for it; about `count` round
/// ticks.
Scale linear_scale(double lowest, double highest, int count, bool with_zero, double margin = 0.06);
/// Covers positive values; ticks at round numbers within half a decade, at 1, 2, 5 within two, else at powers of ten.
Scale logarithmic_scale(double lowest, double highest);
/// Whole numbers from first to last, no margin: for sweeps and for entries of a mode.
Scale index_scale(double first, double last, int count);
/// The same for positions that need not be whole.
Scale position_scale(double first, double last, int count);

}  // namespace tyto::result
