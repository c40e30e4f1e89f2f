#pragma once
/// The numbers that every program of a comparison computes with, so that results of all of them can be compared: a function of the
/// number of an array and of the position in it. ../peers/values.py is the same in Python.
#include <cstdint>
#include <memory>
#include <tyto/array.hpp>

namespace tyto::benchmarks {

/// Number `position` of array `number`, in [-1/2, 1/2): the finalizer of splitmix64 (Steele, Lea, Flood, OOPSLA 2014) of both.
double value_at(std::uint64_t number, std::uint64_t position);

/// A row-major array that owns its numbers, of f32, f64, c64 or c128. Parts of complex numbers stand in order, as in memory. Large
/// ones lie in huge pages, as the arrays of tyto's and numpy's users do.
class Values {
 public:
  /// Numbers of array `number`, times `scale`.
  Values(std::uint64_t number, Dtype, Extents, double scale = 1);
  const ConstArray& view() const { return view_; }

 private:
  std::shared_ptr<const void> owner_;
  ConstArray view_;
};

/// What is left of the results of a kernel for a comparison: their elements times numbers of their own, summed, and the sum of the
/// magnitudes of what was summed, which says how much of it rounding may change.
struct Digest {
  double sum = 0, size = 0;
  void add(const ConstArray& result, std::uint64_t which);  ///< result number `which` of a kernel; any strides
};

}  // namespace tyto::benchmarks
