#pragma once
/// How far a point is from a minimum under bounds, by the first-order conditions of Karush, Kuhn and Tucker.
#include <vector>
#include "solve/setup.hpp"

namespace tyto::solve {

/// |x - P(x - s g)| / |x|, P(y) the point nearest to y within the bounds of the unknown, in the 2-norm: 0 exactly where no feasible
/// step descends. Of x >= 0 it is |min(x, s g)| / |x|. The length s = |x|^2 / (2 size) brings the slope g to the units of x, `size`
/// being what the objective is measured by: the residual is the same in whatever units data and unknown are. |x| = 0 and size = 0
/// count as 1.
double optimality(const Tensor& unknown, const std::vector<double>& x, const std::vector<double>& slope, double size);

/// The part of a slope along which a point may still descend: none that leads out of the bounds of the unknown.
void drop_blocked(const Tensor& unknown, const std::vector<double>& x, std::vector<double>& slope);

}  // namespace tyto::solve
