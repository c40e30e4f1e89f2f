#pragma once
/// Who solves the linear systems of steps, and who runs minimizers: built-in methods, PETSc or Trilinos, as the run file says.
#include "session/flow.hpp"

namespace tyto::session {

/// Loads the backends that the run needs and no other, and notes in the setup who does what. Error{contradiction} where the
/// method that is named is not one of the backend, or where an unknown has bounds that its kernels do not keep;
/// Error{backend} where a backend that is needed is not here.
void choose_linear_algebra(Prepared&);

/// "-ksp_type minres -ksp_view" as names with values: {"ksp_type", "minres"}, {"ksp_view", ""}.
std::vector<std::pair<std::string, std::string>> library_options(const std::string& text);

}  // namespace tyto::session
