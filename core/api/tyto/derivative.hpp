#pragma once
/// Derivatives as expressions: they can be printed, differentiated again, optimized and compiled like anything else.
/// `x` may be any leaf or any intermediate that occurs in the expression, under any labels; where it does not occur the derivative
/// is 0. The Jacobian of y(i) by x(j) has labels (i, j'), primed as often as needed to be new. Complex convention: for real f,
/// gradient is df/dRe + i df/dIm, so that x - t * gradient(f, x) descends; jacobian and what follows from it need y to be
/// holomorphic in a complex x (no conj, real, imag or abs on the way), else Error{not_holomorphic}; vjp, jvp, hvp and gauss_newton
/// do not.
#include "tyto/expr.hpp"

namespace tyto::inline v1 {

TYTO_API Expr gradient(const Expr& f, const Expr& x);                ///< of a scalar (else Error{not_scalar}); shape of x
TYTO_API Exprs gradient(const Expr& f, const Exprs& xs);             ///< one reverse sweep for all
TYTO_API Expr jacobian(const Expr& y, const Expr& x);                ///< labels of y, then of x (primed)
TYTO_API Expr hessian(const Expr& f, const Expr& x);                 ///< f scalar; labels of x, then of x (primed)
TYTO_API Expr hessian(const Expr& f, const Expr& x, const Expr& y);  ///< labels of x, then of y (primed)
/// All blocks, [m][n] with the labels of xs[m], then of xs[n] (primed); those below the diagonal are transposed views of those
/// above.
TYTO_API std::vector<Exprs> hessians(const Expr& f, const Exprs& xs);
TYTO_API Exprs vjp(const Expr& y, const Exprs& xs, const Expr& v);              ///< J^H v; v has the shape of y
TYTO_API Expr jvp(const Expr& y, const Exprs& xs, const Exprs& vs);             ///< J v, summed over the xs, by forward mode
TYTO_API Expr jvp_by_reverse(const Expr& y, const Exprs& xs, const Exprs& vs);  ///< the same as derivative of a vjp, for comparison
TYTO_API Exprs hvp(const Expr& f, const Exprs& xs, const Exprs& vs);            ///< H v, H never formed
TYTO_API Exprs gauss_newton(const Expr& r, const Exprs& xs, const Exprs& vs);   ///< J^H J v of the residual r

/// The derivative of order n >= 0: labels of f, then x once per order, each set primed once more.
TYTO_API Expr derivative(const Expr& y, const Expr& x, int order);

/// The expression after the core's passes, for reading: same labels, same values. `switched_off` names passes to leave out.
TYTO_API Expr optimized(const Expr&, const std::vector<std::string>& switched_off = {});

}  // namespace tyto::inline v1
