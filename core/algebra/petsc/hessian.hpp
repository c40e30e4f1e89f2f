#pragma once
/// The second derivatives of a function at the point where TAO wants them, as linear maps.
#include "algebra/linear_map.hpp"
#include "algebra/petsc/vector.hpp"
#include "algebra/solvers.hpp"

namespace tyto::algebra::petsc {

/// The point at which TAO asked for second derivatives last. It is TAO's own vector, which TAO changes only when it is done with
/// them.
struct Point {
  std::unique_ptr<PetscVector> x;
};

/// v -> H(x) v
class Hessian final : public LinearMap {
 public:
  Hessian(SmoothFunction& function, const Point& point, const Vector& like) : function_(function), point_(point), like_(like) {}
  std::unique_ptr<Vector> domain() const override;
  std::unique_ptr<Vector> range() const override;
  void apply(const Vector& v, Vector& result) const override;
  bool is_symmetric() const override { return true; }

 private:
  SmoothFunction& function_;
  const Point& point_;
  const Vector& like_;
};

/// v -> M(x)^-1 v. Where bounds are active TAO solves among the free unknowns only and does not say which those are: there it is
/// the identity.
class InverseNearHessian final : public LinearMap {
 public:
  InverseNearHessian(SmoothFunction& function, const Point& point, const Vector& like)
      : function_(function), point_(point), like_(like) {}
  std::unique_ptr<Vector> domain() const override;
  std::unique_ptr<Vector> range() const override;
  void apply(const Vector& v, Vector& result) const override;
  bool is_symmetric() const override { return true; }

 private:
  SmoothFunction& function_;
  const Point& point_;
  const Vector& like_;
};

}  // namespace tyto::algebra::petsc
