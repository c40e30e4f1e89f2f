#pragma once
/// What one key may hold: a Key of the public API, and the little more that only the run file itself needs. Checking, help and the
/// JSON schema are all made from rules, so they cannot disagree.
#include <string>
#include <vector>

#include "tyto/settings.hpp"

namespace tyto::config {

enum class Form {
  as_key,   ///< as the Key says
  named,    ///< a mapping from names that the user chooses to groups
  entries,  ///< a mapping from names that the user chooses to values, each as the one member says
  plugin,   ///< a mapping that the schema of the plugin describes
  later,    ///< known, and refused by name
};

struct Rule {
  Key key = {};  ///< its `keys` are not used here, but `members`; `choices` also restrict the items of texts
  Form form = Form::as_key;
  bool is_optional = false;  ///< may be left out although it has no default
  bool takes_file = false;   ///< {file: path} may stand in place of the word of a choice
  std::string word = {};     ///< the one word that may stand in place of a number; of a named mapping: an example of a name
  std::vector<std::string> later = {};  ///< values that are known, and refused by name
  std::string instead = {};             ///< of a later key or value: what serves today
  std::vector<Rule> members = {};       ///< of a group

  bool is_group() const { return key.kind == Kind::group || key.kind == Kind::groups; }
  bool is_list() const;
  /// Whether leaving it out is an error.
  bool is_mandatory() const;
};

using Rules = std::vector<Rule>;

Rules rules_of(const Schema&);
std::vector<std::string> names_of(const Rules&);
/// ">= 1", "> 0 and <= 1"; empty without limits.
std::string range_of(const Key&);
/// "an integer >= 1": what is expected of the value, of each item where it is a list.
std::string expectation(const Rule&);
/// The same with "or a list" where that may be given.
std::string whole_expectation(const Rule&);
/// "integer >= 1": the same in few words, for a table.
std::string summary(const Rule&);

}  // namespace tyto::config
