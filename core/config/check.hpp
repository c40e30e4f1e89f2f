#pragma once
/// A config against its schema: every fault becomes a finding with its place, and whatever is right becomes readable values.
#include <memory>
#include <string>
#include <vector>

#include "config/node.hpp"
#include "config/rule.hpp"
#include "config/settings_node.hpp"

namespace tyto::config {

/// Checks a mapping (or nothing, which stands for an empty one) and fills in defaults. `path` is its full key, "settings" or empty
/// at the top level. Findings are appended in the order of the schema; see sort_by_place. Duplicate keys are the business of
/// Document::duplicates. Throws Error{plugin_rule} if a default does not fit its own rule.
std::shared_ptr<const SettingsNode> check(const Node&, const Rules&, const std::string& path, std::vector<Finding>&);
std::shared_ptr<const SettingsNode> check(const Node&, const Schema&, const std::string& path, std::vector<Finding>&);

/// The order in which a person meets them in the file; what the command line set comes last.
void sort_by_place(std::vector<Finding>&);
/// Throws one Error with all findings, sorted by place, if there are any.
void throw_if_any(std::vector<Finding>);

}  // namespace tyto::config
