/// What a Declaration says about inputs: tensors, lists of tensors, weights.
#include <algorithm>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "graph/handle.hpp"
#include "problem/recorder.hpp"

namespace tyto::problem {

using graph::Role;

namespace {

[[noreturn]] void refuse_rule(const std::string& what, const std::string& expected, const std::string& found) {
  fail(Code::plugin_rule, what, expected, found);
}

/// "H" of "H[3]"; other names as they are.
std::string list_of(const std::string& name) { return name.ends_with("]") ? name.substr(0, name.rfind('[')) : name; }

/// Names for people, a list once.
std::vector<std::string> names_of(const std::vector<Input>& inputs) {
  std::vector<std::string> names;
  for (const Input& in : inputs)
    if (const std::string name = list_of(in.name); std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  return names;
}

std::size_t items_of(const std::vector<Input>& inputs, const std::string& list) {
  return static_cast<std::size_t>(
      std::count_if(inputs.begin(), inputs.end(), [&](const Input& in) { return in.name != list && list_of(in.name) == list; }));
}

/// Items are numbered from 0 without gaps.
void check_items(const std::vector<Input>& inputs, const std::string& list, std::size_t items) {
  if (items_of(inputs, list) == items) return;
  for (const Input& in : inputs) {
    if (in.name == list || list_of(in.name) != list) continue;
    bool is_item = false;
    for (std::size_t k = 0; k < items; ++k) is_item = is_item || in.name == item(list, k);
    if (!is_item)
      fail({.code = Code::contradiction,
            .where = in.where,
            .what = fmt::format("{} is no item of the list {}", in.name, list),
            .expected = fmt::format("{}, the next one", item(list, items)),
            .found = in.name,
            .hint = fmt::format("data: {{{}: {{files: [...]}}}}", list)});
  }
}

}  // namespace

const Input* Recorder::find_input(const std::string& name) const {
  const auto at = std::find_if(inputs_.begin(), inputs_.end(), [&](const Input& i) { return i.name == name; });
  return at == inputs_.end() ? nullptr : &*at;
}

void Recorder::fail_missing_input(const std::string& name, const std::string& form) const {
  const std::vector<std::string> names = names_of(inputs_);
  fail(Code::missing_key, fmt::format("the input {} is missing", name), fmt::format("data.{}", name),
       names.empty() ? "no data" : listed(names),
       nearest(name, names).empty() ? fmt::format("data: {{{}: {}}}", name, form)
                                    : fmt::format("the name {} in place of {}", name, nearest(name, names)));
}

const Input& Recorder::input(const std::string& name) const {
  if (const Input* known = find_input(name)) return *known;
  if (const Input* first = find_input(item(name, 0)))
    fail({.code = Code::contradiction,
          .where = first->where,
          .what = fmt::format("the input {} is a list of tensors, and one tensor is wanted", name),
          .expected = "file: the path of one tensor",
          .found = items_of(inputs_, name) == 1 ? "files: a list of one" : fmt::format("{} tensors", items_of(inputs_, name))});
  fail_missing_input(name, "{file: ...}");
}

Expr Recorder::data(const std::string& name) { return data_of(input(name)); }

Expr Recorder::data_of(const Input& in) {
  for (const Leaf& known : problem_.data)
    if (known.input == in.name) return known.expression;
  Indices labels;
  for (std::size_t n = 0; n < in.extents.size(); ++n) {
    const auto known = in.has_named_modes ? named_modes_.find(in.modes[n]) : named_modes_.end();
    if (known == named_modes_.end()) {
      labels.emplace_back(in.modes[n], in.extents[n]);
      if (in.has_named_modes) named_modes_[in.modes[n]] = labels.back();
      continue;
    }
    if (known->second.extent() != in.extents[n])
      fail({.code = Code::extent,
            .where = in.where,
            .what = fmt::format("mode {} of {} has another extent than in another input", in.modes[n], in.name),
            .expected = fmt::format("{}={}", in.modes[n], known->second.extent()),
            .found = fmt::format("{}={}", in.modes[n], in.extents[n]),
            .hint = "different names: modes of one name are one mode"});
    labels.push_back(known->second);
  }
  problem_.data.push_back({leaf(in.name, Role::data, labels, {}, in.is_complex ? Field::complex : Field::real), in.name});
  return problem_.data.back().expression;
}

Expr Recorder::data(const std::string& name, const Indices& labels) {
  const Input& in = input(name);
  std::string expected, found;
  for (const Index& label : labels) expected += fmt::format("{}{}={}", expected.empty() ? "" : ", ", label.name(), label.extent());
  for (std::size_t n = 0; n < in.extents.size(); ++n) found += fmt::format("{}{}", n == 0 ? "" : " x ", in.extents[n]);
  bool fits = labels.size() == in.extents.size();
  for (std::size_t n = 0; fits && n < labels.size(); ++n) fits = labels[n].extent() == in.extents[n];
  if (!fits)
    fail({.code = Code::shape,
          .where = in.where,
          .what = fmt::format("the input {} does not have the shape that the algorithm needs", name),
          .expected = fmt::format("({})", expected),
          .found = fmt::format("({})", found)});
  for (const Leaf& known : problem_.data)
    if (known.input == name) return known.expression(labels);
  problem_.data.push_back({leaf(name, Role::data, labels, {}, in.is_complex ? Field::complex : Field::real), name});
  return problem_.data.back().expression;
}

Exprs Recorder::data_list(const std::string& name) {
  Exprs items;
  while (const Input* in = find_input(item(name, items.size()))) items.push_back(data_of(*in));
  if (items.empty() && find_input(name) != nullptr)
    fail({.code = Code::contradiction,
          .where = find_input(name)->where,
          .what = fmt::format("the input {} is one tensor, and a list of tensors is wanted", name),
          .expected = "files: their paths in order, or one path with * for numbers",
          .found = "file: the path of one",
          .hint = fmt::format("data: {{{0}: {{files: \"{0}[*].npy\"}}}}", name)});
  check_items(inputs_, name, items.size());
  if (items.empty()) fail_missing_input(name, "{files: [...]}");
  return items;
}

bool Recorder::has_data(const std::string& name) const {
  return find_input(name) != nullptr || find_input(item(name, 0)) != nullptr;
}

void Recorder::reject(const std::string& name, const std::string& why, const std::string& hint) const {
  const Input* const first = find_input(name) != nullptr ? nullptr : find_input(item(name, 0));
  const Input& in = first != nullptr ? *first : input(name);
  fail({.code = Code::contradiction, .where = in.where, .what = fmt::format("the input {} {}", name, why), .hint = hint});
}

const Leaf& Recorder::data_leaf(const Expr& of, const std::string& request) const {
  for (const Leaf& d : problem_.data)
    if (d.expression.store() == of.store() && d.expression.id() == of.id()) return d;
  refuse_rule(fmt::format("{}() is asked for something that is no data", request), "a tensor from data()", of.text());
}

Extents Recorder::hosvd_ranks(const Expr& of, double tolerance) {
  return input(data_leaf(of, "hosvd_ranks").input).hosvd_ranks(tolerance);
}

Expr Recorder::weights(const Expr& of) {
  const Leaf d = data_leaf(of, "weights");
  if (!input(d.input).has_weights) return Expr(1.0);
  for (const Leaf& known : problem_.weights)
    if (known.input == d.input) return known.expression(of.shape());
  problem_.weights.push_back({leaf(d.input + ".weights", Role::weights, d.expression.shape()), d.input});
  return problem_.weights.back().expression(of.shape());
}

}  // namespace tyto::problem
