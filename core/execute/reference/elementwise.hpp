#pragma once
/// Operations that treat each element by itself: linear combination, power, fill, identity.
#include <vector>
#include "program/program.hpp"

namespace tyto::execute::reference {

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
  void fill(T* out, double value);
  template <class T>
  void identity(T* out);

 private:
  template <class Body>
  void for_each(Body&& body);

  Extents extents_;
  std::vector<Extents> strides_;
  std::vector<std::int64_t> index_, offset_;
};

}  // namespace tyto::execute::reference
