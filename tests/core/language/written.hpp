#pragma once
// Objectives as text over a few inputs, and what becomes of them.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>
#include "evaluate/error_text.hpp"
#include "language/objective.hpp"
#include "problem/recorder.hpp"

namespace tyto::language {

/// Extents of the labels i, j, k and r that the text has: those of X, and 2.
inline std::vector<std::pair<std::string, std::int64_t>> extents_in(const std::string& text) {
  std::vector<std::pair<std::string, std::int64_t>> extents;
  for (const auto& [label, extent] : {std::pair{"i", 2}, {"j", 3}, {"k", 4}, {"r", 2}})
    for (const char* before : {"[", ","})
      for (const char* after : {"]", ","})
        if (text.find(before + std::string(label) + after) != std::string::npos &&
            (extents.empty() || extents.back().first != label))
          extents.emplace_back(label, extent);
  return extents;
}

/// Data X(2,3,4), Y(2,5), Z(2,2), v(2) and W(2,3), of these what the text names, with weights where it names them.
struct Written {
  std::vector<Input> inputs{{"X", {2, 3, 4}, false, {"run.yaml", 4, 3}},
                            {"Y", {2, 5}, false, {"run.yaml", 5, 3}},
                            {"Z", {2, 2}, false, {"run.yaml", 6, 3}},
                            {"v", {2}, false, {"run.yaml", 7, 3}},
                            {"W", {2, 3}, false, {"run.yaml", 8, 3}}};
  Statement statement = {};

  explicit Written(const std::string& minimize, const std::vector<std::string>& unknowns = {},
                   const std::vector<std::pair<std::string, std::int64_t>>& extents = {},
                   const std::vector<std::pair<std::string, std::string>>& define = {}) {
    statement.minimize = {minimize, "f", {}};
    for (const auto& [name, value] : define) statement.definitions.push_back({{name, "name", {}}, {value, "value", {}}});
    for (const std::string& name : unknowns) statement.unknowns.push_back({name, {"run.yaml", 9, 5}});
    for (const auto& [label, extent] : extents) statement.extents.push_back({label, extent, {"run.yaml", 10, 11}});
  }

  std::vector<Input> known() const {
    std::string all = statement.minimize.text;
    for (const Statement::Definition& d : statement.definitions) all += " " + d.value.text;
    std::vector<Input> named = inputs;
    for (Input& in : named) in.has_weights = all.find(in.name + ".weights") != std::string::npos;
    std::erase_if(named, [&](const Input& in) {
      return all.find(in.name + "[") == std::string::npos && all.find(in.name + ".") == std::string::npos;
    });
    return named;
  }

  Expr expression() const {
    const Objective objective = checked(parsed(statement), known());
    std::vector<problem::Input> provided;
    for (const Input& in : known()) {
      provided.push_back({.name = in.name, .extents = in.extents, .has_weights = in.has_weights});
      for (std::size_t n = 0; n < in.extents.size(); ++n) provided.back().modes.push_back(std::to_string(n));
    }
    problem::Recorder recorder(provided, [](const std::string&) { return problem::UserTraits{}; });
    return built(objective, recorder);
  }
  std::string refusal() const {
    return test::error_of([&] { (void)expression(); });
  }
};

}  // namespace tyto::language
