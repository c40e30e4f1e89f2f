#pragma once
/// Where each unknown starts: its entry under `unknowns:`, then `solver.init`, then what the plugin said.
#include "session/compile.hpp"

namespace tyto::session {

/// Fills Start of every unknown. Error for a file of another shape, an hosvd start without data that shares the first axis, a start
/// that is to be given and is not.
void set_starts(Declared&, const config::RunConfig&);

}  // namespace tyto::session
