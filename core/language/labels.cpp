#include "language/labels.hpp"
#include <algorithm>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "language/functions.hpp"

namespace tyto::language {

namespace {

bool can_have(const Node& node, const std::string& label) { return contains(node.must, label) || contains(node.may, label); }

Names names_of(const std::vector<Label>& labels) {
  Names names;
  for (const Label& label : labels) names.push_back(label.name);
  return names;
}

Names common(const Names& a, const Names& b) {
  Names both;
  for (const std::string& name : a)
    if (contains(b, name)) both.push_back(name);
  return both;
}

Names without(const Names& a, const Names& b) {
  Names rest;
  for (const std::string& name : a)
    if (!contains(b, name)) rest.push_back(name);
  return rest;
}

Names united(Names a, const Names& b) {
  unite(a, b);
  return a;
}

std::string labels_text(const Names& names) { return names.empty() ? "no labels" : "labels " + listed_names(names); }

class Settler {
 public:
  explicit Settler(const Source& source) : source_(source) {}

  /// Settles the value of a definition, or of the whole objective where `left` is null.
  std::vector<Finding> run(Node& root, const Node* left) {
    explore(root);
    if (!findings_.empty()) return std::move(findings_);
    if (left != nullptr && left->has_brackets) {
      settle_as(root, left->labels);
      return std::move(findings_);
    }
    if (!root.must.empty()) {
      const std::string labels = listed_names(root.must);
      findings_.push_back({.code = Code::not_scalar,
                           .where = where(source_, root.span),
                           .what = left == nullptr
                                       ? "an objective is a scalar"
                                       : fmt::format("the definition of {} has labels that its name does not have", left->name),
                           .expected = "no labels",
                           .found = labels_text(root.must),
                           .hint = left == nullptr ? "sum(...) or norm2(...) of it" : fmt::format("{}[{}]", left->name, labels)});
      return std::move(findings_);
    }
    settle(root, {});
    return std::move(findings_);
  }

 private:
  void report(Span span, std::string what, std::string expected = {}, std::string found = {}, std::string hint = {}) {
    findings_.push_back({.code = Code::label,
                         .where = where(source_, span),
                         .what = std::move(what),
                         .expected = std::move(expected),
                         .found = std::move(found),
                         .hint = std::move(hint)});
  }

  // ---- from the leaves up: what each node must and may have

  void explore(Node& node) {
    Names within;
    for (Node& operand : node.operands) {
      explore(operand);
      for (const Names* names : {&operand.must, &operand.may, &operand.summed}) unite(within, *names);
    }
    switch (node.kind) {
      case Kind::number: break;
      case Kind::tensor: explore_tensor(node); break;
      case Kind::product: explore_product(node); break;
      case Kind::sum: explore_alike(node, node.operands.size()); break;
      case Kind::power: explore_alike(node, 2); break;
      case Kind::labelled: node.must = names_of(node.labels); break;
      case Kind::call: explore_call(node); break;
    }
    const bool is_closed =
        node.kind == Kind::labelled || (node.kind == Kind::call && function_named(node.name)->effect == Effect::reduction);
    if (!is_closed) node.summed = without(without(within, node.must), node.may);  // else it says itself what it sums
  }

  static void explore_tensor(Node& node) {
    const Names all = names_of(node.labels);
    for (const std::string& name : all) {
      Names& to = std::count(all.begin(), all.end(), name) > 1 ? node.may : node.must;
      if (!contains(to, name)) to.push_back(name);
    }
  }

