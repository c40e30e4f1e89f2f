#include "solve/optimality.hpp"
#include <algorithm>
#include <cmath>

namespace tyto::solve {

double optimality(const Tensor& unknown, const std::vector<double>& x, const std::vector<double>& slope, double size) {
  double square = 0;
  for (const double value : x) square += value * value;
  if (square == 0) square = 1;
  const double length = square / (size > 0 ? 2 * size : 1);
  double residual = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double r = x[k] - std::clamp(x[k] - length * slope[k], unknown.lower, unknown.upper);
    residual += r * r;
  }
  return std::sqrt(residual / square);
}

void drop_blocked(const Tensor& unknown, const std::vector<double>& x, std::vector<double>& slope) {
  for (std::size_t k = 0; k < x.size(); ++k)
    if ((x[k] <= unknown.lower && slope[k] > 0) || (x[k] >= unknown.upper && slope[k] < 0)) slope[k] = 0;
}

}  // namespace tyto::solve
