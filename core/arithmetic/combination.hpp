#pragma once
/// Linear combinations of contiguous rows.
#include <array>
#include <cstdint>
#include "arithmetic/isa.hpp"

namespace tyto::arithmetic {

constexpr int most_terms = 4;

/// out(e) = sum over terms k of coefficients[k] * inputs[k](e), e < count; 1 to most_terms terms.
template <class T>
struct CombinedRow {
  std::int64_t count = 0;
  int terms = 1;
  std::array<T, most_terms> coefficients = {};
  std::array<const T*, most_terms> inputs = {};
  T* out = nullptr;
  bool streams = false;  ///< write past the caches, see finish_streams()
};
template <class T>
using CombineFunction = void (*)(const CombinedRow<T>&);
/// Of double and float.
template <class T>
CombineFunction<T> combine_function(Isa);

}  // namespace tyto::arithmetic