  void explore_product(Node& node) {
    Names all;
    for (const Node& factor : node.operands) unite(all, factor.must), unite(all, factor.may);
    for (const Node& factor : node.operands)
      for (const std::string& name : common(factor.summed, all)) refuse_inside_and_outside(factor, name);
    for (const std::string& name : all) {
      const auto has = [&](const Node& factor) { return can_have(factor, name); };
      const auto must = [&](const Node& factor) { return contains(factor.must, name); };
      const bool is_repeated = std::count_if(node.operands.begin(), node.operands.end(), has) > 1;
      const bool stays = !is_repeated && std::any_of(node.operands.begin(), node.operands.end(), must);
      (stays ? node.must : node.may).push_back(name);
    }
  }
  /// The first operands have the same labels, but for scalars.
  void explore_alike(Node& node, std::size_t count) {
    const Node* first = nullptr;
    for (std::size_t k = 0; k < count; ++k) {
      const Node& operand = node.operands[k];
      if (operand.is_scalar()) continue;
      unite(node.must, operand.must);
      node.may = first == nullptr ? operand.may : common(node.may, united(operand.may, operand.must));
      if (first == nullptr) first = &operand;
    }
    node.may = without(node.may, node.must);
    for (std::size_t k = 0; k < count; ++k) {
      const Node& operand = node.operands[k];
      const Names missing = without(node.must, united(operand.must, operand.may));
      if (operand.is_scalar() || missing.empty()) continue;
      report(operand.span, "what is added or compared has the same labels", labels_text(node.must),
             labels_text(united(operand.must, common(operand.may, node.must))),
             fmt::format("'* ones[{}]' to repeat its values along {}", listed_names(missing), listed_names(missing)));
    }
  }

  void explore_call(Node& node) {
    const Function& function = *function_named(node.name);
    explore_alike(node, static_cast<std::size_t>(function.arguments));
    if (function.effect == Effect::elementwise) return;
    const Names over = names_of(node.labels);
    for (const Label& label : node.labels)
      if (!can_have(node, label.name))
        report(label.span, fmt::format("the argument of {} has no label {}", node.name, label.name),
               labels_text(united(node.must, node.may)), label.name);
    if (function.effect == Effect::softmax) {
      unite(node.must, over);
      node.may = without(node.may, over);
    } else if (over.empty()) {
      node.must.clear(), node.may.clear();
    } else {
      node.must = without(node.must, over), node.may = without(node.may, over);
    }
  }

  // ---- from the root down: what each has

  void settle(Node& node, const Names& wanted) {
    node.result = wanted;
    switch (node.kind) {
      case Kind::number:
      case Kind::tensor: return;
      case Kind::product: return settle_product(node);
      case Kind::sum:
      case Kind::power:
        for (Node& operand : node.operands) settle(operand, operand.is_scalar() ? Names{} : wanted);
        return;
      case Kind::labelled: return settle_as(node.operands[0], node.labels);
      case Kind::call: return settle_call(node);
    }
  }

  void settle_product(Node& node) {
    for (Node& factor : node.operands) {
      Names keep = factor.must;
      if (factor.kind == Kind::tensor) unite(keep, factor.may);  // a diagonal: the product sums
      else
        for (const std::string& name : factor.may) {
          const auto has_too = [&](const Node& other) { return &other != &factor && can_have(other, name); };
          if (std::any_of(node.operands.begin(), node.operands.end(), has_too)) refuse_inside_and_outside(factor, name);
          else if (contains(node.result, name)) keep.push_back(name);
        }
      settle(factor, keep);
    }
  }

  void refuse_inside_and_outside(const Node& factor, const std::string& name) {
    const bool is_open = contains(factor.may, name);
    report(factor.span,
           is_open ? fmt::format("it is not clear whether label {} is summed within this factor: another factor has it, too", name)
                   : fmt::format("label {} is summed within this factor and stands in another one, too", name),
           is_open ? fmt::format("another letter if it is summed here, (...)[{}] around the inner product if it is kept",
                                 listed_names(united(factor.must, {name})))
                   : "another letter for one of them",
           text_of(source_, factor.span));
  }

