#pragma once
/// Words that people know from other tools, and what they are called here.
#include <string>
#include <vector>

#include "config/rule.hpp"

namespace tyto::config {

/// Full keys ("solver.max_sweeps") that do what `word` does elsewhere or that have this very name in another section; best first.
std::vector<std::string> familiar_keys(const std::string& word);

/// What to write instead of the unknown key `word` in the mapping `path` with these keys: a key of that mapping, else a full key of
/// another one, else empty.
std::string suggest_key(const std::string& word, const std::string& path, const std::vector<std::string>& names);

/// What to write instead of a word that is not a choice; empty if nothing is near.
std::string suggest_choice(const std::string& word, const std::vector<std::string>& choices);

}  // namespace tyto::config
