#pragma once
/// The commands of the host. Each prints for a person and returns an exit status.
#include <tyto/session.hpp>
#include "command_line.hpp"

/// Stable: scripts depend on them. See usage().
namespace exit_status {
constexpr int done = 0, failed = 1, refused = 2, not_converged = 3;
}

/// What the command line asks for. Errors before the first sweep are thrown.
int execute(const Arguments&);

/// The run file with the settings of --set.
tyto::Session session_of(const Arguments&);
