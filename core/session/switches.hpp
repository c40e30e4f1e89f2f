#pragma once
/// The names under `switched_off`: passes of the optimizer and fusions of the planner, in one list for those who write it.
#include <string>
#include <vector>
#include "tyto/error.hpp"

namespace tyto::session {

struct Switches {
  std::vector<std::string> passes, fusions;
};
/// One finding for each name that is neither.
std::vector<Finding> unknown_switches(const std::vector<std::string>& switched_off);
/// Throws Error{unknown_word} for the names that are neither.
Switches switches_of(const std::vector<std::string>& switched_off);

}  // namespace tyto::session
