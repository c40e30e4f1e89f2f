#include <algorithm>
#include <cctype>
#include <set>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include "graph/order.hpp"
#include "graph/calls.hpp"
#include "graph/text.hpp"

namespace tyto::graph {
namespace {

/// Names that the parser would not read as names are quoted.
std::string quoted(const std::string& name) {
  const auto is_plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; };
  const bool starts_well = !name.empty() && (std::isalpha(static_cast<unsigned char>(name[0])) != 0 || name[0] == '_');
  const bool keyword = name == "I" || name == "fill" || name == "triangle" || name == "imaginary" || name.rfind("solve", 0) == 0 ||
                       name == "inverse" || name == "output" || is_call_name(name);
  return starts_well && !keyword && std::all_of(name.begin(), name.end(), is_plain) ? name : "`" + name + "`";
}

std::string unique(std::string name, std::set<std::string>& taken) {
  std::string candidate = name;
  for (int k = 2; !taken.insert(candidate).second; ++k) candidate = fmt::format("{}_{}", name, k);
  return candidate;
}

/// A dimension's name as a label must stay readable with primes and separators around it.
std::string dimension_name(const std::string& name) {
  std::string plain;
  for (const char c : name) plain += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ? c : '_';
  return plain.empty() || std::isdigit(static_cast<unsigned char>(plain[0])) != 0 ? "m" + plain : plain;
}

/// Shown as an operand where it is used, with no line of its own.
bool is_inlined(const Graph& graph, NodeId id) {
  const Node& node = (*graph.store)[id];
  if (!is_source(node.operation) || is<Leaf>(node)) return false;
  return std::none_of(graph.outputs.begin(), graph.outputs.end(), [&](const Output& o) { return o.node == id; });
}

std::string number(double value) { return fmt::format("{}", value); }

struct PrintOperation {
  const Store& store;
  const Naming& naming;
  const Node& node;

  std::string operand(std::size_t k, const std::vector<std::string>& labels) const {
    const Node& operand = store[node.operands[k]];
    const std::string joined = fmt::format("{}", fmt::join(labels, ","));
    if (is<Identity>(operand)) return fmt::format("I({})", joined);
    if (is<ImaginaryUnit>(operand)) return "imaginary()";
    if (const auto* triangle = as<Triangle>(operand)) return fmt::format("triangle({}; {})", number(triangle->diagonal), joined);
    if (const auto* fill = as<Fill>(operand))
      return fmt::format("fill({}{}{})", number(fill->value), labels.empty() ? "" : "; ", joined);
    return fmt::format("{}({})", naming.node(node.operands[k]), joined);
  }
  std::string operator()(const Leaf&) const { return ""; }
  std::string operator()(const Fill& fill) const {
    return fmt::format("fill({}{}{})", number(fill.value), node.shape.empty() ? "" : "; ", fmt::join(naming.axes(node.shape), ","));
  }
  std::string operator()(const Identity&) const { return fmt::format("I({})", fmt::join(naming.axes(node.shape), ",")); }
  std::string operator()(const ImaginaryUnit&) const { return "imaginary()"; }
  std::string operator()(const Triangle& t) const {
    return fmt::format("triangle({}; {})", number(t.diagonal), fmt::join(naming.axes(node.shape), ","));
  }
  /// A call: operands under names of their own axes, parameters by position.
  template <class Called>
  std::string operator()(const Called& operation) const {
    const Call call = *as_call(operation);
    std::string operands;
    for (std::size_t k = 0; k < node.operands.size(); ++k)
      operands += (k == 0 ? "" : ", ") + operand(k, naming.axes(store[node.operands[k]].shape));
    const std::string parameters = call.parameters.empty() ? "" : fmt::format("[{}]", fmt::join(call.parameters, ","));
    return fmt::format("{}{}({})", call.name, parameters, operands);
  }
  std::string operator()(const Einsum& e) const {
    static constexpr const char* reductions[] = {"sum", "min", "max"};
    static constexpr const char* combinations[] = {"product", "sum"};
    const std::vector<std::string> names = naming.labels(node);
    std::string text;
    if (!einsum::is_ordinary(e.pair))
      text = fmt::format("{},{}: ", reductions[static_cast<int>(e.pair.reduce)], combinations[static_cast<int>(e.pair.combine)]);
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      std::vector<std::string> labels;
      for (const einsum::Label label : e.subscripts.inputs[k]) labels.push_back(names[static_cast<std::size_t>(label)]);
      text += (k == 0 ? "" : "*") + operand(k, labels);
    }
    return text;
  }
  std::string operator()(const Combination& c) const {
    const std::vector<std::string> labels = naming.axes(node.shape);
    const bool bare = node.operands.size() == 1;  // "1*X(i)" is a combination, "X(i)" would be an einsum
    std::string text;
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      const double value = c.coefficients[k], size = value < 0 ? -value : value;
      text += k == 0 ? (value < 0 ? "-" : "") : (value < 0 ? " - " : " + ");
      if (size != 1 || bare) text += number(size) + "*";
      text += operand(k, labels);
    }
    return text;
  }
  std::string operator()(const Power& p) const {
    return fmt::format("{}^{}", operand(0, naming.axes(node.shape)), number(p.exponent));
  }
  std::string operator()(const Inverse& i) const {
    const std::vector<std::string> labels = naming.axes(node.shape);
    return fmt::format("inverse[{}]({})", fmt::join(labels.begin() + i.batch, labels.begin() + i.batch + i.rows, ","),
                       operand(0, labels));
  }
  std::string operator()(const Solve& s) const {
    const Shape& matrix = store[node.operands[0]].shape;
    // One naming for all labels: those of the result, then rows.
    Shape all = node.shape;
    all.insert(all.end(), matrix.begin() + s.batch, matrix.begin() + s.batch + s.rows);
    const std::vector<std::string> names = naming.axes(all);
    const auto batch_end = names.begin() + s.batch;
    const auto columns_end = batch_end + static_cast<std::ptrdiff_t>(matrix.size()) - s.batch - s.rows;
    const std::vector<std::string> batch(names.begin(), batch_end), columns(batch_end, columns_end);
    const std::vector<std::string> rest(columns_end, names.end() - s.rows), rows(names.end() - s.rows, names.end());
    const auto joined = [](std::vector<std::string> a, const std::vector<std::string>& b, const std::vector<std::string>& c) {
      a.insert(a.end(), b.begin(), b.end());
      a.insert(a.end(), c.begin(), c.end());
      return a;
    };
    static constexpr const char* forms[] = {"solve", "solve_symmetric", "solve_definite", "solve+", "solve_nonnegative"};
    return fmt::format("{}[{}]({}, {})", forms[static_cast<std::size_t>(s.system)], fmt::join(rows, ","),
                       operand(0, joined(batch, rows, columns)), operand(1, joined(batch, rows, rest)));
  }
};

}  // namespace

