#pragma once
/// Iterative methods of Trilinos' Belos for linear systems, on vectors of one process. No trust regions.
#include "algebra/solvers.hpp"

namespace tyto::algebra::trilinos {

enum class BelosMethod { cg, minres, gmres };

/// Converged when the residual itself, computed when Belos thinks so, is small enough; where Belos judged by another norm it is
/// asked again from there. GMRES is preconditioned from the right, the others from the left. Options of the library are Belos'
/// parameters by name ({"Num Blocks", "50"}).
class Belos : public LinearSolver {
 public:
  explicit Belos(BelosMethod method) : method_(method) {}
  std::string name() const override;
  /// Throws Error{unsupported} for a map without the symmetry that the method needs, and for a trust radius.
  LinearOutcome solve(const LinearMap&, const Vector& b, Vector& x, const LinearOptions&) const override;

 private:
  BelosMethod method_;
};

struct ConjugateGradients final : Belos {
  ConjugateGradients() : Belos(BelosMethod::cg) {}
};
struct MinimalResiduals final : Belos {  ///< for indefinite symmetric maps
  MinimalResiduals() : Belos(BelosMethod::minres) {}
};
struct GeneralizedMinimalResiduals final : Belos {
  GeneralizedMinimalResiduals() : Belos(BelosMethod::gmres) {}
};

}  // namespace tyto::algebra::trilinos
