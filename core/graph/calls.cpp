#include "graph/calls.hpp"
#include <algorithm>

namespace tyto::graph {
namespace {

struct AsCall {
  std::optional<Call> operator()(const Map& m) const { return Call{operation::name_of(m.function), {}}; }
  std::optional<Call> operator()(const LogSumExp& l) const { return Call{"logsumexp", {l.reduced}}; }
  std::optional<Call> operator()(const Softmax& s) const { return Call{"softmax", {s.reduced}}; }
  std::optional<Call> operator()(const Reshape&) const { return Call{"reshape", {}}; }
  std::optional<Call> operator()(const Slice& s) const { return Call{"slice", {s.axis, s.first, s.step}}; }
  std::optional<Call> operator()(const Pad& p) const { return Call{"pad", {p.axis, p.first, p.step}}; }
  std::optional<Call> operator()(const Concatenate& c) const { return Call{"concatenate", {c.axis}}; }
  std::optional<Call> operator()(const Factorization& f) const { return Call{operation::name_of(f.part), {f.batch}}; }
  std::optional<Call> operator()(const Reciprocal& r) const { return Call{r.pairs ? "reciprocal_differences" : "reciprocal", {}}; }
  template <class Other>
  std::optional<Call> operator()(const Other&) const {
    return std::nullopt;
  }
};

}  // namespace

std::optional<Call> as_call(const Operation& operation) { return std::visit(AsCall{}, operation); }

bool is_call_name(const std::string& name) {
  static const std::vector<std::string> others = {"logsumexp", "softmax",     "reshape",    "slice",
                                                  "pad",       "concatenate", "reciprocal", "reciprocal_differences"};
  return operation::function_named(name) || operation::part_named(name) ||
         std::find(others.begin(), others.end(), name) != others.end();
}

std::optional<Operation> from_call(const Call& call, const Shape& result) {
  const std::vector<std::int64_t>& p = call.parameters;
  const auto small = [&](std::size_t k) { return static_cast<std::int32_t>(p[k]); };
  const auto axis = [&](std::int64_t k) -> DimensionId {
    return k >= 0 && k < static_cast<std::int64_t>(result.size()) ? result[static_cast<std::size_t>(k)] : -1;
  };
  const bool names_axis = !p.empty() && axis(p[0]) >= 0;
  if (const auto f = operation::function_named(call.name); f && p.empty()) return Map{*f};
  if (const auto part = operation::part_named(call.name); part && p.size() == 1 && !result.empty()) {
    const bool bond_is_before = *part == operation::Part::r;
    const DimensionId bond = axis(static_cast<std::int64_t>(result.size()) - (bond_is_before ? 2 : 1));
    return bond < 0 ? std::nullopt : std::optional<Operation>(Factorization{*part, small(0), bond});
  }
  if (call.name == "logsumexp" && p.size() == 1) return LogSumExp{small(0)};
  if (call.name == "softmax" && p.size() == 1) return Softmax{small(0)};
  if (call.name == "reshape" && p.empty()) return Reshape{result};
  if (call.name == "slice" && p.size() == 3 && names_axis) return Slice{small(0), p[1], p[2], axis(p[0])};
  if (call.name == "pad" && p.size() == 3 && names_axis) return Pad{small(0), p[1], p[2], axis(p[0])};
  if (call.name == "concatenate" && p.size() == 1 && names_axis) return Concatenate{small(0), axis(p[0])};
  if (call.name == "reciprocal" && p.empty()) return Reciprocal{false};
  if (call.name == "reciprocal_differences" && p.empty()) return Reciprocal{true};
  return std::nullopt;
}

}  // namespace tyto::graph
