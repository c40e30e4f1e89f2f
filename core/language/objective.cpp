#include "language/objective.hpp"
#include <algorithm>
#include <tuple>
#include <utility>
#include "error/fail.hpp"
#include "language/extents.hpp"
#include "language/labels.hpp"
#include "language/names.hpp"
#include "language/parse.hpp"

namespace tyto::language {

namespace {

/// Runs `body`; findings of an Error are kept for later.
template <class Body>
void collect(std::vector<Finding>& findings, Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    findings.insert(findings.end(), error.findings().begin(), error.findings().end());
  }
}

/// In the order of the text; of several at one place the first, which is the cause of the others.
void throw_if_any(std::vector<Finding> findings) {
  if (findings.empty()) return;
  const auto place = [](const Finding& f) { return std::make_tuple(f.where.line, f.where.column); };
  std::stable_sort(findings.begin(), findings.end(), [&](const Finding& a, const Finding& b) { return place(a) < place(b); });
  const auto is_same = [&](const Finding& a, const Finding& b) { return a.where.line > 0 && place(a) == place(b); };
  findings.erase(std::unique(findings.begin(), findings.end(), is_same), findings.end());
  throw Error(std::move(findings));
}

}  // namespace

Objective parsed(Statement statement) {
  Objective objective;
  std::vector<Finding> findings;
  for (const Statement::Definition& d : statement.definitions) {
    Objective::Definition& read = objective.definitions.emplace_back();
    read.name.source = d.name, read.value.source = d.value;
    collect(findings, [&] { read.name.tree = parse_name(d.name); });
    collect(findings, [&] { read.value.tree = parse(d.value); });
  }
  objective.minimize.source = statement.minimize;
  collect(findings, [&] { objective.minimize.tree = parse(statement.minimize); });
  throw_if_any(std::move(findings));
  objective.statement = std::move(statement);
  return objective;
}

Objective checked(Objective objective, const std::vector<Input>& inputs) {
  throw_if_any(check_names(objective, inputs));
  std::vector<Finding> findings = settle_labels(objective);
  for (Finding& finding : settle_extents(objective, inputs)) findings.push_back(std::move(finding));
  throw_if_any(std::move(findings));
  return objective;
}

}  // namespace tyto::language
