#pragma once
/// The formula of a step that does the work of several nodes, from the step itself.
#include <functional>
#include <string>
#include "program/program.hpp"

namespace tyto::explain {

/// A buffer under the names of its labels, axis by axis: "T7(m1,r)".
using OperandText = std::function<std::string(program::BufferId, const std::vector<std::string>& labels)>;

/// Whether a step does more, or something else, than the node it is for says.
bool is_fused(const program::Operation&);
/// "H(i,r) = 2*A(i,[s]) Z([s],r) + P(i,r)", "f = 0.5*sum[i,j] (X(i,j) - Y(i,j))^2"; factors that are multiplied on the way stand in
/// parentheses. Of fused steps and combinations only.
std::string step_formula(const program::Operation&, const std::vector<program::Buffer>&, const OperandText& text_of);

}  // namespace tyto::explain
