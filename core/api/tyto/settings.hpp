#pragma once
/// What a plugin may be told (Schema) and what it was told (Settings). The host checks a config against the schema before any
/// plugin code runs, and generates help, Markdown and a JSON schema from it; so a plugin only ever reads valid values.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>
#include "tyto/error.hpp"

namespace tyto::inline v1 {

struct SettingsNode;  // internal: the checked values of one mapping, with their places

/// A number that may change from sweep to sweep; written as one number or a list whose last value is held. Never empty.
struct Schedule {
  std::vector<double> values;
  double operator[](std::int64_t sweep) const {  ///< sweep counts from 1, as Iteration::sweep() does
    const auto last = static_cast<std::int64_t>(values.size()) - 1;
    return values[static_cast<std::size_t>(sweep <= 0 ? 0 : sweep - 1 < last ? sweep - 1 : last)];
  }
  double largest() const { return *std::max_element(values.begin(), values.end()); }
};

enum class Kind { integer, real, flag, text, choice, integers, reals, texts, schedule, group, groups };

/// One key. Made by the functions below and refined by chaining; a key without otherwise() or optional() is mandatory.
struct TYTO_API Key {
  std::string name = {}, help = {};
  Kind kind = Kind::text;
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool low_open = false;
  std::vector<std::string> choices = {};  ///< of a choice
  std::vector<Key> keys = {};             ///< of a group or of each element of groups
  std::string fallback = {}, unit = {};   ///< fallback as YAML text; empty: mandatory, unless it is optional
  bool is_optional = false;               ///< may be left out although there is no fallback: see Settings::has
  Key at_least(double v) const {
    Key k = *this;
    k.low = v;
    return k;
  }
  Key above(double v) const {
    Key k = *this;
    k.low = v;
    k.low_open = true;
    return k;
  }
  Key at_most(double v) const {
    Key k = *this;
    k.high = v;
    return k;
  }
  Key in(std::string u) const {
    Key k = *this;
    k.unit = std::move(u);
    return k;
  }
  Key optional() const {
    Key k = *this;
    k.is_optional = true;
    return k;
  }
  Key otherwise(std::string yaml) const {
    Key k = *this;
    k.fallback = std::move(yaml);
    return k;
  }
};

// A list may be written as one value, meaning a list of one.
#define TYTO_KEY(kind_name) \
  inline Key kind_name(std::string name, std::string help) { return {.name = name, .help = help, .kind = Kind::kind_name}; }
TYTO_KEY(integer)
TYTO_KEY(real)
TYTO_KEY(flag)
TYTO_KEY(text)
TYTO_KEY(integers)
TYTO_KEY(reals)
TYTO_KEY(texts)
TYTO_KEY(schedule)
#undef TYTO_KEY
inline Key choice(std::string name, std::vector<std::string> of, std::string help) {
  return {.name = name, .help = help, .kind = Kind::choice, .choices = of};
}
/// A mapping with keys of its own, and a list of such mappings. A group is mandatory only if one of its keys is.
inline Key group(std::string name, std::vector<Key> of, std::string help) {
  return {.name = name, .help = help, .kind = Kind::group, .keys = of};
}
inline Key groups(std::string name, std::vector<Key> of, std::string help) {
  return {.name = name, .help = help, .kind = Kind::groups, .keys = of};
}

using Schema = std::vector<Key>;

/// Checked values. Asking for a key that the schema lacks, or as another kind, is Error{plugin_rule}: a mistake in the plugin.
class TYTO_API Settings {
 public:
  explicit Settings(std::shared_ptr<const SettingsNode> node) : node_(std::move(node)) {}
  bool has(
      const std::string& key) const;  ///< given by the user, or by a default; what is read of an optional key without is 0 or ""
  std::int64_t integer(const std::string& key) const;
  double real(const std::string& key) const;
  bool flag(const std::string& key) const;
  std::string text(const std::string& key) const;  ///< of text and choice
  std::vector<std::int64_t> integers(const std::string& key) const;
  /// One value per item: a list of one is repeated, any other length than n is Error{contradiction} at the key, naming both
  /// numbers.
  std::vector<std::int64_t> integers(const std::string& key, std::int64_t n) const;
  std::vector<double> reals(const std::string& key) const;
  std::vector<std::string> texts(const std::string& key) const;
  Schedule schedule(const std::string& key) const;
  Settings group(const std::string& key) const;
  std::vector<Settings> groups(const std::string& key) const;
  Where where(const std::string& key) const;  ///< of the value, or of the default: no file
  /// For conditions a schema cannot say: throws Error{contradiction} at the key ("rank 6 exceeds mode 2 of extent 5").
  [[noreturn]] void reject(const std::string& key, const std::string& why, const std::string& hint = {}) const;
 private:
  std::shared_ptr<const SettingsNode> node_;
};

}  // namespace tyto::inline v1
