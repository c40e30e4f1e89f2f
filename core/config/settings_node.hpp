#pragma once
/// The checked values of one mapping, with their places: what Settings reads.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "config/rule.hpp"
#include "tyto/settings.hpp"

namespace tyto::inline v1 {

/// One item for each rule, in the order of the schema. Of the vectors in an item only those of its kind are filled: one value where
/// the kind is no list. A value that was refused is replaced by its default or by zero, so reading never fails.
struct SettingsNode {
  struct Item {
    config::Rule rule = {};
    Where where = {};         ///< of the value; no file for a default
    bool is_given = false;    ///< written by the user rather than the default
    bool is_present = false;  ///< has a value: given or default
    bool is_file = false;     ///< texts[0] is the path in {file: path}
    bool flag = false;
    std::vector<std::int64_t> integers = {};
    std::vector<double> reals = {};
    std::vector<std::string> texts = {};  ///< also the word in place of a number, and the names of Form::named
    std::vector<std::shared_ptr<const SettingsNode>> groups = {};
  };

  std::string path = {};  ///< "settings"; empty at the top level
  Where where = {};       ///< of the mapping
  std::vector<Item> items = {};

  const Item* find(const std::string& key) const;  ///< null if the schema lacks it
  std::string path_of(const std::string& key) const { return path.empty() ? key : path + "." + key; }
};

}  // namespace tyto::inline v1
