#pragma once
/// `tyto scan`: a line for each run, a table of what is kept for each value, and the exit status of the worst of these.
#include "command_line.hpp"

/// Throws what is found before the first sweep; prints what goes wrong later and returns exit_status::failed.
int scan(const Arguments&);
