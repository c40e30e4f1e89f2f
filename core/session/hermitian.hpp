#pragma once
/// What an eigenproblem of a train asks of data: that the operator between the states is Hermitian.
#include "session/compile.hpp"

namespace tyto::session {

/// Error{contradiction} at the place of an input for matrix product operators with data in them, one tensor a site, that are not
/// Hermitian to rounding. Operators of constants are made here and are.
void check_hermitian(const Declared&, const std::vector<Loaded>& inputs);

}  // namespace tyto::session
