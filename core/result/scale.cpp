// Ranges and round ticks.
#include "result/scale.hpp"
#include "result/notation.hpp"
#include <algorithm>
#include <cmath>

namespace tyto::result {
namespace {

/// The smallest of 1, 2, 5 times a power of ten that is at least `step`.
double round_step(double step) {
  const double power = std::pow(10, std::floor(std::log10(step)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= step * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

/// A range whose ends differ enough to divide by.
void widen(double& low, double& high) {
  const double least = std::max(1e-12 * std::max(std::abs(low), std::abs(high)), 1e-300);
  if (high - low > least) return;
  const double margin = low == 0 && high == 0 ? 1 : std::max(0.1 * std::abs(low), least);
  low -= margin;
  high += margin;
}

void add_ticks(Scale& scale, double step) {
  for (double n = std::ceil(scale.low / step - 1e-9); n * step <= scale.high + 1e-9 * step; ++n)
    scale.ticks.push_back({n * step, n == 0 ? "0" : written(n * step)});
}

/// Less than half a decade is nearly linear.
void add_round_ticks(Scale& scale) {
  Scale linear;
  linear.low = std::pow(10, scale.low);
  linear.high = std::pow(10, scale.high);
  add_ticks(linear, round_step((linear.high - linear.low) / 5));
  for (const Tick& tick : linear.ticks) scale.ticks.push_back({std::log10(tick.at), tick.label});
}

void add_decade_ticks(Scale& scale) {
  const int first = static_cast<int>(std::floor(scale.low)), last = static_cast<int>(std::ceil(scale.high));
  const int stride = std::max(1, (last - first + 6) / 7);
  const bool is_short = scale.high - scale.low <= 2.2;
  for (int decade = first; decade <= last; ++decade)
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double at = decade + std::log10(factor);
      if (at < scale.low || at > scale.high || (!is_short && (factor != 1 || decade % stride != 0))) continue;
      const bool plain = is_short || (decade >= -2 && decade <= 3);
      scale.ticks.push_back({at, plain ? written(factor * std::pow(10, decade)) : power_of_ten(decade)});
    }
}

}  // namespace

Scale linear_scale(double lowest, double highest, int count, bool with_zero, double margin_share) {
  const double range = highest - lowest;
  if (with_zero || (lowest > 0 && lowest < range)) lowest = std::min(lowest, 0.0);
  if (with_zero || (highest < 0 && -highest < range)) highest = std::max(highest, 0.0);
  widen(lowest, highest);
  const double margin = margin_share * (highest - lowest);
  Scale scale;
  scale.low = lowest == 0 ? 0 : lowest - margin;
  scale.high = highest == 0 ? 0 : highest + margin;
  add_ticks(scale, round_step((scale.high - scale.low) / count));
  return scale;
}

Scale logarithmic_scale(double lowest, double highest) {
  const double low = std::log10(lowest), high = std::log10(highest), margin = std::max(0.05 * (high - low), 0.01);
  Scale scale;
  scale.logarithmic = true;
  scale.low = low - margin;
  scale.high = high + margin;
  high - low < 0.5 ? add_round_ticks(scale) : add_decade_ticks(scale);
  return scale;
}

Scale index_scale(double first, double last, int count) {
  Scale scale;
  scale.low = first == last ? first - 0.5 : first;
  scale.high = first == last ? last + 0.5 : last;
  add_ticks(scale, std::max(1.0, round_step((scale.high - scale.low) / count)));
  return scale;
}

Scale position_scale(double first, double last, int count) {
  Scale scale;
  scale.low = first, scale.high = last;
  widen(scale.low, scale.high);
  add_ticks(scale, round_step((scale.high - scale.low) / count));
  return scale;
}

}  // namespace tyto::result
