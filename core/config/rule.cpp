// Rules from schemas, and their texts.
#include "config/rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "error/fail.hpp"

namespace tyto::config {
namespace {

std::string or_word(const Rule& rule) { return rule.word.empty() ? "" : " or " + rule.word; }

std::string words_of(const Rule& rule) {
  std::vector<std::string> words = rule.key.choices;
  if (rule.takes_file) words.emplace_back("{file: ...}");
  return listed(words);
}

std::string limits(const Key& key) {
  const std::string range = range_of(key);
  return range.empty() ? "" : " " + range;
}

}  // namespace

bool Rule::is_list() const {
  return key.kind == Kind::integers || key.kind == Kind::reals || key.kind == Kind::texts || key.kind == Kind::schedule;
}

bool Rule::is_mandatory() const {
  if (is_optional || form == Form::later || form == Form::plugin || form == Form::named || form == Form::entries) return false;
  if (key.kind == Kind::group) return std::any_of(members.begin(), members.end(), [](const Rule& m) { return m.is_mandatory(); });
  return key.fallback.empty();
}

Rules rules_of(const Schema& schema) {
  Rules rules;
  for (const Key& key : schema) rules.push_back({.key = key, .is_optional = key.is_optional, .members = rules_of(key.keys)});
  return rules;
}

std::vector<std::string> names_of(const Rules& rules) {
  std::vector<std::string> names;
  for (const Rule& rule : rules) {
    if (rule.form != Form::later) names.push_back(rule.key.name);
  }
  return names;
}

std::string range_of(const Key& key) {
  const std::string low = std::isfinite(key.low) ? fmt::format("{} {}", key.low_open ? ">" : ">=", key.low) : "";
  const std::string high = std::isfinite(key.high) ? fmt::format("<= {}", key.high) : "";
  return low.empty() || high.empty() ? low + high : low + " and " + high;
}

std::string expectation(const Rule& rule) {
  const Key& key = rule.key;
  switch (key.kind) {
    case Kind::integer:
    case Kind::integers: return "an integer" + limits(key) + or_word(rule);
    case Kind::real:
    case Kind::reals:
    case Kind::schedule: return "a number" + limits(key) + (key.unit.empty() ? "" : " in " + key.unit) + or_word(rule);
    case Kind::flag: return "true or false";
    case Kind::choice: return words_of(rule);
    case Kind::text:
    case Kind::texts: return key.choices.empty() ? "a text" : words_of(rule);
    case Kind::group:
      return rule.form == Form::named     ? "a mapping from names to mappings"
             : rule.form == Form::entries ? "a mapping from names, each with " + expectation(rule.members.front())
                                          : "a mapping";
    case Kind::groups: return "a list of mappings";
  }
  return {};
}

std::string whole_expectation(const Rule& rule) { return expectation(rule) + (rule.is_list() ? ", or a list" : ""); }

std::string summary(const Rule& rule) {
  const Key& key = rule.key;
  const std::string unit = key.unit.empty() ? "" : ", " + key.unit;
  switch (key.kind) {
    case Kind::integer: return "integer" + limits(key) + unit + or_word(rule);
    case Kind::integers: return "integers" + limits(key) + unit + or_word(rule);
    case Kind::real: return "number" + limits(key) + unit + or_word(rule);
    case Kind::reals: return "numbers" + limits(key) + unit + or_word(rule);
    case Kind::schedule: return "number" + limits(key) + unit + ", or list per sweep";
    case Kind::flag: return "true or false";
    case Kind::text: return "text";
    case Kind::texts: return key.choices.empty() ? "texts" : "list of " + listed(key.choices);
    case Kind::choice: return words_of(rule);
    case Kind::group:
      return rule.form == Form::plugin                                ? "of the algorithm"
             : rule.form == Form::named || rule.form == Form::entries ? "for each name"
                                                                      : "";
    case Kind::groups: return "list of";
  }
  return {};
}

}  // namespace tyto::config
