#pragma once
/// The value of an elementwise function at one point, for every scalar type.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <type_traits>
#include "operation/function.hpp"

namespace tyto::operation {

template <class T>
constexpr bool is_complex = !std::is_arithmetic_v<T>;

/// f(a) or f(a, b). Of complex arguments a real value comes as a complex number without imaginary part. Not a number stays so.
template <Function f, class T>
T value_at(T a, T b = {}) {
  if constexpr (f == Function::exp) return std::exp(a);
  else if constexpr (f == Function::log) return std::log(a);
  else if constexpr (f == Function::sin) return std::sin(a);
  else if constexpr (f == Function::cos) return std::cos(a);
  else if constexpr (f == Function::tanh) return std::tanh(a);
  else if constexpr (f == Function::sigmoid) {
    if constexpr (is_complex<T>) {
      return T(1) / (T(1) + std::exp(-a));
    } else {  // exp of a number that is not positive does not overflow
      const T e = std::exp(-std::abs(a));
      return a < 0 ? e / (1 + e) : 1 / (1 + e);
    }
  } else if constexpr (f == Function::abs) return std::abs(a);
  else if constexpr (f == Function::complex) return a;
  else if constexpr (f == Function::conj || f == Function::real || f == Function::imag) {
    if constexpr (is_complex<T>) return f == Function::conj ? std::conj(a) : f == Function::real ? T(a.real()) : T(a.imag());
    else return f == Function::imag ? T(0) : a;
  } else if constexpr (is_complex<T> && f == Function::sign) {
    const auto size = std::abs(a);
    return size == 0 ? T(0) : a / size;
  } else if constexpr (is_complex<T>) {
    return a;  // comparisons take no complex arguments; the graph refuses them
  } else if constexpr (f == Function::relu) return a < 0 ? T(0) : a;
  else if constexpr (f == Function::sign) return a > 0 ? T(1) : a < 0 ? T(-1) : a;
  else if constexpr (f == Function::maximum) return a < b ? b : (b == b ? a : b);
  else if constexpr (f == Function::minimum) return b < a ? b : (b == b ? a : b);
  else if constexpr (f == Function::greater) return a > b ? T(1) : T(0);
  else if constexpr (f == Function::greater_equal) return a >= b ? T(1) : T(0);
  else return a == b ? T(1) : T(0);
}

/// Calls body.template operator()<f>() for the f that is only known while the program runs.
template <class Body>
void with_function(Function f, Body&& body) {
  switch (f) {
    case Function::exp: return body.template operator()<Function::exp>();
    case Function::log: return body.template operator()<Function::log>();
    case Function::sin: return body.template operator()<Function::sin>();
    case Function::cos: return body.template operator()<Function::cos>();
    case Function::tanh: return body.template operator()<Function::tanh>();
    case Function::sigmoid: return body.template operator()<Function::sigmoid>();
    case Function::relu: return body.template operator()<Function::relu>();
    case Function::abs: return body.template operator()<Function::abs>();
    case Function::sign: return body.template operator()<Function::sign>();
    case Function::conj: return body.template operator()<Function::conj>();
    case Function::real: return body.template operator()<Function::real>();
    case Function::imag: return body.template operator()<Function::imag>();
    case Function::complex: return body.template operator()<Function::complex>();
    case Function::maximum: return body.template operator()<Function::maximum>();
    case Function::minimum: return body.template operator()<Function::minimum>();
    case Function::greater: return body.template operator()<Function::greater>();
    case Function::greater_equal: return body.template operator()<Function::greater_equal>();
    case Function::equal: return body.template operator()<Function::equal>();
  }
}

}  // namespace tyto::operation
