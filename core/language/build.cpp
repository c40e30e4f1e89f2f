/// built(): from checked trees to an Expr. What each part means was decided before; here it is only said to the core.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "language/functions.hpp"
#include "language/objective.hpp"

namespace tyto::language {

namespace {

class Builder {
 public:
  Builder(const Objective& objective, Declaration& declaration) : objective_(objective), declaration_(declaration) {
    std::map<std::string, Index> first;
    for (const auto& [label, known] : objective.extents)
      if (known.first == label) first.emplace(label, Index(label, known.extent));
    for (const auto& [label, known] : objective.extents)
      indices_.emplace(label, known.first == label ? first.at(label) : first.at(known.first).as(label));
  }

  Expr run() {
    for (const Statement::Unknown& u : objective_.statement.unknowns)
      tensors_.emplace(u.name, declaration_.unknown(u.name, axes_of(u.name)));
    for (const Objective::Definition& d : objective_.definitions) {
      source_ = &d.value.source;
      const Expr value = built(d.value.tree);
      tensors_.emplace(d.name.tree.name, d.name.tree.has_brackets ? arranged(value, d.name.tree.labels) : value);
    }
    source_ = &objective_.minimize.source;
    return built(objective_.minimize.tree);
  }

 private:
  const Index& index(const std::string& label) const { return indices_.at(label); }
  Indices indices(const Names& labels) const {
    Indices found;
    for (const std::string& label : labels) found.push_back(index(label));
    return found;
  }
  Indices indices(const std::vector<Label>& labels) const {
    Indices found;
    for (const Label& label : labels) found.push_back(index(label.name));
    return found;
  }

  /// The axes of a tensor, named after its first use; where that names two of them alike, the second one is primed.
  Indices axes_of(const std::string& name) const {
    Indices axes;
    const auto used = objective_.axes.find(name);  // data may be there for their weights alone
    for (const std::string& label : used != objective_.axes.end() ? used->second : objective_.axes.at(name + ".weights")) {
      Index axis = index(label);
      while (std::find(axes.begin(), axes.end(), axis) != axes.end()) axis = axis.prime();
      axes.push_back(axis);
    }
    return axes;
  }

  static bool has(const Indices& labels, const Index& label) {
    return std::find(labels.begin(), labels.end(), label) != labels.end();
  }

  /// Labels that are wanted and not there.
  static Indices missing(const Indices& present, const Indices& wanted) {
    Indices rest;
    for (const Index& label : wanted)
      if (!has(present, label)) rest.push_back(label);
    return rest;
  }

  /// A scalar among tensors: the same value everywhere.
  static Expr everywhere(const Expr& e, const Indices& wanted) {
    const Indices rest = missing(e.shape(), wanted);
    return rest.empty() ? e : expand(e, rest);
  }

  /// With these labels in this order; all others are summed.
  Expr arranged(const Expr& e, const std::vector<Label>& labels) const {
    const Indices wanted = indices(labels);
    const Expr whole = everywhere(e, wanted);
    return whole.shape() == wanted ? whole : einsum({whole}, wanted);
  }

  Expr leaf(const std::string& name) {
    const auto known = tensors_.find(name);
    if (known != tensors_.end()) return known->second;
    const std::string suffix = ".weights";
    const bool is_weights = name.size() > suffix.size() && name.ends_with(suffix);
    const Expr e = is_weights ? declaration_.weights(leaf(name.substr(0, name.size() - suffix.size())))
                              : declaration_.data(name, axes_of(name));
    return tensors_.emplace(name, e).first->second;
  }

  Expr built(const Node& node) {
    return with_place(where(*source_, node.span), [&]() -> Expr {
      switch (node.kind) {
        case Kind::number: return Expr(node.number);
        case Kind::tensor: return tensor_of(node);
        case Kind::sum: return sum_of(node);
        case Kind::product: return product_of(node);
        case Kind::power: return power_of(node);
        case Kind::call: return call_of(node);
        case Kind::labelled: return arranged(built(node.operands[0]), node.labels);
      }
      return {};
    });
  }

  Expr tensor_of(const Node& node) {
    const Indices labels = indices(node.labels), wanted = indices(node.result);
    if (node.name == "ones") return ones(wanted);
    Expr value = node.name == "identity" ? identity(labels[0], labels[1]) : leaf(node.name);
    if (!value.store()) return value;  // weights that nobody gave, or a definition that is a number
    if (node.name != "identity") value = value(labels);
    return value.shape().size() == wanted.size() ? value : einsum({value}, wanted);
  }

  Expr sum_of(const Node& node) {
    const Indices wanted = indices(node.result);
    Expr total;
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      const Expr operand = built(node.operands[k]);
      const Expr term = operand.store() ? everywhere(operand, wanted) : operand;  // numbers fit everywhere
      total = k == 0 ? term : node.is_opposite[k] != 0 ? total - term : total + term;
    }
    return everywhere(total, wanted);
  }

  Expr product_of(const Node& node) {
    Exprs factors;
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      const Expr factor = built(node.operands[k]);
      factors.push_back(node.is_opposite[k] != 0 ? Expr(1.0) / factor : factor);
    }
    const Indices wanted = indices(node.result);
    Indices present;
    for (const Expr& factor : factors) present.insert(present.end(), factor.shape().begin(), factor.shape().end());
    const Indices rest = missing(present, wanted);
    if (!rest.empty()) factors.push_back(ones(rest));
    return einsum(factors, wanted);
  }

  Expr power_of(const Node& node) {
    const Expr base = built(node.operands[0]), exponent = built(node.operands[1]);
    if (!exponent.store()) return exponent.constant() == 2.0 ? base * base : pow(base, exponent.constant().real());
    return pow(base.constant().real(), exponent);
  }

  Expr call_of(const Node& node) {
    const Function& function = *function_named(node.name);
    Exprs arguments;
    Names names;
    std::vector<double> numbers;
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      const Expr value = built(node.operands[k]);
      if (k < static_cast<std::size_t>(function.arguments)) arguments.push_back(value), unite(names, node.operands[k].result);
      else numbers.push_back(value.constant().real());
    }
    const Indices labels = indices(names);
    for (Expr& argument : arguments) argument = everywhere(argument, labels);
    return function.apply(arguments, node.labels.empty() ? labels : indices(node.labels), numbers);
  }

  const Objective& objective_;
  Declaration& declaration_;
  std::map<std::string, Index> indices_;
  std::map<std::string, Expr> tensors_;
  const Source* source_ = nullptr;
};

}  // namespace

Expr built(const Objective& objective, Declaration& declaration) { return Builder(objective, declaration).run(); }

}  // namespace tyto::language
