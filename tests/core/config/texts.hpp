#pragma once
// The text that a person sees for a piece of config, for comparison as a whole.
#include <string>
#include <utility>
#include <vector>

#include "config/check.hpp"
#include "config/run_config.hpp"
#include "tyto/error.hpp"

namespace tyto::config {

/// What `body` throws, as text.
template <class Body>
std::string text_of(Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

inline std::string text_of_findings(std::vector<Finding> findings) {
  return text_of([&] { throw_if_any(std::move(findings)); });
}

/// What is wrong with a mapping under `settings`.
inline std::string check_text(const std::string& yaml, const Schema& schema) {
  std::vector<Finding> findings;
  check(parse_yaml(yaml, "x.yaml"), schema, "settings", findings);
  return text_of_findings(findings);
}

/// The values of a mapping that is right.
inline Settings checked(const std::string& yaml, const Schema& schema) {
  std::vector<Finding> findings;
  const auto node = check(parse_yaml(yaml, "x.yaml"), schema, "settings", findings);
  throw_if_any(findings);
  return Settings(node);
}

inline RunConfig run_config(const std::string& yaml) { return read_run_config(Document::from_text(yaml, "x.yaml")); }

}  // namespace tyto::config
