#include "session/differences.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include "error/fail.hpp"

namespace tyto::session {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Differences whose own error is larger than this part of the largest entry, or of a typical slope, show nothing.
constexpr double meaningful = 1e-3;

/// |value| as a bound: what is not a number bounds nothing.
double bound_of(double value) { return std::isfinite(value) ? std::abs(value) : infinity; }

double larger(double a, double b) { return std::isnan(a) || std::isnan(b) ? infinity : std::max(a, b); }

struct Steps {
  Numbers above, below;
};
Steps evaluated(const Line& y, double h) { return {y(h), y(-h)}; }
double central(const Steps& s, std::size_t k, double h) { return (s.above[k] - s.below[k]) / (2 * h); }

}  // namespace

std::string place_in(const Extents& extents, std::int64_t k) {
  Extents place(extents.size());
  for (std::size_t axis = extents.size(); axis-- > 0; k /= extents[axis]) place[axis] = k % extents[axis];
  return fmt::format("({})", fmt::join(place, ","));
}

double size_of_step(const Numbers& numbers) {
  double largest = 0, sum = 0;
  for (const double x : numbers) largest = larger(largest, std::abs(x));
  if (largest == 0 || !std::isfinite(largest)) return 1;
  for (const double x : numbers) sum += (x / largest) * (x / largest);
  return largest * std::sqrt(sum / static_cast<double>(numbers.size()));
}

Numbers rounding_of(const Line& y, double scale) {
  constexpr double tiny = 0x1p-16;                   // its fourth power is below eps, and it moves what is hidden by larger terms
  constexpr double variance = 1 + 16 + 36 + 16 + 1;  // of a fourth difference, in units of that of a value
  constexpr double windows = 9;
  std::array<Numbers, 13> values;
  for (std::size_t n = 0; n < values.size(); ++n) values[n] = y(static_cast<double>(n) * tiny * scale);
  Numbers rounding(values[0].size());
  double all = 0;
  for (std::size_t k = 0; k < rounding.size(); ++k) {
    double sum = 0, largest = 0;
    for (const Numbers& v : values) largest = larger(largest, std::abs(v[k]));
    for (std::size_t n = 0; n + 4 < values.size(); ++n) {
      const double fourth = values[n][k] - 4 * values[n + 1][k] + 6 * values[n + 2][k] - 4 * values[n + 3][k] + values[n + 4][k];
      sum += fourth * fourth;
    }
    rounding[k] = std::max(bound_of(std::sqrt(sum / windows / variance)), eps * bound_of(largest));
    all += rounding[k] * rounding[k] / static_cast<double>(rounding.size());
  }
  if (std::isfinite(all))  // among many, some waver little by chance
    for (double& own : rounding) own = std::max(own, std::sqrt(all));
  return rounding;
}

Slopes central_slopes(const Line& y, double scale, const Numbers& rounding) {
  constexpr double deviations = 20;  // a slope wavers by about 2 rounding / h; ten times that is no accident
  Slopes best{Numbers(rounding.size(), std::numeric_limits<double>::quiet_NaN()), Numbers(rounding.size(), infinity)};
  for (const double part : {1e-2, 1e-3, 1e-4}) {
    const double h = part * scale;
    const Steps coarse = evaluated(y, h), fine = evaluated(y, h / 2);
    for (std::size_t k = 0; k < rounding.size(); ++k) {
      const double at_h = central(coarse, k, h), at_half = central(fine, k, h / 2);
      const double bound = bound_of(at_h - at_half) + deviations * rounding[k] / h;
      if (std::isfinite(fine.above[k])) best.typical = std::max(best.typical, std::abs(fine.above[k]) / scale);
      if (!(bound < best.bound[k])) continue;
      best.value[k] = (4 * at_half - at_h) / 3, best.bound[k] = bound;
    }
  }
  return best;
}

void improve(Slopes& slopes, const Slopes& others) {
  for (std::size_t k = 0; k < slopes.value.size(); ++k)
    if (others.bound[k] < slopes.bound[k]) slopes.value[k] = others.value[k], slopes.bound[k] = others.bound[k];
}

DerivativeCheck compared(const Numbers& derivatives, const Slopes& slopes, const std::string& method,
                         const std::function<std::string(std::int64_t k)>& place) {
  TYTO_ASSERT(derivatives.size() == slopes.value.size() && slopes.bound.size() == slopes.value.size());
  DerivativeCheck check{.agrees = true, .method = method};
  double scale = 0;
  for (std::size_t k = 0; k < derivatives.size(); ++k)
    scale = std::max({scale, std::abs(derivatives[k]), std::abs(slopes.value[k])});  // max passes over NaN
  if (scale == 0 || !std::isfinite(scale)) scale = 1;
  for (std::size_t k = 0; k < derivatives.size(); ++k) {
    const double difference = derivatives[k] == slopes.value[k] ? 0 : bound_of(derivatives[k] - slopes.value[k]) / scale;
    const double allowed = slopes.bound[k] / scale;
    const bool agrees =
        std::isfinite(allowed) && difference <= allowed && slopes.bound[k] <= meaningful * std::max(scale, slopes.typical);
    // The largest difference; but one that is allowed gives way to one that is not.
    const bool is_worse = k == 0 || (check.agrees && !agrees) || (check.agrees == agrees && difference > check.largest_difference);
    check.agrees = check.agrees && agrees;
    if (!is_worse) continue;
    check.largest_difference = difference, check.allowed = allowed;
    check.worst = fmt::format("{}: {:.10g} against {:.10g}", place(static_cast<std::int64_t>(k)), derivatives[k], slopes.value[k]);
  }
  return check;
}

}  // namespace tyto::session
