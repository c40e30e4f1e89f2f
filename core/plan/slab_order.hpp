#pragma once
/// An order of steps in which those of each group follow each other.
#include <optional>
#include <vector>
#include "program/program.hpp"

namespace tyto::plan {

/// Every step behind what it reads, each group in one piece, otherwise as near to the order of the program as can be. Nothing if a
/// step outside a group stands between two of it. Groups are sorted and share no steps.
std::optional<std::vector<program::StepId>> order_with(const program::Program&,
                                                       const std::vector<std::vector<program::StepId>>& groups);

/// The program with its steps in another order, kernels and constants too.
void reorder(program::Program&, const std::vector<program::StepId>& order);

}  // namespace tyto::plan
