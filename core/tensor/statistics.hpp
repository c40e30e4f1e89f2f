#pragma once
/// What can be said about the numbers of an array: how many are not finite, how large they are. Strides may be any. Of complex
/// arrays only what is said to be; all else is Error{unsupported}. What lies on a device is Error{element_type}.
#include "tyto/array.hpp"

namespace tyto::tensor {

struct NonFinite {
  std::int64_t nan = 0, inf = 0;
  Extents first = {};  ///< indices of the first of either, in row-major order; empty if there is none
  bool any() const { return nan + inf > 0; }
};
/// Of complex numbers, real and imaginary parts count one each.
NonFinite count_non_finite(const ConstArray&);

/// A number beyond the range of double: mantissa * 2^exponent, 1 <= mantissa < 2, or mantissa 0, infinite or NaN with exponent 0.
struct ScaledValue {
  double mantissa = 0;
  std::int64_t exponent = 0;
  double value() const;  ///< rounded to double: infinite or 0 where it does not fit
};

enum class NanRule : std::int8_t { propagate, skip };  ///< skip: as if NaN entries were 0

/// sqrt(sum |x|^2), also of complex numbers, that neither over- nor underflows: elements are scaled by a power of two, so scaling
/// the array by one changes nothing but the exponent. Relative error a few eps for any number of elements.
ScaledValue frobenius_norm(const ConstArray&, NanRule = NanRule::propagate);

/// Smallest and largest element other than NaN; NaN if there is none.
double minimum(const ConstArray&);
double maximum(const ConstArray&);
/// Number of elements other than 0, NaN included.
std::int64_t count_nonzeros(const ConstArray&);

}  // namespace tyto::tensor
