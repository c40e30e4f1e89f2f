#pragma once
/// All derivatives of an expression by some leaves against finite differences.
#include "evaluate/evaluate.hpp"
#include "tyto/derivative.hpp"

namespace tyto::test {

/// First: Jacobian, vjp, gradient, jvp, Gauss-Newton products. Second, of |y|^2/2: Hessians by each pair of leaves, their symmetry,
/// and Hessian products. Leaves without values get random ones in [low, high).
void check_derivatives(const Expr& y, const Exprs& xs, Values, double low = -1, double high = 1);

}  // namespace tyto::test
