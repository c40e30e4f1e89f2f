// The check of a mapping against rules. Single numbers are number.cpp, suggestions are familiar.cpp.
#include "config/check.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "config/familiar.hpp"
#include "config/number.hpp"
#include "error/fail.hpp"

namespace tyto::config {
namespace {

using Item = SettingsNode::Item;
using Findings = std::vector<Finding>;
using Texts = std::vector<std::string>;

bool contains(const Texts& texts, const std::string& text) { return std::find(texts.begin(), texts.end(), text) != texts.end(); }

std::string joined(const Texts& texts) {
  std::string line;
  for (const std::string& text : texts) line.append(line.empty() ? "" : ", ").append(text);
  return line;
}

/// A later word is refused by name. True if it was one.
bool is_of_later_version(const Node& node, const Rule& rule, const std::string& path, Findings& findings) {
  if (node.form != Node::Form::scalar || !contains(rule.later, node.text)) return false;
  findings.push_back({.code = Code::unsupported,
                      .where = node.where,
                      .what = "'" + path + ": " + node.text + "' is not part of this version",
                      .expected = expectation(rule),
                      .found = node.text,
                      .hint = !rule.instead.empty()       ? rule.instead
                              : rule.key.fallback.empty() ? "leaving it out"
                                                          : rule.key.fallback});
  return true;
}

void check_text(const Node& node, Item& item, const std::string& path, Findings& findings) {
  const Rule& rule = item.rule;
  if (node.form != Node::Form::scalar) {
    findings.push_back(wrong_type(node, rule, path, rule.key.kind == Kind::choice ? "a word" : "a text"));
    return;
  }
  if (!rule.key.choices.empty() && !contains(rule.key.choices, node.text)) {
    const std::string near = suggest_choice(node.text, rule.key.choices);
    findings.push_back({.code = Code::unknown_word,
                        .where = node.where,
                        .what = "unknown word '" + node.text + "' for '" + path + "'",
                        .expected = expectation(rule),
                        .found = node.text,
                        .hint = !near.empty()               ? near
                                : rule.key.fallback.empty() ? rule.key.choices.front()
                                                            : rule.key.fallback + ", the default"});
    return;
  }
  item.texts.push_back(node.text);
}

/// {file: path} in place of a word.
void check_file(const Node& node, Item& item, const std::string& path, Findings& findings) {
  const std::size_t before = findings.size();
  const auto file = check(node, Rules{{.key = text("file", "path of the array")}}, path, findings);
  if (findings.size() > before) return;
  item.is_file = true;
  item.texts = file->items.front().texts;
}

void check_scalar(const Node& node, Item& item, const std::string& path, Findings& findings) {
  const Rule& rule = item.rule;
  if (is_of_later_version(node, rule, path, findings)) return;
  if (!rule.word.empty() && node.form == Node::Form::scalar && node.text == rule.word) {
    item.texts = {rule.word};
    return;
  }
  switch (rule.key.kind) {
    case Kind::integer:
    case Kind::integers:
      if (const auto value = read_integer(node, rule, path, findings)) item.integers.push_back(*value);
      return;
    case Kind::real:
    case Kind::reals:
    case Kind::schedule:
      if (const auto value = read_real(node, rule, path, findings)) item.reals.push_back(*value);
      return;
    case Kind::flag: item.flag = read_flag(node, rule, path, findings).value_or(false); return;
    default: check_text(node, item, path, findings);
  }
}

void check_list(const Node& node, Item& item, const std::string& path, Findings& findings) {
  if (node.form == Node::Form::mapping || node.form == Node::Form::nothing) {
    findings.push_back(wrong_type(node, item.rule, path, "a value or a list"));
    findings.back().expected = whole_expectation(item.rule);
    return;
  }
  if (node.form == Node::Form::scalar) {
    check_scalar(node, item, path, findings);
    return;
  }
  if (node.items.empty() && item.rule.key.kind == Kind::schedule) {
    findings.push_back(
        {.code = Code::out_of_range,
         .where = node.where,
         .what = "'" + path + "' is an empty list",
         .expected = whole_expectation(item.rule),
         .found = "[]",
         .hint = item.rule.key.fallback.empty() ? "one number, which holds for all sweeps" : item.rule.key.fallback});
  }
  for (std::size_t k = 0; k < node.items.size(); ++k) {
    check_scalar(node.items[k], item, path + "[" + std::to_string(k) + "]", findings);
  }
}

/// The mapping that a group is, or a finding.
void check_group(const Node& node, Item& item, const std::string& path, Findings& findings) {
  const bool is_mapping = node.form == Node::Form::mapping || node.form == Node::Form::nothing;
  if (!is_mapping) {
    const bool has_file = contains(names_of(item.rule.members), "file") && node.form == Node::Form::scalar;
    findings.push_back({.code = Code::wrong_type,
                        .where = node.where,
                        .what = "'" + path + "' is not a mapping",
                        .expected = "a mapping with " + joined(names_of(item.rule.members)),
                        .found = name_of(node),
                        .hint = has_file ? "{file: " + node.text + "}" : "{" + names_of(item.rule.members).front() + ": ...}"});
  }
  Findings none;
  item.groups.push_back(
      check(is_mapping ? node : Node{.where = node.where}, item.rule.members, path, is_mapping ? findings : none));
}

void check_groups(const Node& node, Item& item, const std::string& path, Findings& findings) {
  if (node.form == Node::Form::nothing) {
    findings.push_back(wrong_type(node, item.rule, path, "a list of mappings"));
    return;
  }
  if (node.form != Node::Form::list) {
    check_group(node, item, path, findings);
    return;
  }
  for (std::size_t k = 0; k < node.items.size(); ++k) {
    check_group(node.items[k], item, path + "[" + std::to_string(k) + "]", findings);
  }
}

void check_named(const Node& node, Item& item, const std::string& path, Findings& findings) {
  if (node.form == Node::Form::nothing) return;
  if (node.form != Node::Form::mapping) {
    findings.push_back(wrong_type(node, item.rule, path, "a mapping", "{" + item.rule.word + ": {...}}"));
    return;
  }
  for (const Entry& entry : node.entries) {
    item.texts.push_back(entry.key);
    check_group(entry.value, item, path + "." + entry.key, findings);
  }
}

/// One group with an item for each name.
void check_entries(const Node& node, Item& item, const std::string& path, Findings& findings) {
  const Rule& member = item.rule.members.front();
  if (node.form != Node::Form::mapping && node.form != Node::Form::nothing) {
    findings.push_back(wrong_type(node, item.rule, path, "a mapping", "{" + item.rule.word + ": ...}"));
    return;
  }
  Rules rules;
  Texts names;
  for (const Entry& entry : node.entries) {
    if (contains(names, entry.key)) continue;
    names.push_back(entry.key);
    rules.push_back(member);
    rules.back().key.name = entry.key;
    rules.back().is_optional = true;
  }
  item.groups.push_back(check(node, rules, path, findings));
}

void check_value(const Node& node, Item& item, const std::string& path, Findings& findings) {
  const Rule& rule = item.rule;
  if (rule.form == Form::named) return check_named(node, item, path, findings);
  if (rule.form == Form::entries) return check_entries(node, item, path, findings);
  if (rule.form == Form::plugin) {
    if (node.form == Node::Form::scalar || node.form == Node::Form::list) {
      findings.push_back(wrong_type(node, rule, path, "a mapping", "{rank: 3}"));
    }
    return;
  }
  if (rule.takes_file && node.form == Node::Form::mapping) return check_file(node, item, path, findings);
  if (rule.key.kind == Kind::group) return check_group(node, item, path, findings);
  if (rule.key.kind == Kind::groups) return check_groups(node, item, path, findings);
  if (rule.is_list()) return check_list(node, item, path, findings);
  check_scalar(node, item, path, findings);
}

void set_default(Item& item, const std::string& path) {
  const std::string& fallback = item.rule.key.fallback;
  if (fallback.empty()) return;
  Findings findings;
  check_value(parse_yaml(fallback, "the default of '" + path + "'"), item, path, findings);
  for (Finding& finding : findings) {
    finding.code = Code::plugin_rule;
    finding.where = {};
    finding.hint = "reporting this to the author of the algorithm";
    finding.context.push_back("while checking the default of '" + path + "' in its schema");
  }
  throw_if_any(findings);
}

/// One value of the kind, so that a refused item can still be read.
void fill_blank(Item& item) {
  const Kind kind = item.rule.key.kind;
  if (kind == Kind::integer && item.integers.empty() && item.texts.empty()) item.integers = {0};
  if ((kind == Kind::real || kind == Kind::schedule) && item.reals.empty() && item.texts.empty()) item.reals = {0};
  if ((kind == Kind::text || kind == Kind::choice) && item.texts.empty()) item.texts = {""};
}

class MappingCheck {
 public:
  MappingCheck(const Node& node, const Rules& rules, std::string path, Findings& findings)
      : node_(node), rules_(rules), names_(names_of(rules)), path_(std::move(path)), findings_(findings) {}

