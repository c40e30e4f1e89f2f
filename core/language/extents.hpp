#pragma once
/// How long each label is. Labels of data come from the data, others from `extents:` or from labels that name the same axis of an
/// unknown. Labels that name one axis share one dimension.
#include "language/objective.hpp"

namespace tyto::language {

/// Fills in `extents`. Findings name both sides of a contradiction, and labels of which nothing is known.
std::vector<Finding> settle_extents(Objective&, const std::vector<Input>&);

}  // namespace tyto::language
