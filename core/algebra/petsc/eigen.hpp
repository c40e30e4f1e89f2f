#pragma once
/// SLEPc's eigensolvers (EPS) for a few pairs of a symmetric map, each under its own name: "slepc-gd" is EPSGD.
#include "algebra/real_eigensolver.hpp"

namespace tyto::algebra::petsc {

enum class EigenMethod : std::int8_t { krylov_schur, generalized_davidson, jacobi_davidson, lobpcg };

/// Converged by SLEPc's own residuals, measured against max(|value|, 1), until the check of all solvers. Options of the library
/// (eps_ncv, eps_gd_minv, st_pc_type, ...) overrule. All but Krylov-Schur precondition by the diagonal where the map knows it and
/// not at all where it does not: what SLEPc takes by itself needs the entries of the matrix. Limits hold by rounds of the method:
/// one that would pass max_products is not begun. Jacobi-Davidson spends products on its correction equation, ten a round at most.
class Eigen : public RealEigenSolver {
 public:
  explicit Eigen(EigenMethod method) : method_(method) {}
  std::string name() const override;

 private:
  RealPairs find(const RealProblem&) const override;
  std::int64_t products_of_a_round(std::int64_t count) const override;

  EigenMethod method_;
};

struct KrylovSchur final : Eigen {
  KrylovSchur() : Eigen(EigenMethod::krylov_schur) {}
};
struct GeneralizedDavidson final : Eigen {
  GeneralizedDavidson() : Eigen(EigenMethod::generalized_davidson) {}
};
struct JacobiDavidson final : Eigen {
  JacobiDavidson() : Eigen(EigenMethod::jacobi_davidson) {}
};
struct LocallyOptimal final : Eigen {  ///< locally optimal block preconditioned conjugate gradients
  LocallyOptimal() : Eigen(EigenMethod::lobpcg) {}
};

}  // namespace tyto::algebra::petsc
