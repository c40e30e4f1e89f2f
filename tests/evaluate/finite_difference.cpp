#include "evaluate/finite_difference.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <fmt/format.h>

namespace tyto::test {
namespace {

constexpr double step = 2e-3;

/// d/dt y(x + t v) at 0: five points, so that the error of the formula is of fourth order.
Numbers slope(Evaluator& y, const Exprs& xs, const std::vector<Numbers>& direction, const Values& values, double h) {
  const auto at = [&](double t) {
    Values moved = values;
    for (std::size_t n = 0; n < xs.size(); ++n) {
      Numbers numbers = values[xs[n]];
      for (std::size_t e = 0; e < numbers.size(); ++e) numbers[e] += t * direction[n][e];
      moved.set(xs[n], std::move(numbers));
    }
    return y(moved)[0];
  };
  const Numbers near_above = at(h), near_below = at(-h), far_above = at(2 * h), far_below = at(-2 * h);
  Numbers result(near_above.size());
  for (std::size_t e = 0; e < result.size(); ++e)
    result[e] = (8 * (near_above[e] - near_below[e]) - (far_above[e] - far_below[e])) / (12 * h);
  return result;
}

Differences along(Evaluator& y, const Exprs& xs, const std::vector<Numbers>& direction, const Values& values) {
  const Numbers coarse = slope(y, xs, direction, values, step), fine = slope(y, xs, direction, values, step / 2);
  const double rounding = 100 * std::numeric_limits<double>::epsilon() * largest(y(values)[0]) / step;
  Differences result{fine, Numbers(fine.size())};
  for (std::size_t e = 0; e < fine.size(); ++e)
    result.bound[e] = 2 * std::abs(fine[e] - coarse[e]) + rounding + 1e-10 * std::abs(fine[e]) + 1e-12;
  return result;
}

}  // namespace

Differences differences(const Expr& y, const Expr& x, const Values& values) {
  Evaluator evaluator(Exprs{y});
  const std::size_t rows = static_cast<std::size_t>(count(y.shape())), columns = values[x].size();
  Differences result{Numbers(rows * columns), Numbers(rows * columns)};
  for (std::size_t c = 0; c < columns; ++c) {
    Numbers unit(columns, 0);
    unit[c] = 1;
    const Differences column = along(evaluator, {x}, {unit}, values);
    for (std::size_t r = 0; r < rows; ++r)
      result.value[r * columns + c] = column.value[r], result.bound[r * columns + c] = column.bound[r];
  }
  return result;
}

Differences differences(const Expr& y, const Exprs& xs, const std::vector<Numbers>& direction, const Values& values) {
  Evaluator evaluator(Exprs{y});
  return along(evaluator, xs, direction, values);
}

Differences times(const Differences& matrix, const Numbers& vector) {
  const std::size_t rows = vector.empty() ? 0 : matrix.value.size() / vector.size();
  Differences result{Numbers(rows, 0), Numbers(rows, 1e-13)};
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < vector.size(); ++c) {
      result.value[r] += matrix.value[r * vector.size() + c] * vector[c];
      result.bound[r] += matrix.bound[r * vector.size() + c] * std::abs(vector[c]);
    }
  return result;
}

Differences transposed_times(const Differences& matrix, const Numbers& vector) {
  const std::size_t columns = vector.empty() ? 0 : matrix.value.size() / vector.size();
  Differences result{Numbers(columns, 0), Numbers(columns, 1e-13)};
  for (std::size_t r = 0; r < vector.size(); ++r)
    for (std::size_t c = 0; c < columns; ++c) {
      result.value[c] += matrix.value[r * columns + c] * vector[r];
      result.bound[c] += matrix.bound[r * columns + c] * std::abs(vector[r]);
    }
  return result;
}

std::string disagreement(const Numbers& found, const Differences& expected) {
  if (found.size() != expected.value.size()) return fmt::format("{} numbers instead of {}", found.size(), expected.value.size());
  const double useless = 1e-6 * (1 + largest(expected.value));
  for (std::size_t e = 0; e < found.size(); ++e) {
    if (!(expected.bound[e] < useless)) return fmt::format("element {}: differences are only known to {}", e, expected.bound[e]);
    if (!(std::abs(found[e] - expected.value[e]) <= expected.bound[e]))
      return fmt::format("element {}: {} instead of {} (+-{})", e, found[e], expected.value[e], expected.bound[e]);
  }
  return {};
}

}  // namespace tyto::test
