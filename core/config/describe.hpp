#pragma once
/// What may be written, for people and for editors: made from the same rules that check it.
#include <string>

#include "config/rule.hpp"

namespace tyto::config {

/// One line for each key in aligned columns: key, what it takes, default, help; members of groups are indented.
std::string help_text(const Rules&);
std::string help_text(const Schema&);

/// A table in Markdown with full keys ("model.sites").
std::string markdown(const Rules&);
std::string markdown(const Schema&);

/// JSON schema (draft 2020-12) for editors that check YAML; closed: further keys are refused.
std::string json_schema(const Rules&, const std::string& title);
std::string json_schema(const Schema&, const std::string& title);

}  // namespace tyto::config
