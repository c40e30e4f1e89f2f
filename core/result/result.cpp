// Reading a result by name.
#include "tyto/session.hpp"
#include "error/fail.hpp"
#include "result/notation.hpp"
#include <fmt/format.h>

namespace tyto::inline v1 {

std::vector<std::string> Result::names() const {
  std::vector<std::string> all = unknowns;
  all.insert(all.end(), observed.begin(), observed.end());
  return all;
}

const NamedArray& Result::array(const std::string& name) const {
  const auto found = values.find(name);
  if (found == values.end())
    fail(Code::unknown_word, fmt::format("the result has no array '{}'", name), listed(names()), name, nearest(name, names()));
  return found->second;
}

double Result::scalar(const std::string& name) const {
  const NamedArray& a = array(name);
  if (!a.extents.empty() || a.values.size() != 1)
    fail(Code::not_scalar, fmt::format("'{}' of the result is not a number", name), "a number",
         "an array of shape " + result::written(a.extents), "array(\"" + name + "\")");
  return a.values[0];
}

}  // namespace tyto::inline v1
