#pragma once
/// SLEPc's singular value solver, "slepc-svd".
#include "algebra/solvers.hpp"

namespace tyto::algebra::petsc {

/// Thick-restart Lanczos bidiagonalization (SVDTRLANCZOS), which works with A and A^T one after the other and so has singular
/// values to rounding of the largest; the cross product A^T A would have them to the root of that. Where min(rows, columns) < 5
/// (count + 1) the matrix is made from its products and LAPACK's is used. Options of the library (svd_type, svd_ncv, ...) overrule.
/// Triplets that have not converged when a limit is met are not returned. Needs the map's transpose.
class Svd final : public SvdSolver {
 public:
  std::string name() const override { return "slepc-svd"; }
  SvdOutcome solve(const LinearMap&, const SvdOptions&) const override;
};

}  // namespace tyto::algebra::petsc
