// Help as text and as Markdown. The JSON schema is json_schema.cpp.
#include "config/describe.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace tyto::config {
namespace {

/// Key, what it takes, default, help.
using Row = std::array<std::string, 4>;

std::string default_of(const Rule& rule) {
  if (!rule.key.fallback.empty()) return rule.key.fallback;
  if (rule.is_mandatory()) return rule.is_group() ? "" : "mandatory";
  return rule.is_group() ? "" : "optional";
}

std::string indented(const std::string& name, int level) { return std::string(static_cast<std::size_t>(2 * level), ' ') + name; }

void collect_rows(const Rules& rules, int level, std::vector<Row>& rows) {
  for (const Rule& rule : rules) {
    if (rule.form == Form::later) continue;
    rows.push_back({indented(rule.key.name, level), summary(rule), default_of(rule), rule.key.help});
    const bool is_named = rule.form == Form::named;
    if (rule.form == Form::entries) {
      const Rule& member = rule.members.front();
      rows.push_back({indented(rule.word, level + 1), "any name: " + summary(member), "", member.key.help});
      continue;
    }
    if (is_named) rows.push_back({indented(rule.word, level + 1), "any name", "", ""});
    collect_rows(rule.members, level + (is_named ? 2 : 1), rows);
  }
}

/// A column is as wide as its widest text, up to 36; a longer text sends the rest of its row to the next line.
std::array<std::size_t, 3> widths_of(const std::vector<Row>& rows) {
  constexpr std::size_t widest = 36;
  std::array<std::size_t, 3> widths = {};
  for (const Row& row : rows) {
    for (std::size_t k = 0; k < widths.size(); ++k) widths[k] = std::max(widths[k], std::min(row[k].size(), widest));
  }
  return widths;
}

std::string line_of(const Row& row, const std::array<std::size_t, 3>& widths) {
  std::string text, line;
  std::size_t column = 0;
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (line.size() > column) {
      text += line + "\n";
      line.clear();
    }
    line.resize(column, ' ');
    line += row[k];
    if (k < widths.size()) column += widths[k] + 2;
    if (k < widths.size() && line.size() + 2 <= column) line.resize(column, ' ');
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return text + line + "\n";
}

void write_markdown(const Rules& rules, const std::string& path, std::string& text) {
  const auto cell = [](const std::string& content) {
    std::string escaped;
    for (const char c : content) escaped.append(c == '|' ? "\\|" : std::string(1, c));
    return escaped;
  };
  for (const Rule& rule : rules) {
    if (rule.form == Form::later) continue;
    const std::string name = path + rule.key.name;
    text += "| `" + name + "` | " + cell(summary(rule)) + " | " + cell(default_of(rule)) + " | " + cell(rule.key.help) + " |\n";
    if (rule.form == Form::entries) {
      const Rule& member = rule.members.front();
      text += "| `" + name + ".*` | " + cell(summary(member)) + " |  | " + cell(member.key.help) + " |\n";
      continue;
    }
    const std::string inner = rule.form == Form::named ? name + ".*" : rule.key.kind == Kind::groups ? name + "[]" : name;
    write_markdown(rule.members, inner + ".", text);
  }
}

}  // namespace

std::string help_text(const Rules& rules) {
  std::vector<Row> rows;
  collect_rows(rules, 0, rows);
  const std::array<std::size_t, 3> widths = widths_of(rows);
  std::string text;
  for (const Row& row : rows) text += line_of(row, widths);
  return text;
}

std::string markdown(const Rules& rules) {
  std::string text = "| key | value | default | meaning |\n| --- | --- | --- | --- |\n";
  write_markdown(rules, "", text);
  return text;
}

std::string help_text(const Schema& schema) { return help_text(rules_of(schema)); }
std::string markdown(const Schema& schema) { return markdown(rules_of(schema)); }

}  // namespace tyto::config
