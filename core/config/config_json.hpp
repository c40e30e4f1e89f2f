#pragma once
/// Checked values as JSON, defaults included.
#include "config/settings_node.hpp"
#include "text/json.hpp"

namespace tyto::config {

/// The value of one item.
void write_value(JsonWriter&, const SettingsNode::Item&);
/// An object with every item that has a value; `settings` (or nothing, if null) takes the place of the plugin's mapping.
void write_mapping(JsonWriter&, const SettingsNode&, const SettingsNode* settings = nullptr);

}  // namespace tyto::config
