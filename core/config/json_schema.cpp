// Rules as a JSON schema.
#include "config/check.hpp"
#include "config/config_json.hpp"
#include "config/describe.hpp"

#include <cmath>

namespace tyto::config {
namespace {

using Layout = JsonWriter::Layout;

void write_object_members(JsonWriter&, const Rules&);
void write_object(JsonWriter&, const Rules&);

/// The members of a schema for one number, word or text.
void write_single(JsonWriter& json, const Rule& rule) {
  const Key& key = rule.key;
  const bool is_integer = key.kind == Kind::integer || key.kind == Kind::integers;
  if (!key.choices.empty()) {
    json.member("enum", key.choices);
  } else if (key.kind == Kind::flag) {
    json.member("type", "boolean");
  } else if (key.kind == Kind::text || key.kind == Kind::texts) {
    json.member("type", "string");
  } else {
    json.member("type", is_integer ? "integer" : "number");
    if (std::isfinite(key.low)) json.member(key.low_open ? "exclusiveMinimum" : "minimum", key.low);
    if (std::isfinite(key.high)) json.member("maximum", key.high);
  }
}

void write_single_object(JsonWriter& json, const Rule& rule) {
  json.begin_object(Layout::line);
  write_single(json, rule);
  json.end_object();
}

/// A value by a name that the user chooses; a text may look like a number.
void write_entry(JsonWriter& json, const Rule& rule) {
  if (rule.key.kind != Kind::text) return write_single_object(json, rule);
  json.begin_object(Layout::line).member("type", std::vector<std::string>{"string", "number"}).end_object();
}

void write_file(JsonWriter& json) { write_object(json, Rules{{.key = text("file", "path of the array")}}); }

/// One value or one of its alternatives.
void write_value_schema(JsonWriter& json, const Rule& rule) {
  const bool has_alternative = rule.takes_file || !rule.word.empty() || rule.is_list();
  if (!has_alternative) return write_single(json, rule);
  json.key("anyOf").begin_array(Layout::lines);
  write_single_object(json, rule);
  if (rule.is_list()) {
    json.begin_object(Layout::line).member("type", "array").key("items");
    write_single_object(json, rule);
    if (rule.key.kind == Kind::schedule) json.member("minItems", 1);
    json.end_object();
  }
  if (!rule.word.empty()) json.begin_object(Layout::line).member("const", rule.word).end_object();
  if (rule.takes_file) write_file(json);
  json.end_array();
}

void write_default(JsonWriter& json, const Rule& rule) {
  if (rule.key.fallback.empty()) return;
  std::vector<Finding> findings;
  const auto checked = check(Node{}, Rules{rule}, "", findings);
  json.key("default");
  write_value(json, checked->items.at(0));
}

void write_rule(JsonWriter& json, const Rule& rule) {
  const Key& key = rule.key;
  json.begin_object();
  const std::string help = key.unit.empty() ? key.help : key.help + " (" + key.unit + ")";
  if (!help.empty()) json.member("description", help);
  if (rule.form == Form::plugin) {
    json.member("type", "object");
  } else if (rule.form == Form::named) {
    json.member("type", "object").key("additionalProperties");
    write_object(json, rule.members);
  } else if (rule.form == Form::entries) {
    json.member("type", "object").key("additionalProperties");
    write_entry(json, rule.members.front());
  } else if (key.kind == Kind::groups) {
    json.key("anyOf").begin_array(Layout::lines);
    write_object(json, rule.members);
    json.begin_object().member("type", "array").key("items");
    write_object(json, rule.members);
    json.end_object().end_array();
  } else if (key.kind == Kind::group) {
    write_object_members(json, rule.members);
  } else {
    write_value_schema(json, rule);
  }
  if (!rule.is_group()) write_default(json, rule);
  json.end_object();
}

void write_object_members(JsonWriter& json, const Rules& rules) {
  json.member("type", "object").member("additionalProperties", false);
  std::vector<std::string> required;
  for (const Rule& rule : rules) {
    if (rule.is_mandatory()) required.push_back(rule.key.name);
  }
  if (!required.empty()) json.member("required", required);
  json.key("properties").begin_object();
  for (const Rule& rule : rules) {
    if (rule.form == Form::later) continue;
    json.key(rule.key.name);
    write_rule(json, rule);
  }
  json.end_object();
}

void write_object(JsonWriter& json, const Rules& rules) {
  json.begin_object();
  write_object_members(json, rules);
  json.end_object();
}

}  // namespace

std::string json_schema(const Rules& rules, const std::string& title) {
  JsonWriter json;
  json.begin_object().member("$schema", "https://json-schema.org/draft/2020-12/schema").member("title", title);
  write_object_members(json, rules);
  return json.end_object().text();
}

std::string json_schema(const Schema& schema, const std::string& title) { return json_schema(rules_of(schema), title); }

}  // namespace tyto::config
