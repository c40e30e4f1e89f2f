#pragma once
/// PETSc's minimizers (TAO), each under its own name: "petsc-ntr" is TAONTR.
#include "algebra/solvers.hpp"

namespace tyto::algebra::petsc {

/// How tyto uses one of them.
struct TaoMethod {
  const char* type;  ///< PETSc's name
  bool needs_hessian = false;
  bool takes_bounds = false;
};

/// TAO runs its own loop; the function is evaluated at vectors that TAO owns. The linear systems inside are preconditioned by the
/// function where it can, else as TAO says (bntr: by the quasi-Newton matrix), else not at all. With bounds, gradient norms are of
/// what the bounds leave: in progress and convergence as TAO measures it, at the end |x - P(x - g)|, P the projection into the
/// bounds. Options of the library (tao_type, tao_ls_type, tao_bnk_ksp_type, ...) overrule.
class TaoMinimizer : public Minimizer {
 public:
  explicit TaoMinimizer(TaoMethod method) : method_(method) {}
  std::string name() const override { return std::string("petsc-") + method_.type; }
  bool needs_hessian() const override { return method_.needs_hessian; }
  bool takes_bounds() const override { return method_.takes_bounds; }
  /// Throws Error{unsupported} for a function without the Hessian, or with bounds, that the method cannot do with.
  MinimizerOutcome minimize(SmoothFunction&, Vector& x, Monitor&, const MinimizerOptions&) const override;

 private:
  TaoMethod method_;
};

struct NewtonTrustRegion final : TaoMinimizer {
  NewtonTrustRegion() : TaoMinimizer({.type = "ntr", .needs_hessian = true}) {}
};
struct NewtonLineSearch final : TaoMinimizer {
  NewtonLineSearch() : TaoMinimizer({.type = "nls", .needs_hessian = true}) {}
};
struct BoundedNewtonTrustRegion final : TaoMinimizer {
  BoundedNewtonTrustRegion() : TaoMinimizer({.type = "bntr", .needs_hessian = true, .takes_bounds = true}) {}
};
struct BoundedQuasiNewton final : TaoMinimizer {
  BoundedQuasiNewton() : TaoMinimizer({.type = "blmvm", .takes_bounds = true}) {}
};
struct QuasiNewton final : TaoMinimizer {
  QuasiNewton() : TaoMinimizer({.type = "lmvm"}) {}
};

}  // namespace tyto::algebra::petsc
