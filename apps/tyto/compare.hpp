#pragma once
/// One run with several backends or executors, and how far their results lie apart.
#include <tyto/session.hpp>
#include "command_line.hpp"

/// The key and value that stand for a name of --compare: "petsc" is solver.backend: petsc, "reference" execution.executor:
/// reference. Error{unknown_word} for any other.
std::pair<std::string, std::string> setting_for(const std::string& name);

/// A line for each run: objective, sweeps, seconds, and the largest difference of an entry of an unknown from the first run,
/// relative to the largest entry of that unknown.
std::string comparison(const std::vector<std::string>& names, const std::vector<tyto::Result>& results);
