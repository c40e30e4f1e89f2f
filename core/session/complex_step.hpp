#pragma once
/// Derivatives by a step into the complex plane: for analytic y, Im y(x + i h v) / h is the derivative along v without
/// cancellation, however small h is (W. Squire, G. Trapp, SIAM Review 40, 1998).
#include "session/differences.hpp"
#include "session/point.hpp"

namespace tyto::session {

/// Whether y is real and made from the real leaf x by operations alone that have a derivative by a complex operand: no conj, abs,
/// comparison, largest value, factorization, nor system whose matrix is meant to be symmetric.
bool is_analytic(const Expr& y, const Expr& x);

/// The Jacobian of y by x at the point, y before x, with what it may be wrong by: 20 times what it wavers by when nothing but
/// rounding changes, see rounding_of(). y must be analytic in x. 14 complex evaluations for each element of x, 27 for one that is
/// much smaller than the others.
Slopes complex_slopes(const Expr& y, const Expr& x, Point&);

}  // namespace tyto::session
