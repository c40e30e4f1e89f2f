// One walk over the array for each question; the norm needs two.
#include "tensor/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include "tensor/rows.hpp"
#include <fmt/format.h>

namespace tyto::tensor {
namespace {

/// Calls body(first element, elements, stride, number of the first) for each row of a real array.
template <class Body>
void for_each_real_row(const ConstArray& array, Body&& body) {
  with_type(array.dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_arithmetic_v<T>) {
      const T* data = array.as<T>();
      for_each_row<1>(array.extents, {&array.strides},
                      [&](const Row<1>& row) { body(data + row.offset[0], row.count, row.stride[0], row.first); });
    } else {
      fail_unsupported(fmt::format("statistics of complex elements ({})", name_of(array.dtype)));
    }
  });
}

/// The parts of complex numbers along a last axis; what is real as it is.
ConstArray parts_of(const ConstArray& array) {
  if (array.dtype != Dtype::c64 && array.dtype != Dtype::c128) return array;
  ConstArray parts = array;
  parts.dtype = array.dtype == Dtype::c64 ? Dtype::f32 : Dtype::f64;
  for (std::int64_t& stride : parts.strides) stride *= 2;
  parts.extents.push_back(2), parts.strides.push_back(1);
  return parts;
}

template <class Body>
void for_each_real(const ConstArray& array, Body&& body) {
  for_each_real_row(array, [&](const auto* x, std::int64_t count, std::int64_t stride, std::int64_t) {
    for (std::int64_t k = 0; k < count; ++k) body(static_cast<double>(x[k * stride]));
  });
}

/// A sum that carries its rounding error along (Knuth's exact sum of two numbers): as good as twice the digits. The error is off
/// the critical path, so that this costs little more than a plain sum.
class CompensatedSum {
 public:
  void add(double x) {
    const double sum = sum_ + x, back = sum - sum_;
    error_ += (sum_ - (sum - back)) + (x - back);
    sum_ = sum;
  }
  double value() const { return sum_ + error_; }

 private:
  double sum_ = 0, error_ = 0;
};

}  // namespace

NonFinite count_non_finite(const ConstArray& numbers) {
  const ConstArray array = parts_of(numbers);
  NonFinite result;
  std::int64_t first = -1;
  for_each_real_row(array, [&](const auto* x, std::int64_t count, std::int64_t stride, std::int64_t start) {
    using T = std::remove_cv_t<std::remove_pointer_t<decltype(x)>>;
    if constexpr (std::is_floating_point_v<T>) {
      for (std::int64_t k = 0; k < count; ++k) {
        if (std::isfinite(x[k * stride])) continue;
        ++(std::isnan(x[k * stride]) ? result.nan : result.inf);
        if (first < 0) first = start + k;
      }
    }
  });
  if (first < 0) return result;
  result.first = multi_index(first, array.extents);
  result.first.resize(numbers.extents.size());
  return result;
}

double ScaledValue::value() const {
  return std::ldexp(mantissa, static_cast<int>(std::clamp<std::int64_t>(exponent, -5000, 5000)));
}

ScaledValue frobenius_norm(const ConstArray& numbers, NanRule rule) {
  const ConstArray array = parts_of(numbers);
  double largest = 0;
  bool has_nan = false;
  for_each_real(array, [&](double x) {
    largest = std::max(largest, std::abs(x));
    has_nan = has_nan || std::isnan(x);
  });
  if (has_nan && rule == NanRule::propagate) return {std::numeric_limits<double>::quiet_NaN(), 0};
  if (largest == 0 || std::isinf(largest)) return {largest, 0};

  // 2^(-1000) .. 2^1000 and its inverse are exact doubles; what is left after scaling can be squared.
  const int exponent = std::clamp(std::ilogb(largest), -1000, 1000);
  const double scale = std::ldexp(1.0, -exponent);
  CompensatedSum sum;
  for_each_real(array, [&](double x) {
    const double scaled = x * scale;
    if (!std::isnan(scaled)) sum.add(scaled * scaled);
  });
  const double norm = std::sqrt(sum.value());
  const int rest = std::ilogb(norm);
  return {std::ldexp(norm, -rest), std::int64_t{exponent} + rest};
}

double minimum(const ConstArray& array) {
  double result = std::numeric_limits<double>::quiet_NaN();
  for_each_real(array, [&](double x) { result = std::fmin(result, x); });
  return result;
}

double maximum(const ConstArray& array) {
  double result = std::numeric_limits<double>::quiet_NaN();
  for_each_real(array, [&](double x) { result = std::fmax(result, x); });
  return result;
}

std::int64_t count_nonzeros(const ConstArray& array) {
  std::int64_t count = 0;
  for_each_real(array, [&](double x) { count += x == 0 ? 0 : 1; });
  return count;
}

}  // namespace tyto::tensor
