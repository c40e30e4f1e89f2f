#include "language/names.hpp"
#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "language/functions.hpp"

namespace tyto::language {

Vocabulary::Vocabulary(const Statement& statement, const std::vector<Input>& inputs) {
  for (const Input& in : inputs) {
    define(in.name, {Meaning::data, static_cast<int>(in.extents.size())});
    symbols_[in.name + ".weights"] = {Meaning::weights, static_cast<int>(in.extents.size())};
  }
  for (const Statement::Unknown& u : statement.unknowns) define(u.name, {Meaning::unknown});
  symbols_["ones"] = {Meaning::ones};
  symbols_["identity"] = {Meaning::identity, 2};
}

const Symbol* Vocabulary::find(const std::string& name) const {
  const auto at = symbols_.find(name);
  return at == symbols_.end() ? nullptr : &at->second;
}
Symbol* Vocabulary::find(const std::string& name) {
  const auto at = symbols_.find(name);
  return at == symbols_.end() ? nullptr : &at->second;
}
void Vocabulary::define(const std::string& name, Symbol symbol) {
  symbols_[name] = std::move(symbol);
  names_.push_back(name);
}

std::optional<double> number_of(const Node& node, const Vocabulary& vocabulary) {
  if (node.kind == Kind::number) return node.number;
  if (node.kind == Kind::tensor) {
    const Symbol* symbol = vocabulary.find(node.name);
    return symbol == nullptr ? std::nullopt : symbol->number;
  }
  if (node.kind == Kind::call || node.kind == Kind::labelled) return {};
  std::vector<double> values;
  for (const Node& operand : node.operands) {
    const std::optional<double> value = number_of(operand, vocabulary);
    if (!value) return {};
    values.push_back(*value);
  }
  if (node.kind == Kind::power) return std::pow(values[0], values[1]);
  double total = values[0];
  if (node.kind == Kind::product && node.is_opposite[0] != 0) total = 1 / total;
  for (std::size_t k = 1; k < values.size(); ++k) {
    const bool is_opposite = node.is_opposite[k] != 0;
    if (node.kind == Kind::sum) total += is_opposite ? -values[k] : values[k];
    else total = is_opposite ? total / values[k] : total * values[k];
  }
  return total;
}

namespace {

std::string counted(int n, const std::string& noun) {
  return n == 0 ? fmt::format("no {}", noun) : fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

/// "X[i,j,k]": how a tensor of that order may be written.
std::string example(const std::string& name, int order) {
  std::string labels;
  for (int n = 0; n < order; ++n) labels += fmt::format("{}{}", n == 0 ? "" : ",", static_cast<char>('i' + n % 18));
  return order == 0 ? name : fmt::format("{}[{}]", name, labels);
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

class Check {
 public:
  Check(Objective& objective, const std::vector<Input>& inputs)
      : objective_(objective), inputs_(inputs), vocabulary_(objective.statement, inputs) {}

  std::vector<Finding> run() {
    check_declared();
    for (Objective::Definition& d : objective_.definitions) {
      source_ = &d.value.source;
      check(d.value.tree);
      source_ = &d.name.source;
      define(d);
    }
    source_ = &objective_.minimize.source;
    check(objective_.minimize.tree);
    if (findings_.empty()) check_unused();
    return std::move(findings_);
  }

 private:
  void report(Code code, Span span, std::string what, std::string expected = {}, std::string found = {}, std::string hint = {}) {
    findings_.push_back({.code = code,
                         .where = where(*source_, span),
                         .what = std::move(what),
                         .expected = std::move(expected),
                         .found = std::move(found),
                         .hint = std::move(hint)});
  }

  void check_declared() {
    for (const Statement::Unknown& u : objective_.statement.unknowns) {
      const bool is_data = std::any_of(inputs_.begin(), inputs_.end(), [&](const Input& in) { return in.name == u.name; });
      if (is_data || is_reserved(u.name))
        findings_.push_back({.code = Code::contradiction,
                             .where = u.where,
                             .what = is_data ? fmt::format("{} is both data and unknown", u.name)
                                             : fmt::format("'{}' is a word of the expression language", u.name),
                             .expected = "a name of its own",
                             .found = u.name,
                             .hint = u.name + "1"});
    }
  }

  static bool is_reserved(const std::string& name) { return name == "ones" || name == "identity"; }

  /// Makes the name of a definition known to what follows.
  void define(Objective::Definition& d) {
    Node& left = d.name.tree;
    if (vocabulary_.find(left.name) != nullptr) {
      report(Code::contradiction, left.span, fmt::format("the name {} is taken", left.name), "a name of its own", left.name,
             left.name + "1");
      return;
    }
    if (left.name.find('.') != std::string::npos)
      report(Code::syntax, left.span, "a definition has a plain name", "letters, digits and _", left.name);
    check_labels(left.labels);
    check_once(left.labels);
    Symbol symbol{Meaning::definition, static_cast<int>(left.labels.size())};
    if (left.labels.empty()) symbol.number = number_of(d.value.tree, vocabulary_);
    symbol.first_use = text_of(*source_, left.span);
    vocabulary_.define(left.name, std::move(symbol));
  }

  void check_labels(const std::vector<Label>& labels) {
    for (const Label& label : labels) {
      if (lower(label.name) != label.name)
        report(Code::unsupported, label.span,
               fmt::format("capitals in labels are reserved: {} and {} are one label, and a capital will say how it is handled",
                           label.name, lower(label.name)),
               "small letters, digits and _", label.name, lower(label.name));
      else if (label.name.find('.') != std::string::npos)
        report(Code::syntax, label.span, "a label is a plain name", "small letters, digits and _", label.name);
      else used_labels_.push_back(label.name);
    }
  }

  void check_once(const std::vector<Label>& labels) {
    for (std::size_t k = 1; k < labels.size(); ++k)
      for (std::size_t before = 0; before < k; ++before)
        if (labels[before].name == labels[k].name)
          report(Code::label, labels[k].span, fmt::format("label {} is given twice", labels[k].name), "each label once",
                 listed(labels));
  }

  void check(Node& node) {
    const bool is_tensor_in_parentheses =
        node.kind == Kind::call && function_named(node.name) == nullptr && vocabulary_.find(node.name) != nullptr;
    if (is_tensor_in_parentheses) return refuse_parentheses(node);
    for (Node& operand : node.operands) check(operand);
    check_labels(node.labels);
    if (node.kind == Kind::tensor) check_tensor(node);
    if (node.kind == Kind::call) check_call(node);
    if (node.kind == Kind::labelled) check_once(node.labels);
    if (node.kind == Kind::power && !number_of(node.operands[1], vocabulary_) && !number_of(node.operands[0], vocabulary_))
      report(Code::syntax, node.operands[1].span, "an exponent is a number", "a number, or a number to the power of this",
             text_of(*source_, node.operands[1].span), "exp(y * log(x)) for x^y");
  }

  void check_tensor(Node& node) {
    Symbol* symbol = vocabulary_.find(node.name);
    if (symbol == nullptr) return refuse_name(node);
    const int given = static_cast<int>(node.labels.size());
    if (symbol->order < 0 && symbol->meaning == Meaning::unknown) symbol->order = given;
    if (symbol->order != given && symbol->order >= 0) return refuse_order(node, *symbol);
    if (symbol->meaning == Meaning::ones && given == 0)
      return report(Code::label, node.span, "the labels of ones are missing", "labels in brackets", {}, "ones[i]");
    if (symbol->meaning == Meaning::identity) check_once(node.labels);
    if (symbol->meaning == Meaning::data) check_modes(node);
    if (symbol->first_use) return;
    symbol->first_use = text_of(*source_, node.span);
    if (symbol->meaning == Meaning::ones || symbol->meaning == Meaning::identity) return;
    Names& axes = objective_.axes[node.name];
    for (const Label& label : node.labels) axes.push_back(label.name);
  }

  /// Labels that are names of modes stand for these, where the user gives names.
  void check_modes(const Node& node) {
    const auto in = std::find_if(inputs_.begin(), inputs_.end(), [&](const Input& known) { return known.name == node.name; });
    for (std::size_t n = 0; n < in->modes.size(); ++n) {
      const Label& label = node.labels[n];
      if (label.name == in->modes[n] || !contains(in->modes, label.name)) continue;
      report(Code::label, label.span, fmt::format("label {} is the name of another mode of {}", label.name, in->name),
             fmt::format("{}, or a label that names no mode", in->modes[n]), label.name,
             fmt::format("{}[{}]", in->name, listed_names(in->modes)));
    }
  }

  void refuse_name(const Node& node) {
    const std::string label = nearest(node.name, vocabulary_.names());
    std::string hint = label.empty() ? fmt::format("declaring it: unknowns: {{{}: {{}}}}", node.name) : label;
    if (function_named(node.name) != nullptr) hint = node.name + "(...), the function";
    const auto is_it = [&](const Objective::Definition& d) { return d.name.tree.name == node.name; };
    if (std::any_of(objective_.definitions.begin(), objective_.definitions.end(), is_it))
      hint = fmt::format("the definition of {} above its use", node.name);
    report(Code::unknown_word, name_of(node), fmt::format("unknown name '{}'", node.name),
           vocabulary_.names().empty() ? "no name: there are neither data nor unknowns" : tyto::listed(vocabulary_.names()),
           node.name, hint);
  }

  void refuse_order(const Node& node, const Symbol& symbol) {
    const std::string found = text_of(*source_, node.span);
    if (symbol.meaning == Meaning::data || symbol.meaning == Meaning::weights)
      return report(Code::label, node.span,
                    fmt::format("{} has {} and {}", node.name, counted(symbol.order, "mode"),
                                node.labels.empty() ? "no labels in brackets"
                                                    : counted(static_cast<int>(node.labels.size()), "label") + " here"),
                    counted(symbol.order, "label"), found, example(node.name, symbol.order));
    if (symbol.meaning == Meaning::identity)
      return report(Code::label, node.span, "an identity has a row label and a column label", "2 labels", found, "identity[i,j]");
    report(Code::label, node.span, fmt::format("{} has another number of labels than before", node.name),
           fmt::format("{}, as in {}", counted(symbol.order, "label"), symbol.first_use.value_or(node.name)), found,
           symbol.meaning == Meaning::definition ? fmt::format("'{}: ...' under 'define'", found) : "");
  }

  void check_call(Node& node) {
    const Function* function = function_named(node.name);
    if (function == nullptr) return refuse_function(node);
    const int given = static_cast<int>(node.operands.size());
    const int least = function->arguments, most = least + function->numbers;
    if (given < least || given > most)
      return report(Code::syntax, node.span, fmt::format("{} takes another number of arguments", node.name),
                    least == most ? counted(least, "argument") : fmt::format("{} or {} arguments", least, most),
                    fmt::format("{}", given));
    for (int k = least; k < given; ++k) {
      const Node& operand = node.operands[static_cast<std::size_t>(k)];
      if (!number_of(operand, vocabulary_))
        report(Code::syntax, operand.span, fmt::format("argument {} of {} is a number", k + 1, node.name), "a number",
               text_of(*source_, operand.span));
    }
    check_once(node.labels);
    if (node.has_brackets && !function->takes_labels)
      report(Code::label, node.span, fmt::format("{} takes no labels", node.name), fmt::format("{}(...)", node.name));
    if (function->takes_labels && node.labels.empty() && (node.has_brackets || function->effect == Effect::softmax))
      report(Code::label, node.span, fmt::format("the labels of {} are missing", node.name),
             fmt::format("the labels over which it is taken: {}[i](...)", node.name));
  }

  static Span name_of(const Node& node) { return {node.span.begin, node.span.begin + static_cast<std::int64_t>(node.name.size())}; }

  void refuse_function(const Node& node) {
    const std::string close = nearest(node.name, function_names());
    const std::string hint = node.name == "pow" ? "x^2" : node.name == "dot" ? "inner" : close;
    report(Code::unknown_word, name_of(node), fmt::format("unknown function '{}'", node.name),
           broken(tyto::listed(function_names())), node.name, hint);
  }

  void refuse_parentheses(const Node& node) {
    const std::string arguments = text_of(*source_, {node.operands.front().span.begin, node.operands.back().span.end});
    report(Code::syntax, node.span, fmt::format("{} is a tensor, no function", node.name), "its labels in brackets",
           text_of(*source_, node.span), fmt::format("{}[{}]", node.name, arguments));
  }

  /// A long list in lines that a terminal can show.
  static std::string broken(std::string text) {
    constexpr std::size_t widest = 100;
    for (std::size_t begin = 0; text.size() - begin > widest;) {
      const std::size_t space = text.rfind(' ', begin + widest);
      if (space == std::string::npos || space <= begin) break;
      text[space] = '\n';
      begin = space + 1;
    }
    return text;
  }

  void check_unused() {
    const auto report_unused = [&](const Where& where, std::string what, std::string hint) {
      findings_.push_back({.code = Code::contradiction, .where = where, .what = std::move(what), .hint = std::move(hint)});
    };
    for (const Statement::Unknown& u : objective_.statement.unknowns)
      if (!objective_.axes.contains(u.name))
        report_unused(u.where, fmt::format("the unknown {} stands nowhere in the objective", u.name), "removing it");
    for (const Input& in : inputs_) {
      if (!objective_.axes.contains(in.name) && !objective_.axes.contains(in.name + ".weights"))
        report_unused(in.where, fmt::format("the input {} stands nowhere in the objective", in.name), "removing it");
      else if (in.has_weights && !objective_.axes.contains(in.name + ".weights"))
        report_unused(
            in.where, fmt::format("the mask or weights of {} stand nowhere in the objective", in.name),
            fmt::format("sum({0} * square({1} - ...))", example(in.name + ".weights", static_cast<int>(in.extents.size())),
                        example(in.name, static_cast<int>(in.extents.size()))));
    }
    for (const Statement::Extent& e : objective_.statement.extents)
      if (!contains(used_labels_, e.label)) {
        const std::string close = nearest(e.label, used_labels_);
        findings_.push_back({.code = Code::unknown_word,
                             .where = e.where,
                             .what = fmt::format("no expression has the label {}", e.label),
                             .expected = tyto::listed(once(used_labels_)),
                             .found = e.label,
                             .hint = close.empty() ? "removing it" : close});
      }
  }

  static Names once(const Names& names) {
    Names unique;
    unite(unique, names);
    return unique;
  }

  Objective& objective_;
  const std::vector<Input>& inputs_;
  Vocabulary vocabulary_;
  const Source* source_ = nullptr;
  Names used_labels_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> check_names(Objective& objective, const std::vector<Input>& inputs) { return Check(objective, inputs).run(); }

}  // namespace tyto::language
