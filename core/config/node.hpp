#pragma once
/// A YAML text as a tree in which every key and value knows its place; nothing is converted and duplicate keys are kept.
#include <string>
#include <vector>

#include "tyto/error.hpp"

namespace tyto::config {

struct Entry;

/// One value. A key without a value ("solver:") is `nothing`, at the place of the key.
struct Node {
  enum class Form { nothing, scalar, list, mapping };
  Form form = Form::nothing;
  Where where = {};
  std::string text = {};            ///< of a scalar, quotes and escapes resolved
  bool is_quoted = false;           ///< a scalar that YAML takes for a text whatever it looks like
  std::vector<Node> items = {};     ///< of a list
  std::vector<Entry> entries = {};  ///< of a mapping, in the order of the text

  /// The value of a key, the first one where it is given twice; null if there is none.
  const Node* find(const std::string& key) const;
};

/// One key of a mapping with its value.
struct Entry {
  std::string key = {};
  Where where = {};  ///< of the key
  Node value = {};
};

/// Parses one YAML document; aliases are replaced by what they stand for. `name` is the file in every Where, lines count from 1.
/// Throws Error{syntax} at the place of the fault: YAML that cannot be read, more than one document, a key that is no plain text,
/// an alias inside its own anchor, more than 100 levels or 100 000 values.
Node parse_yaml(const std::string& text, const std::string& name);

/// What a message calls this value: its text, "a list", "a mapping" or "nothing".
std::string name_of(const Node&);

}  // namespace tyto::config
