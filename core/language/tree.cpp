#include "language/tree.hpp"
#include <algorithm>

namespace tyto::language {

std::string listed(const std::vector<Label>& labels) {
  std::string text;
  for (const Label& label : labels) text += (text.empty() ? "" : ",") + label.name;
  return text;
}
std::string listed_names(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}
bool contains(const Names& names, const std::string& name) { return std::find(names.begin(), names.end(), name) != names.end(); }
void unite(Names& names, const Names& more) {
  for (const std::string& name : more)
    if (!contains(names, name)) names.push_back(name);
}

}  // namespace tyto::language
