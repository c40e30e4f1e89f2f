// Overlaps by transfer matrices.
#include "result/fidelity.hpp"
#include "error/fail.hpp"
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>

namespace tyto::result {
namespace {

using Number = std::complex<double>;

/// mantissa * 2^exponent
struct Scaled {
  Number mantissa = 1;
  std::int64_t exponent = 0;
};

/// The largest magnitude becomes less than one; the power of two that was taken out.
std::int64_t normalize(std::vector<Number>& numbers) {
  double largest = 0;
  for (const Number& x : numbers) largest = std::max({largest, std::abs(x.real()), std::abs(x.imag())});
  if (largest == 0 || !std::isfinite(largest)) return 0;
  int exponent = 0;
  std::frexp(largest, &exponent);
  for (Number& x : numbers) x = {std::ldexp(x.real(), -exponent), std::ldexp(x.imag(), -exponent)};
  return exponent;
}

/// to(r,r') = sum over l,l',s of conj(A(l,s,r)) E(l,l') B(l',s,r')
std::vector<Number> transferred(const std::vector<Number>& e, const tensor::Dense& a, const tensor::Dense& b) {
  const std::int64_t left = a.extents()[0], sites = a.extents()[1], right = a.extents()[2];
  const std::int64_t other_left = b.extents()[0], other_right = b.extents()[2], row = sites * other_right;
  const auto *const x = a.view().as<Number>(), *const y = b.view().as<Number>();
  std::vector<Number> half(static_cast<std::size_t>(left * row)), to(static_cast<std::size_t>(right * other_right));
  for (std::int64_t l = 0; l < left; ++l)
    for (std::int64_t m = 0; m < other_left; ++m) {
      const Number factor = e[static_cast<std::size_t>(l * other_left + m)];
      for (std::int64_t k = 0; k < row; ++k) half[static_cast<std::size_t>(l * row + k)] += factor * y[m * row + k];
    }
  for (std::int64_t ls = 0; ls < left * sites; ++ls)
    for (std::int64_t r = 0; r < right; ++r) {
      const Number factor = std::conj(x[ls * right + r]);
      for (std::int64_t k = 0; k < other_right; ++k)
        to[static_cast<std::size_t>(r * other_right + k)] += factor * half[static_cast<std::size_t>(ls * other_right + k)];
    }
  return to;
}

Scaled overlap(const std::vector<tensor::Dense>& a, const std::vector<tensor::Dense>& b) {
  std::vector<Number> e{1};
  Scaled result;
  for (std::size_t k = 0; k < a.size(); ++k) {
    e = transferred(e, a[k], b[k]);
    result.exponent += normalize(e);
  }
  result.mantissa = e[0];
  return result;
}

std::vector<tensor::Dense> complex_copies(const std::vector<tensor::Dense>& train) {
  std::vector<tensor::Dense> copies;
  std::int64_t bond = 1;
  for (const tensor::Dense& core : train) {
    TYTO_ASSERT(core.order() == 3 && core.extents()[0] == bond);
    bond = core.extents()[2];
    copies.push_back(tensor::Dense::copy(core.view(), Dtype::c128));
  }
  TYTO_ASSERT(bond == 1);
  return copies;
}

}  // namespace

double fidelity(const std::vector<tensor::Dense>& a, const std::vector<tensor::Dense>& b) {
  TYTO_ASSERT(a.size() == b.size());
  const std::vector<tensor::Dense> x = complex_copies(a), y = complex_copies(b);
  for (std::size_t k = 0; k < x.size(); ++k) TYTO_ASSERT(x[k].extents()[1] == y[k].extents()[1]);
  const Scaled both = overlap(x, y), first = overlap(x, x), second = overlap(y, y);
  const double norms = first.mantissa.real() * second.mantissa.real();
  if (norms == 0) return 0;
  // first and second exponents may be odd together only: half a power of two goes to the square root
  const std::int64_t exponents = first.exponent + second.exponent;
  const double root = std::sqrt(exponents % 2 == 0 ? norms : 2 * norms);
  const std::int64_t halved = (exponents - (exponents % 2 == 0 ? 0 : 1)) / 2;
  return std::ldexp(std::abs(both.mantissa) / root,
                    static_cast<int>(std::clamp<std::int64_t>(both.exponent - halved, -4000, 4000)));
}

}  // namespace tyto::result
