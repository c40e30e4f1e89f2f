#pragma once
/// The built-in eigensolver, for a few pairs at an end of the spectrum of a symmetric map that is known by its products.
#include "algebra/solvers.hpp"

namespace tyto::algebra {

/// Davidson's method (J. Comput. Phys. 17, 1975) with thick restarts. The space V that is searched starts as the starts, made up to
/// `count` by random vectors, and grows by one direction a product, made orthogonal to it twice: the residual r = A x - theta x of
/// the first Ritz pair (theta, x) that has not converged, or (D - theta)^-1 r where the map knows its diagonal D. With residuals
/// this is Lanczos' method with full reorthogonalization, and restarting from the better half of the Ritz vectors is thick-restart
/// Lanczos (Wu, Simon, SIAM J. Matrix Anal. Appl. 22, 2000). The diagonal is used while |A v - D v| < |D v - theta v| for the
/// newest direction v, that is while it is the larger part of A - theta there.
///
/// Values are those of Rayleigh and Ritz in a space that contains the starts, so they never pass the Rayleigh quotient of a start
/// but by rounding. A start that is an eigenvector returns after its one product, with 0 iterations. A space that A maps into
/// itself is a success, and a random direction follows where more pairs are wanted. Copies of an eigenvalue are found where `count`
/// asks for them. Keeps 20 vectors and their images at most, or 3 count + 8 where that is more, or twice max_basis; half as many
/// again to restart.
class Davidson final : public EigenSolver {
 public:
  std::string name() const override { return "davidson"; }
  EigenOutcome solve(const LinearMap&, const Vectors& orthogonal_to, Vectors& vectors, const EigenOptions&) const override;
};

}  // namespace tyto::algebra
