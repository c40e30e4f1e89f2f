#pragma once
/// From element types at run time to those of C++.
#include <complex>
#include "error/fail.hpp"
#include "tyto/array.hpp"

namespace tyto::execute::cpu {

constexpr bool is_floating(Dtype type) {
  return type == Dtype::f32 || type == Dtype::f64 || type == Dtype::c64 || type == Dtype::c128;
}

/// body.operator()<T>() for a floating-point type, real or complex.
template <class Body>
decltype(auto) with_floating_type(Dtype type, Body&& body) {
  switch (type) {
    case Dtype::f32: return body.template operator()<float>();
    case Dtype::c64: return body.template operator()<std::complex<float>>();
    case Dtype::c128: return body.template operator()<std::complex<double>>();
    default: TYTO_ASSERT(type == Dtype::f64); return body.template operator()<double>();
  }
}

}  // namespace tyto::execute::cpu
