#pragma once
/// Numbers and flags from the scalars of a config, with a finding where the text is none or lies outside of its range.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/node.hpp"
#include "config/rule.hpp"

namespace tyto::config {

/// `path` names the value in messages ("solver.seed", "settings.ranks[2]"). Nothing where a finding was added.
std::optional<std::int64_t> read_integer(const Node&, const Rule&, const std::string& path, std::vector<Finding>&);
/// "1", "1e-12", ".5"; not "inf" or "nan".
std::optional<double> read_real(const Node&, const Rule&, const std::string& path, std::vector<Finding>&);
/// true, false, yes, no, on or off, in lower, upper or title case.
std::optional<bool> read_flag(const Node&, const Rule&, const std::string& path, std::vector<Finding>&);

/// "'solver.seed' is not an integer", with what was expected; the hint is the default if none is given here.
Finding wrong_type(const Node&, const Rule&, const std::string& path, const std::string& what, const std::string& hint = {});

}  // namespace tyto::config
