#pragma once
/// Operations that treat each element by itself: linear combination, power, functions, constants.
#include <complex>
#include <vector>
#include "program/program.hpp"

namespace tyto::execute::plain {

/// Walks the elements of several buffers of the same extents together.
class ElementLoop {
 public:
  /// The output first, then the inputs.
  ElementLoop(const std::vector<program::BufferId>&, const std::vector<program::Buffer>&);
  template <class T>
  std::int64_t combine(T* out, const void* const* inputs, const std::vector<double>& coefficients);
  template <class T>
  std::int64_t power(T* out, const void* const* inputs, double exponent);
  template <class T>
  void fill(T* out, T value);
  template <class T>
  void identity(T* out);
  template <class T>
  void triangle(T* out, double diagonal);
  /// f of inputs of type T; `out` holds the real type where f is real.
  template <class T>
  std::int64_t map(void* out, const void* const* inputs, operation::Function f);
  /// Real values of type T as complex ones.
  template <class T>
  void convert(std::complex<T>* out, const T* in);

 private:
  template <class Body>
  void for_each(Body&& body);

  Extents extents_;
  std::vector<Extents> strides_;
  std::vector<std::int64_t> index_, offset_;
};

}  // namespace tyto::execute::plain
