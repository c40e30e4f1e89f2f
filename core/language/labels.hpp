#pragma once
/// The rule of summation: which labels each part of an expression has.
///
/// A label that stands in two or more factors of a product is summed, unless the result must have it: because the other side of a
/// + or - has it, or because brackets behind the parentheses say so. A label in one factor stays. Nothing else sums silently.
///
/// First every node is told, from the leaves up, which labels it must have and which more it may have: those repeated in
/// products. Then, from the root down, each gets the labels that its surroundings need. Where neither reading is excluded and
/// they differ, that is an error with both.
#include "language/objective.hpp"

namespace tyto::language {

/// Fills in `result` of every node.
std::vector<Finding> settle_labels(Objective&);

}  // namespace tyto::language