Naming::Naming(const Graph& graph) : store_(graph.store.get()) {
  std::set<std::string> taken_nodes, taken_dimensions;
  const std::vector<NodeId> order = depth_first(graph);
  for (const NodeId id : order)
    for (const DimensionId d : (*store_)[id].shape)
      if (!dimensions_.contains(d)) dimensions_[d] = unique(dimension_name((*store_)(d).name), taken_dimensions);
  for (const NodeId id : order)
    if (const auto* leaf = as<Leaf>((*store_)[id])) nodes_[id] = quoted(unique(leaf->name, taken_nodes));
  int count = 0;
  for (const bool inlined : {false, true})  // lines are numbered without gaps
    for (const NodeId id : order)
      if (!nodes_.contains(id) && is_inlined(graph, id) == inlined) nodes_[id] = unique(fmt::format("T{}", ++count), taken_nodes);
}

std::vector<std::string> Naming::axes(const Shape& shape) const {
  std::vector<std::string> names;
  for (const DimensionId d : shape) {
    std::string name = dimensions_.at(d);
    while (std::find(names.begin(), names.end(), name) != names.end()) name += "'";
    names.push_back(std::move(name));
  }
  return names;
}

std::vector<std::string> Naming::labels(const Node& node) const {
  const einsum::Subscripts& s = as<Einsum>(node)->subscripts;
  Shape of_label(static_cast<std::size_t>(einsum::label_count(s)), 0);
  for (std::size_t k = s.inputs.size(); k-- > 0;)
    for (std::size_t axis = 0; axis < s.inputs[k].size(); ++axis)
      of_label[static_cast<std::size_t>(s.inputs[k][axis])] = (*store_)[node.operands[k]].shape[axis];
  return axes(of_label);
}

std::string print_operation(const Store& store, const Naming& naming, NodeId id) {
  return std::visit(PrintOperation{store, naming, store[id]}, store[id].operation);
}

std::string print_node(const Store& store, const Naming& naming, NodeId id) {
  const Node& node = store[id];
  // The left side uses the names under which the right side knows the axes.
  std::vector<std::string> labels = is<Einsum>(node) ? naming.labels(node) : naming.axes(node.shape);
  labels.resize(node.shape.size());
  return fmt::format("{}({}) = {}", naming.node(id), fmt::join(labels, ","), print_operation(store, naming, id));
}

std::string print(const Graph& graph) {
  const Store& store = *graph.store;
  const Naming naming(graph);
  std::set<DimensionId> known;
  const auto declared = [&](const Shape& shape) {
    std::vector<std::string> labels = naming.axes(shape);
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      if (!known.insert(shape[axis]).second) continue;
      const Dimension& d = store(shape[axis]);
      labels[axis] += d.varies ? fmt::format("={}..{}", d.extent, d.capacity) : fmt::format("={}", d.extent);
    }
    return fmt::format("({})", fmt::join(labels, ","));
  };
  /// "X(i=3,j; symmetric i j)"
  const auto with_facts = [&](const Leaf& leaf, std::string axes, const Shape& shape) {
    const std::vector<std::string> labels = naming.axes(shape);
    const auto named = [&](const char* fact, const std::vector<std::int32_t>& of) {
      std::string text = fmt::format("; {}", fact);
      for (const std::int32_t axis : of) text += " " + labels[static_cast<std::size_t>(axis)];
      return text;
    };
    std::string facts;
    for (const std::vector<std::int32_t>& group : leaf.facts.symmetric) facts += named("symmetric", group);
    if (!leaf.facts.orthonormal.empty()) facts += named("orthonormal", leaf.facts.orthonormal);
    return axes.insert(axes.size() - 1, facts);
  };
  std::string text;
  const std::vector<NodeId> order = depth_first(graph);
  for (const NodeId id : order)
    if (const auto* leaf = as<Leaf>(store[id]))
      text += fmt::format("{}{} {}{}\n", leaf->field == Field::complex ? "complex " : "", name_of(leaf->role), naming.node(id),
                          with_facts(*leaf, declared(store[id].shape), store[id].shape));
  // Dimensions that no leaf has (of identities and fills) are declared on a line of their own.
  for (const NodeId id : order)
    for (const DimensionId d : store[id].shape)
      if (!known.contains(d)) text += fmt::format("dimension {}\n", declared({d}));
  for (const NodeId id : order)
    if (!is<Leaf>(store[id]) && !is_inlined(graph, id)) text += print_node(store, naming, id) + "\n";
  for (const Output& output : graph.outputs) text += fmt::format("output {} = {}\n", quoted(output.name), naming.node(output.node));
  return text;
}

}  // namespace tyto::graph