  std::shared_ptr<const SettingsNode> run() {
    for (const Entry& entry : node_.entries) check_key(entry);
    auto checked = std::make_shared<SettingsNode>();
    checked->path = path_;
    checked->where = node_.where;
    for (const Rule& rule : rules_) {
      if (rule.form != Form::later) checked->items.push_back(item(rule));
    }
    return checked;
  }

 private:
  std::string path_of(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

  void check_key(const Entry& entry) {
    if (contains(names_, entry.key)) return;
    for (const Rule& rule : rules_) {
      if (rule.key.name == entry.key) return refuse_later(entry, rule);
    }
    std::string hint;
    const std::size_t end = entry.key.find_first_of(": ");
    if (end != std::string::npos && entry.value.form == Node::Form::nothing && contains(names_, entry.key.substr(0, end))) {
      suggested_.push_back(entry.key.substr(0, end));
      hint = "'" + suggested_.back() + ": " + entry.key.substr(end + 1) + "', with a colon and a space";
    } else {
      hint = suggest_key(entry.key, path_, names_);
      suggested_.push_back(hint);
    }
    findings_.push_back({.code = Code::unknown_key,
                         .where = entry.where,
                         .what = "unknown key '" + path_of(entry.key) + "'",
                         .expected = names_.empty() ? "no keys here" : joined(names_),
                         .found = entry.key,
                         .hint = hint.empty() ? "removing it" : hint});
  }

  void refuse_later(const Entry& entry, const Rule& rule) {
    suggested_.push_back(rule.instead);
    findings_.push_back({.code = Code::unsupported,
                         .where = entry.where,
                         .what = "key '" + path_of(entry.key) + "' is not part of this version",
                         .expected = joined(names_),
                         .found = entry.key,
                         .hint = rule.instead.empty() ? "removing it" : rule.instead});
  }

  Item item(const Rule& rule) {
    Item item = {.rule = rule};
    const std::string path = path_of(rule.key.name);
    const Node* const given = node_.find(rule.key.name);
    const std::size_t before = findings_.size();
    if (given != nullptr) {
      item.is_given = item.is_present = true;
      item.where = given->where;
      check_value(*given, item, path, findings_);
      if (findings_.size() > before && !rule.is_group()) {  // refused: the default in its place
        item.is_present = !rule.key.fallback.empty();
        Item fresh = {.rule = rule, .where = item.where, .is_given = true, .is_present = item.is_present};
        set_default(fresh, path);
        item = std::move(fresh);
      }
    } else if (!rule.key.fallback.empty()) {
      item.is_present = true;
      set_default(item, path);
    } else if (rule.key.kind == Kind::group && !rule.is_optional && rule.form == Form::as_key) {
      item.is_present = true;
      check_group({.where = node_.where}, item, path, findings_);
    } else if (rule.is_mandatory() && !contains(suggested_, rule.key.name)) {
      report_missing(rule, path);
    }
    fill_blank(item);
    return item;
  }

  void report_missing(const Rule& rule, const std::string& path) {
    const std::string help = rule.key.help.empty() ? "" : ": " + rule.key.help;
    findings_.push_back(
        {.code = Code::missing_key,
         .where = node_.where,
         .what = "key '" + path + "' is missing",
         .expected = whole_expectation(rule) + help,
         .hint = "adding '" + rule.key.name + ": ...' " + (path_.empty() ? "at the top level" : "to '" + path_ + "'")});
  }

  const Node& node_;
  const Rules& rules_;
  const Texts names_;
  const std::string path_;
  Findings& findings_;
  Texts suggested_;  ///< a key misspelled is not reported as missing, too
};

}  // namespace

std::shared_ptr<const SettingsNode> check(const Node& node, const Rules& rules, const std::string& path, Findings& findings) {
  return MappingCheck(node, rules, path, findings).run();
}

std::shared_ptr<const SettingsNode> check(const Node& node, const Schema& schema, const std::string& path, Findings& findings) {
  return check(node, rules_of(schema), path, findings);
}

void sort_by_place(Findings& findings) {
  const auto place = [](const Finding& finding) {
    const Where& where = finding.where;
    return std::make_tuple(where.file.rfind("--set ", 0) == 0, where.file, where.line, where.column);
  };
  std::stable_sort(findings.begin(), findings.end(), [&](const Finding& a, const Finding& b) { return place(a) < place(b); });
}

void throw_if_any(Findings findings) {
  if (findings.empty()) return;
  sort_by_place(findings);
  throw Error(std::move(findings));
}

}  // namespace tyto::config
