#pragma once
/// Operations that the text form writes as calls, name[parameters](operands): what they are called and made from, both ways.
#include <optional>
#include <string>
#include <vector>
#include "graph/store.hpp"

namespace tyto::graph {

struct Call {
  std::string name;
  std::vector<std::int64_t> parameters;
};
/// Nothing for an operation with a form of its own (a product, a sum, a power, a system, a leaf).
std::optional<Call> as_call(const Operation&);
bool is_call_name(const std::string&);
/// The operation of a call whose result has this shape. Nothing if the name or the number of parameters is wrong.
std::optional<Operation> from_call(const Call&, const Shape& result);

}  // namespace tyto::graph
