#pragma once
/// A linear map known by what it does, not by its entries.
#include <memory>
#include "algebra/vector.hpp"

namespace tyto::algebra {

/// y = A x. Immutable while a solver uses it.
class LinearMap {
 public:
  virtual ~LinearMap() = default;
  /// A zero vector of the space that x, and of the space that y, belongs to.
  virtual std::unique_ptr<Vector> domain() const = 0;
  virtual std::unique_ptr<Vector> range() const = 0;
  /// y = A x; x and y are different vectors.
  virtual void apply(const Vector& x, Vector& y) const = 0;
  /// x = A^T y (of complex maps A^H y). Throws Error{unsupported} where a map does not have it.
  virtual void apply_transposed(const Vector& y, Vector& x) const;
  /// True if A equals its transpose (is Hermitian); solvers that need it rely on it.
  virtual bool is_symmetric() const { return false; }
  /// Writes the diagonal of a square map and returns true, or returns false where it is not known.
  virtual bool diagonal(Vector&) const { return false; }
  /// Writes y = i x and returns true where the numbers of the space are pairs that stand for complex ones, A is linear over those,
  /// and range and domain are one; false of real maps. x and y are different vectors. Eigensolvers need to know, since each complex
  /// eigenvector v is two real ones, v and i v.
  virtual bool times_i(const Vector& x, Vector& y) const;
};

/// |b - A x|, computed now.
double residual_norm(const LinearMap&, const Vector& b, const Vector& x);

}  // namespace tyto::algebra
