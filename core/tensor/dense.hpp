#pragma once
/// A dense tensor that owns its elements: row-major, at an address that is a multiple of 64 bytes. A value: copying copies.
#include <cstddef>
#include <memory>
#include <string>
#include "tyto/array.hpp"

namespace tyto::tensor {

class Dense {
 public:
  Dense() = default;  ///< no elements: extents (0), type f64
  /// Throws Error{extent} when the size in bytes does not fit 63 bits, Error{memory} when the machine cannot hold it.
  static Dense zeros(Dtype, Extents);
  /// The elements of any strided array, in row-major order; converted as copy_to() does.
  static Dense copy(const ConstArray& from, Dtype);
  static Dense copy(const ConstArray& from) { return copy(from, from.dtype); }

  Dense(const Dense&);
  Dense& operator=(const Dense&);
  Dense(Dense&&) noexcept;  ///< leaves the other without elements
  Dense& operator=(Dense&&) noexcept;
  ~Dense() = default;

  Dtype dtype() const { return dtype_; }
  const Extents& extents() const { return extents_; }
  std::int64_t order() const { return static_cast<std::int64_t>(extents_.size()); }
  std::int64_t size() const { return element_count(extents_); }
  std::int64_t bytes() const { return size() * size_of(dtype_); }
  /// Valid until this tensor is assigned to, moved from or destroyed.
  Array view() { return {storage_.get(), dtype_, extents_, row_major(extents_)}; }
  ConstArray view() const { return {storage_.get(), dtype_, extents_, row_major(extents_)}; }

 private:
  struct Free {
    void operator()(std::byte*) const;
  };
  Dtype dtype_ = Dtype::f64;
  Extents extents_ = {0};
  std::unique_ptr<std::byte, Free> storage_;
};

/// to(i,j,...) = from(i,j,...) for arrays of any strides that do not overlap. Numbers keep their value or the copy is refused:
/// integers and reals become f32 or f64 by rounding to nearest; a real becomes an integer only if it is one; what lies outside
/// the range of the target type is Error{overflow}; NaN and infinities stay what they are in f32 and f64. Real becomes complex
/// with imaginary part 0; complex never becomes real (Error{element_type}). Error{shape} when extents differ.
void copy_to(const ConstArray& from, const Array& to);

/// "5 x 201 x 61"; "scalar" for no axes.
std::string text_of(const Extents&);

}  // namespace tyto::tensor
