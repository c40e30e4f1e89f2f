#pragma once
/// The numbers that a map is linear over, real or complex, and what orthogonality means with them.
#include <complex>
#include <vector>
#include "algebra/solvers.hpp"

namespace tyto::algebra {

using Scalar = std::complex<double>;  ///< its imaginary part is zero where the map is real

/// Inner products <v, x> = conj(v).x and combinations of vectors of one space. Complex where LinearMap::times_i says so: then
/// vectors are pairs of numbers and <v, x> = v.x + i (i v).x with the real products on the right. Costs a vector or two of its own.
class Field {
 public:
  explicit Field(const LinearMap&);
  bool is_complex() const { return is_complex_; }
  /// Of the space over these numbers.
  std::int64_t dimension() const { return dimension_; }

  /// <v_k, x> of the first `count` vectors.
  void inner(const Vectors& v, std::size_t count, const Vector& x, std::vector<Scalar>& result);
  /// x += factor * sum_k c_k v_k, over the first `count` vectors.
  void add(double factor, const Vectors& v, std::size_t count, const Scalar* c, Vector& x);
  /// Takes the part of x in the span of orthonormal vectors away; what rounding leaves of it too, if called twice.
  void remove(const Vectors& v, std::size_t count, Vector& x);

 private:
  const LinearMap& map_;
  std::unique_ptr<Vector> turned_, sum_;  ///< i x, and a sum that is multiplied by i; null where the map is real
  std::vector<Scalar> parts_;
  std::int64_t dimension_ = 0;
  bool is_complex_ = false;
};

}  // namespace tyto::algebra
