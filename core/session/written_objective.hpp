#pragma once
/// The objective that stands in the run file, handed to the language that it is written in.
#include "config/run_config.hpp"
#include "language/objective.hpp"
#include "session/inputs.hpp"

namespace tyto::session {

/// As trees; Error{syntax} with every text that is none.
language::Objective written_objective(const config::RunConfig&);
/// What it may name.
std::vector<language::Input> named_in_objective(const std::vector<Loaded>&);

}  // namespace tyto::session
