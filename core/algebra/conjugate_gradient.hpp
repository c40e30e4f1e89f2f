#pragma once
/// The built-in linear solver: conjugate gradients for symmetric maps, with a trust region after Steihaug. Not for maps whose
/// symmetry is only approximate.
#include "algebra/solvers.hpp"

namespace tyto::algebra {

/// With p_0 = z_0 = M r_0, r_0 = b - A x_0:  alpha = r.z / p.Ap,  x += alpha p,  r -= alpha A p,  p = z + (r'.z' / r.z) p.
/// M is the inverse of the diagonal where the map knows it and it is positive (Jacobi), else the identity; with a trust radius
/// always the identity, so that |x| grows from step to step (Steihaug 1983). Costs one product with A an iteration, four vectors.
/// A singular semidefinite A with b in its range and x_0 = 0 gives the solution of minimum norm without Jacobi's M.
class ConjugateGradient final : public LinearSolver {
 public:
  std::string name() const override { return "conjugate-gradient"; }
  /// Throws Error{unsupported} for a map that is not symmetric.
  LinearOutcome solve(const LinearMap&, const Vector& b, Vector& x, const LinearOptions&) const override;
};

}  // namespace tyto::algebra
