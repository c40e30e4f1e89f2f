#pragma once
/// `tyto run` and `tyto resume`: progress for a person, interruption, and what the exit status says about the result.
#include <tyto/session.hpp>
#include "commands.hpp"

/// With --compare once for each name; runs after the first write into folders within that of the first.
/// Throws what is found before the first sweep; prints what goes wrong later and returns exit_status::failed.
int run(const Arguments&);
