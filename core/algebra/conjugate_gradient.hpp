#pragma once
/// The built-in linear solver: conjugate gradients for symmetric maps, with a trust region after Steihaug. Not for maps whose
/// symmetry is only approximate.
#include "algebra/solvers.hpp"

namespace tyto::algebra {

/// With p_0 = z_0 = M^-1 r_0, r_0 = b - A x_0:  alpha = r.z / p.Ap,  x += alpha p,  r -= alpha A p,  p = z' + (r'.z' / r.z) p.
/// M^-1 is the preconditioner that the options bring, else the inverse of the diagonal where the map knows it and it is positive
/// (Jacobi), else the identity. With a trust radius it is never Jacobi's, and |x|_M grows from step to step (Steihaug 1983; in the
/// norm of M: Conn, Gould, Toint, Trust-region methods, SIAM 2000, algorithm 7.5.1). Costs one product with A an iteration, four
/// vectors. A singular semidefinite A with b in its range and x_0 = 0 gives the solution of minimum norm without an M.
class ConjugateGradient final : public LinearSolver {
 public:
  std::string name() const override { return "conjugate-gradient"; }
  bool takes_trust_radius() const override { return true; }
  /// Throws Error{unsupported} for a map that is not symmetric.
  LinearOutcome solve(const LinearMap&, const Vector& b, Vector& x, const LinearOptions&) const override;
};

}  // namespace tyto::algebra
