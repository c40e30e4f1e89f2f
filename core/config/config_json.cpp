// The configuration as JSON: a walk over the checked values, so that a new key cannot be forgotten here.
#include "config/config_json.hpp"

#include "config/run_config.hpp"

namespace tyto::config {
namespace {

using Item = SettingsNode::Item;

void write_word(JsonWriter& json, const Item& item) {
  if (!item.is_file) {
    json.value(item.texts.at(0));
    return;
  }
  json.begin_object(JsonWriter::Layout::line).member("file", item.texts.at(0)).end_object();
}

void write_named(JsonWriter& json, const Item& item) {
  json.begin_object();
  for (std::size_t k = 0; k < item.groups.size(); ++k) {
    json.key(item.texts[k]);
    write_mapping(json, *item.groups[k]);
  }
  json.end_object();
}

}  // namespace

void write_value(JsonWriter& json, const Item& item) {
  const Rule& rule = item.rule;
  if (rule.form == Form::named) return write_named(json, item);
  if (rule.form == Form::entries) return write_mapping(json, *item.groups.at(0));
  if (!rule.word.empty() && item.integers.empty() && item.reals.empty()) return write_word(json, item);
  switch (rule.key.kind) {
    case Kind::integer: json.value(item.integers.at(0)); return;
    case Kind::real: json.value(item.reals.at(0)); return;
    case Kind::flag: json.value(item.flag); return;
    case Kind::text:
    case Kind::choice: write_word(json, item); return;
    case Kind::integers: json.value(item.integers); return;
    case Kind::reals:
    case Kind::schedule: json.value(item.reals); return;
    case Kind::texts: json.value(item.texts); return;
    case Kind::group: write_mapping(json, *item.groups.at(0)); return;
    case Kind::groups:
      json.begin_array(JsonWriter::Layout::lines);
      for (const auto& group : item.groups) write_mapping(json, *group);
      json.end_array();
  }
}

void write_mapping(JsonWriter& json, const SettingsNode& node, const SettingsNode* settings) {
  json.begin_object();
  for (const Item& item : node.items) {
    if (item.rule.form == Form::plugin) {
      if (settings == nullptr) continue;
      json.key(item.rule.key.name);
      write_mapping(json, *settings);
    } else if (item.is_present) {
      json.key(item.rule.key.name);
      write_value(json, item);
    }
  }
  json.end_object();
}

std::string to_json(const RunConfig& config, const SettingsNode* settings) {
  if (!config.checked) return "{}";
  JsonWriter json;
  write_mapping(json, *config.checked, settings);
  return json.text();
}

}  // namespace tyto::config
