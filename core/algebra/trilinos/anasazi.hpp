#pragma once
/// Eigensolvers of Trilinos' Anasazi for a few pairs of a symmetric map, on vectors of one process.
#include "algebra/real_eigensolver.hpp"

namespace tyto::algebra::trilinos {

enum class AnasaziMethod : std::int8_t { krylov_schur, davidson, lobpcg };

/// Converged by Anasazi's residuals, measured against max(|value|, 1), until the check of all solvers. Block Krylov-Schur grows
/// from one vector, the others from `count`; these precondition by the diagonal where the map knows it. Options of the library are
/// Anasazi's parameters by name ({"Num Blocks", "30"}); those that it does not ask for are reported as unused.
class Anasazi : public RealEigenSolver {
 public:
  explicit Anasazi(AnasaziMethod method) : method_(method) {}
  std::string name() const override;

 private:
  RealPairs find(const RealProblem&) const override;
  std::int64_t products_of_a_round(std::int64_t count) const override;

  AnasaziMethod method_;
};

struct BlockKrylovSchur final : Anasazi {
  BlockKrylovSchur() : Anasazi(AnasaziMethod::krylov_schur) {}
};
struct BlockDavidson final : Anasazi {
  BlockDavidson() : Anasazi(AnasaziMethod::davidson) {}
};
struct LocallyOptimal final : Anasazi {  ///< locally optimal block preconditioned conjugate gradients
  LocallyOptimal() : Anasazi(AnasaziMethod::lobpcg) {}
};

}  // namespace tyto::algebra::trilinos