  /// An expression with labels in brackets behind it has these; what else it has is summed.
  void settle_as(Node& inner, const std::vector<Label>& labels) {
    const Names wanted = names_of(labels);
    const std::size_t before = findings_.size();
    for (const Label& label : labels)
      if (!can_have(inner, label.name))
        report(inner.span, fmt::format("this has no label {}", label.name), labels_text(wanted),
               labels_text(united(inner.must, inner.may)),
               fmt::format("'* ones[{}]' to repeat its values along {}", label.name, label.name));
    if (findings_.size() > before) return;
    const bool sums = inner.kind == Kind::product || inner.kind == Kind::tensor;
    settle(inner, sums ? wanted : united(inner.must, common(inner.may, wanted)));
  }

  void settle_call(Node& node) {
    const Function& function = *function_named(node.name);
    const Names over = names_of(node.labels);
    Names inner = function.effect == Effect::elementwise ? node.result : united(node.result, over);
    if (function.effect == Effect::reduction && over.empty()) inner = inside(node, function);
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      const Node& operand = node.operands[k];
      settle(node.operands[k], operand.is_scalar() ? Names{} : inner);
    }
  }

  /// The labels of arguments all of whose labels are reduced.
  Names inside(const Node& node, const Function& function) {
    Names must, may;
    for (const Node& operand : node.operands) unite(must, operand.must), unite(may, operand.may);
    if (may.empty() || (function.is_sum && is_sum_of_products(node.operands[0]))) return must;
    const std::string text = text_of(source_, node.operands[0].span);
    if (must.empty())
      report(node.operands[0].span,
             fmt::format("it is not clear which labels {} is taken over: every label of this is repeated", node.name),
             fmt::format("({})[{}] if they are kept, sum({}) if they are summed", text, listed_names(may), text), text);
    else
      for (const Node& operand : node.operands) refuse_quotients(operand, may);
    return must;
  }

  /// A quotient of tensors with a label in common is hardly meant as a sum over it.
  void refuse_quotients(const Node& node, const Names& summed) {
    for (const std::string& name : common(node.may, summed)) {
      bool divides = false;
      for (std::size_t k = 0; k < node.is_opposite.size(); ++k)
        divides = divides || (node.kind == Kind::product && node.is_opposite[k] != 0 && can_have(node.operands[k], name));
      if (!divides) continue;
      const std::string text = text_of(source_, node.span);
      report(node.span, fmt::format("it is not clear whether label {} of this quotient is summed", name),
             fmt::format("({})[{}] if it is kept, sum[{}](({})[{}]) if it is summed", text, listed_names(united(node.must, {name})),
                         name, text, listed_names(united(node.must, {name}))),
             text);
    }
    for (const Node& operand : node.operands) refuse_quotients(operand, summed);
  }

  /// Whether summing repeated labels early or late is the same.
  static bool is_sum_of_products(const Node& node) {
    const auto is_one = [](const Node& operand) { return is_sum_of_products(operand); };
    const auto is_factor = [](const Node& operand) { return operand.may.empty() || is_sum_of_products(operand); };
    const auto is_scalar = [](const Node& operand) { return operand.is_scalar(); };
    const std::vector<Node>& parts = node.operands;
    if (node.kind == Kind::product) return std::all_of(parts.begin(), parts.end(), is_factor);
    if (node.kind == Kind::call) return function_named(node.name)->is_sum && is_one(parts[0]);
    return node.kind == Kind::tensor || (node.kind == Kind::sum && std::none_of(parts.begin(), parts.end(), is_scalar) &&
                                         std::all_of(parts.begin(), parts.end(), is_one));
  }

  const Source& source_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> settle_labels(Objective& objective) {
  std::vector<Finding> findings;
  const auto append = [&](const std::vector<Finding>& more) { findings.insert(findings.end(), more.begin(), more.end()); };
  for (Objective::Definition& d : objective.definitions) append(Settler(d.value.source).run(d.value.tree, &d.name.tree));
  append(Settler(objective.minimize.source).run(objective.minimize.tree, nullptr));
  return findings;
}

}  // namespace tyto::language
