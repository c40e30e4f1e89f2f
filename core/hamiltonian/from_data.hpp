#pragma once
/// Matrix product operators that come as data of a run.
#include <string>
#include "tyto/plugin.hpp"

namespace tyto::hamiltonian {

/// The list of tensors under that name with neighbours joined, as [left][right][out][in]. Error at the place of the data for what
/// is no matrix product operator (see faults_of_form).
Exprs operators_of_data(Declaration&, const std::string& input);

/// For people: "H: 10 tensors with bonds up to 5, on sites of 2 states".
std::string description(const std::string& input, const Exprs& operators);

}  // namespace tyto::hamiltonian
