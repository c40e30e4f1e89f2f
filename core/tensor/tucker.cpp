#include "tensor/tucker.hpp"
#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include "error/fail.hpp"

namespace tyto::tensor {

namespace {

/// Axis `mode` of the tensor, of the core's extent, becomes the rows of the factor.
Dense expanded(const Dense& from, const Dense& factor, std::size_t mode) {
  Extents extents = from.extents();
  const std::int64_t rank = extents[mode], rows = factor.extents()[0];
  const auto after = extents.begin() + static_cast<std::ptrdiff_t>(mode) + 1;
  const std::int64_t inner = element_count({after, extents.end()}), outer = element_count({extents.begin(), after - 1});
  extents[mode] = rows;
  Dense to = Dense::zeros(Dtype::f64, extents);
  const auto *u = factor.view().as<double>(), *g = from.view().as<double>();
  auto* x = to.view().as<double>();
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t r = 0; r < rank; ++r) {
        const double weight = u[i * rank + r];
        const double* const source = g + (o * rank + r) * inner;
        double* const target = x + (o * rows + i) * inner;
        for (std::int64_t k = 0; k < inner; ++k) target[k] += weight * source[k];
      }
  return to;
}

}  // namespace

Extents Tucker::extents() const {
  Extents result;
  for (const Dense& factor : factors) result.push_back(factor.extents()[0]);
  return result;
}

Dense Tucker::to_dense() const {
  bool fits = static_cast<std::size_t>(core.order()) == factors.size();
  for (std::size_t n = 0; fits && n < factors.size(); ++n)
    fits = factors[n].order() == 2 && factors[n].extents()[1] == core.extents()[n];
  if (!fits) {
    std::string shapes;
    for (const Dense& factor : factors) shapes += (shapes.empty() ? "" : ", ") + text_of(factor.extents());
    fail(Code::shape, "a core and its factors do not belong together",
         fmt::format("a factor with a column for each of {}", text_of(core.extents())), shapes);
  }
  const auto growth = [&](std::size_t n) {
    return static_cast<double>(factors[n].extents()[0]) / static_cast<double>(std::max<std::int64_t>(1, core.extents()[n]));
  };
  std::vector<std::size_t> modes(factors.size());
  std::iota(modes.begin(), modes.end(), std::size_t{0});
  std::stable_sort(modes.begin(), modes.end(), [&](std::size_t a, std::size_t b) { return growth(a) < growth(b); });
  Dense result = Dense::copy(core.view(), Dtype::f64);
  for (const std::size_t mode : modes) result = expanded(result, factors[mode], mode);
  return result;
}

}  // namespace tyto::tensor
