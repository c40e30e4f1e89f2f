#pragma once
/// Numbers that somebody owns: descriptors of arrays, never the storage. A descriptor is valid as long as the memory it
/// describes; every function taking one says until when it is used. Strides count elements; row-major where not given.
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>
#include "tyto/error.hpp"

namespace tyto::inline v1 {

/// The scalar type of an array: a run-time value on arrays, expressions and steps. Integers are types of data only.
enum class Dtype : std::int8_t { i16, i32, i64, f32, f64, c64, c128 };
enum class Space : std::int8_t { host, device };
using Extents = std::vector<std::int64_t>;

/// "f64"
TYTO_API const char* name_of(Dtype);
/// Bytes of one element.
constexpr std::int64_t size_of(Dtype type) {
  switch (type) {
    case Dtype::i16: return 2;
    case Dtype::i32:
    case Dtype::f32: return 4;
    case Dtype::i64:
    case Dtype::f64:
    case Dtype::c64: return 8;
    case Dtype::c128: return 16;
  }
  return 0;
}

template <class T>
constexpr Dtype dtype_of() {
  if constexpr (std::is_same_v<T, std::int16_t>) return Dtype::i16;
  else if constexpr (std::is_same_v<T, std::int32_t>) return Dtype::i32;
  else if constexpr (std::is_same_v<T, std::int64_t>) return Dtype::i64;
  else if constexpr (std::is_same_v<T, float>) return Dtype::f32;
  else if constexpr (std::is_same_v<T, double>) return Dtype::f64;
  else if constexpr (std::is_same_v<T, std::complex<float>>) return Dtype::c64;
  else {
    static_assert(std::is_same_v<T, std::complex<double>>, "a 16-, 32- or 64-bit integer, float, double or std::complex");
    return Dtype::c128;
  }
}

/// Strides of a dense row-major array: the last axis is contiguous. A stride that would not fit 63 bits, which only an array
/// without elements can have ({0, 1 << 40, 1 << 40}), is the largest number that does.
inline Extents row_major(const Extents& extents) {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  Extents strides(extents.size(), 1);
  for (std::size_t n = extents.size(); n-- > 1;) {
    const bool fits = extents[n] == 0 || strides[n] <= largest / extents[n];
    strides[n - 1] = fits ? strides[n] * extents[n] : largest;
  }
  return strides;
}

/// Number of elements; 1 for a scalar. Throws Error{extent} if it does not fit 63 bits.
TYTO_API std::int64_t element_count(const Extents&);

/// Read-only description of a strided array.
struct ConstArray {
  const void* data = nullptr;
  Dtype dtype = Dtype::f64;
  Extents extents = {}, strides = {};
  Space space = Space::host;

  ConstArray() = default;
  ConstArray(const void* values, Dtype type, Extents e, Extents s)
      : data(values), dtype(type), extents(std::move(e)), strides(std::move(s)) {}
  template <class T>
  ConstArray(const T* values, Extents e) : ConstArray(values, e, row_major(e)) {}
  template <class T>
  ConstArray(const T* values, Extents e, Extents s) : ConstArray(values, dtype_of<T>(), std::move(e), std::move(s)) {}

  std::int64_t size() const { return element_count(extents); }
  bool contiguous() const { return strides == row_major(extents); }
  /// The elements as T. Throws Error{element_type} when the array holds another type or lies on a device: nothing is converted.
  template <class T>
  const T* as() const {
    require(dtype_of<T>());
    return static_cast<const T*>(data);
  }
 protected:
  TYTO_API void require(Dtype) const;
};

/// The same, for memory that tyto may write.
struct Array : ConstArray {
  Array() = default;
  Array(void* values, Dtype type, Extents e, Extents s) : ConstArray(values, type, std::move(e), std::move(s)) {}
  template <class T>
  Array(T* values, Extents e) : ConstArray(values, std::move(e)) {}
  template <class T>
  Array(T* values, Extents e, Extents s) : ConstArray(values, std::move(e), std::move(s)) {}
  void* address() const { return const_cast<void*>(data); }
  template <class T>
  T* as() const {
    require(dtype_of<T>());
    return static_cast<T*>(address());
  }
};

}  // namespace tyto::inline v1
