// Settings: what a plugin reads of the checked values.
#include "config/settings_node.hpp"

#include <algorithm>
#include <utility>

#include "error/fail.hpp"

namespace tyto::inline v1 {
namespace {

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::integer: return "integer";
    case Kind::real: return "real";
    case Kind::flag: return "flag";
    case Kind::text: return "text";
    case Kind::choice: return "choice";
    case Kind::integers: return "integers";
    case Kind::reals: return "reals";
    case Kind::texts: return "texts";
    case Kind::schedule: return "schedule";
    case Kind::group: return "group";
    case Kind::groups: return "groups";
  }
  return "";
}

const SettingsNode::Item& item_of(const SettingsNode& node, const std::string& key) {
  const SettingsNode::Item* item = node.find(key);
  if (item == nullptr) {
    std::vector<std::string> names;
    for (const SettingsNode::Item& other : node.items) names.push_back(other.rule.key.name);
    fail(Code::plugin_rule, "the plugin reads '" + node.path_of(key) + "', which its schema does not have", listed(names), key,
         nearest(key, names));
  }
  return *item;
}

const SettingsNode::Item& item_of(const SettingsNode& node, const std::string& key, Kind kind) {
  const SettingsNode::Item& item = item_of(node, key);
  const Kind declared = item.rule.key.kind;
  if (declared != kind && !(kind == Kind::text && declared == Kind::choice)) {
    fail(Code::plugin_rule, "the plugin reads '" + node.path_of(key) + "' as another kind than its schema says", name_of(declared),
         name_of(kind), std::string("Settings::") + (declared == Kind::choice ? "text" : name_of(declared)));
  }
  return item;
}

}  // namespace

const SettingsNode::Item* SettingsNode::find(const std::string& key) const {
  const auto found = std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.rule.key.name == key; });
  return found == items.end() ? nullptr : &*found;
}

bool Settings::has(const std::string& key) const { return item_of(*node_, key).is_present; }
std::int64_t Settings::integer(const std::string& key) const { return item_of(*node_, key, Kind::integer).integers.at(0); }
double Settings::real(const std::string& key) const { return item_of(*node_, key, Kind::real).reals.at(0); }
bool Settings::flag(const std::string& key) const { return item_of(*node_, key, Kind::flag).flag; }
std::string Settings::text(const std::string& key) const { return item_of(*node_, key, Kind::text).texts.at(0); }
std::vector<std::int64_t> Settings::integers(const std::string& key) const { return item_of(*node_, key, Kind::integers).integers; }
std::vector<double> Settings::reals(const std::string& key) const { return item_of(*node_, key, Kind::reals).reals; }
std::vector<std::string> Settings::texts(const std::string& key) const { return item_of(*node_, key, Kind::texts).texts; }
Schedule Settings::schedule(const std::string& key) const { return {item_of(*node_, key, Kind::schedule).reals}; }
Settings Settings::group(const std::string& key) const { return Settings(item_of(*node_, key, Kind::group).groups.at(0)); }
Where Settings::where(const std::string& key) const { return item_of(*node_, key).where; }

std::vector<std::int64_t> Settings::integers(const std::string& key, std::int64_t n) const {
  std::vector<std::int64_t> values = integers(key);
  const auto count = static_cast<std::int64_t>(values.size());
  if (count == 1) return std::vector<std::int64_t>(static_cast<std::size_t>(n), values[0]);
  if (count != n) {
    const SettingsNode::Item& item = item_of(*node_, key);
    fail(Finding{
        .code = Code::contradiction,
        .where = item.is_given ? item.where : node_->where,
        .what = "'" + node_->path_of(key) + "' has " + std::to_string(count) + " values where " + std::to_string(n) + " are needed",
        .expected = "1 or " + std::to_string(n) + " values",
        .found = std::to_string(count) + " values",
        .hint = "one value for all, or one for each"});
  }
  return values;
}

std::vector<Settings> Settings::groups(const std::string& key) const {
  std::vector<Settings> all;
  for (const auto& node : item_of(*node_, key, Kind::groups).groups) all.emplace_back(node);
  return all;
}

void Settings::reject(const std::string& key, const std::string& why, const std::string& hint) const {
  const SettingsNode::Item& item = item_of(*node_, key);
  fail(Finding{.code = Code::contradiction,
               .where = item.is_given ? item.where : node_->where,
               .what = "'" + node_->path_of(key) + "': " + why,
               .hint = hint});
}

}  // namespace tyto::inline v1
