#pragma once
/// Steps that never raise the objective: by a quadratic model within a trust region, or along the negative gradient.
#include "solve/local_model.hpp"

namespace tyto::solve {

/// The objective where it is asked for, and how far rounding may move it.
struct Measured {
  double value = 0, rounding = 0;
};
/// The objective at the present values, so accurately that `wanted` is well above its rounding, where that can be.
using Measure = std::function<Measured(double wanted)>;

struct StepOutcome {
  StepReport report;
  double gradient_norm = 0;
  double gain = 0;                  ///< decrease over predicted decrease
  std::int64_t products = 0;        ///< with the matrix of the model
  std::optional<Outcome> end = {};  ///< the unknowns are where no step goes further
};

/// What a step carries to the next, as numbers of a tensor: kept in checkpoints.
struct Region {
  double radius = 0;          ///< in the norm of the preconditioner's inverse, or Euclid's; 0: before the first step
  double first_gradient = 0;  ///< the gradient's norm at the first step, in the dual of that norm
};

/// A step s that about minimizes g.s + s.B s / 2 within |s|_M <= radius, taken if the objective falls by a share of what the model
/// says, else tried again within a smaller region. Conn, Gould, Toint, Trust-region methods, SIAM 2000, algorithm 6.1.1. A
/// positive semidefinite B makes it the Levenberg-Marquardt method in the form of More (1978). A linear solver that takes no
/// radius is followed along a dogleg; a model that is dense is solved by factorizations instead.
StepOutcome trust_region_step(LocalModel&, const InnerSolver&, const Measure&, Region&);

/// A step along -M^-1 g, or -g without M, of the length that served last, halved until the objective falls as Armijo asks.
StepOutcome gradient_step(LocalModel&, const Measure&, Region&);

}  // namespace tyto::solve
