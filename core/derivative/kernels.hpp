#pragma once
/// Requests become expressions: each kernel by what it means, never by a formula for one algorithm.
#include "problem/problem.hpp"

namespace tyto::derivative {

/// argmin of the objective over one unknown, all else fixed: solve(H, -g(0)) with the explicit Hessian H of the objective by the
/// unknown and its gradient g at zero; minimum norm where H is singular. Of an
/// unknown with lower bound 0 the argmin over values >= 0. Shape of the unknown. Error{not_quadratic} names what
/// makes the objective more than quadratic in it, or says that it is linear.
graph::NodeId block_update(problem::Problem&, const problem::BlockSolve&);

/// Gradients of an objective by those of its unknowns that are not fixed, in order of declaration.
struct UnknownGradient {
  std::int32_t unknown = -1;
  graph::NodeId node = -1;
};
std::vector<UnknownGradient> gradients(problem::Problem&, const problem::Objective&);

/// The scalar with every unknown that is not fixed replaced by zeros.
graph::NodeId at_zero(problem::Problem&, const Expr& scalar);

}  // namespace tyto::derivative
