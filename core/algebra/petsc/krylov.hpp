#pragma once
/// PETSc's iterative methods for linear systems (KSP), each under its own name: "petsc-cg" is KSPCG.
#include "algebra/solvers.hpp"

namespace tyto::algebra::petsc {

/// How tyto uses one of them.
struct KrylovMethod {
  const char* type;                ///< PETSc's name
  bool needs_symmetry = true;      ///< of the map
  bool has_trust_region = false;   ///< solves from zero within a radius; without one it is a plain solver
  bool knows_its_residual = true;  ///< |b - A x| is what it iterates on, whatever the preconditioner
};

/// Converged when |b - A x| is small enough, by the method's own recurrence; where that is about another norm, by the residual
/// itself, computed whenever the other norm has fallen as far. Options of the library (ksp_rtol, ksp_type, pc_type, ...) overrule.
/// Without a preconditioner and without pc_type there is none: what PETSc takes by itself needs the entries of the matrix.
class Krylov : public LinearSolver {
 public:
  explicit Krylov(KrylovMethod method) : method_(method) {}
  std::string name() const override { return std::string("petsc-") + method_.type; }
  bool takes_trust_radius() const override { return method_.has_trust_region; }
  /// Throws Error{unsupported} for a map without the symmetry that the method needs, or with a radius that it does not know.
  LinearOutcome solve(const LinearMap&, const Vector& b, Vector& x, const LinearOptions&) const override;

 private:
  KrylovMethod method_;
};

struct ConjugateGradients final : Krylov {
  ConjugateGradients() : Krylov({.type = "cg"}) {}
};
struct MinimalResiduals final : Krylov {  ///< for indefinite symmetric maps
  MinimalResiduals() : Krylov({.type = "minres", .knows_its_residual = false}) {}
};
struct GeneralizedMinimalResiduals final : Krylov {
  GeneralizedMinimalResiduals() : Krylov({.type = "gmres", .needs_symmetry = false}) {}
};
struct SteihaugToint final : Krylov {  ///< stops where conjugate gradients leave the trust region
  SteihaugToint() : Krylov({.type = "stcg", .has_trust_region = true}) {}
};
struct Nash final : Krylov {
  Nash() : Krylov({.type = "nash", .has_trust_region = true}) {}
};
struct GeneralizedLanczos final : Krylov {  ///< goes on along the boundary where it meets negative curvature
  GeneralizedLanczos() : Krylov({.type = "gltr", .has_trust_region = true}) {}
};

}  // namespace tyto::algebra::petsc
