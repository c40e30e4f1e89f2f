#include "optimize/least_squares.hpp"
#include <algorithm>
#include <map>

namespace tyto::optimize {

using einsum::contains;
using einsum::Label;
using einsum::Labels;
using graph::NodeId;
using graph::Store;

namespace {

/// Whether an einsum only multiplies entry by entry: nothing is summed in it, no axis is used twice.
bool is_elementwise(const graph::Einsum& e) {
  return is_ordinary(e.pair) && std::all_of(e.subscripts.inputs.begin(), e.subscripts.inputs.end(), [&](const Labels& in) {
           return std::all_of(in.begin(), in.end(), [&](Label l) {
             return contains(e.subscripts.output, l) && std::count(in.begin(), in.end(), l) == 1;
           });
         });
}

/// The factors of a scalar product with elementwise products inside it opened: the residual itself is never opened.
Product opened(const Store& store, NodeId scalar) {
  Product p = as_product(store, scalar);
  for (std::size_t k = 0; k < p.operands.size();) {
    const graph::Term inner = graph::without_factor(store, p.operands[k]);
    const auto* e = graph::as<graph::Einsum>(store[inner.node]);
    if (e == nullptr || !is_elementwise(*e)) {
      ++k;
      continue;
    }
    const Labels axes = p.subscripts.inputs[k];
    p.coefficient *= inner.coefficient;
    p.operands.erase(p.operands.begin() + static_cast<std::ptrdiff_t>(k));
    p.subscripts.inputs.erase(p.subscripts.inputs.begin() + static_cast<std::ptrdiff_t>(k));
    for (std::size_t m = 0; m < store[inner.node].operands.size(); ++m) {
      Labels labels;
      for (const Label label : e->subscripts.inputs[m])
        labels.push_back(axes[static_cast<std::size_t>(std::find(e->subscripts.output.begin(), e->subscripts.output.end(), label) -
                                                       e->subscripts.output.begin())]);
      p.operands.push_back(store[inner.node].operands[m]);
      p.subscripts.inputs.push_back(labels);
    }
  }
  return p;
}

/// A product as squares of some operands and weights for the rest, each by number.
struct Squares {
  std::vector<std::size_t> squared, weights;
};

std::optional<Squares> squares_in(const Store& store, const Product& p) {
  Squares found;
  std::vector<char> paired(p.operands.size(), 0);
  for (std::size_t k = 0; k < p.operands.size(); ++k) {
    if (paired[k] != 0) continue;
    for (std::size_t m = k + 1; m < p.operands.size() && paired[k] == 0; ++m)
      if (paired[m] == 0 && p.operands[k] == p.operands[m] && p.subscripts.inputs[k] == p.subscripts.inputs[m])
        paired[k] = paired[m] = 1;
    (paired[k] != 0 ? found.squared : found.weights).push_back(k);
    if (paired[k] != 0) continue;
    const auto* leaf = graph::as<graph::Leaf>(store[p.operands[k]]);
    if (leaf == nullptr || leaf->role != graph::Role::weights) return std::nullopt;
  }
  return found;
}

/// The residual and its weights: of several squares their product entry by entry.
void set_residual(Store& store, const Product& p, const Squares& squares, Squared& term) {
  Labels axes;
  Product residual;
  for (const std::size_t k : squares.squared) {
    residual.operands.push_back(p.operands[k]);
    residual.subscripts.inputs.push_back(p.subscripts.inputs[k]);
    for (const Label label : p.subscripts.inputs[k])
      if (!contains(axes, label)) axes.push_back(label);
  }
  residual.subscripts.output = axes;
  term.residual = graph::einsum(store, residual.operands, residual.subscripts);
  const auto number_of = [&axes](Label label) {
    const auto at = std::find(axes.begin(), axes.end(), label);
    return static_cast<Label>(at - axes.begin()) + (at == axes.end() ? 1 + label : 0);  // one that only weights have stays apart
  };
  for (const std::size_t k : squares.weights) {
    Labels labels;
    for (const Label label : p.subscripts.inputs[k]) labels.push_back(number_of(label));
    term.weights.push_back({p.operands[k], labels});
  }
}

}  // namespace

std::optional<std::vector<Squared>> squared_terms(Store& store, NodeId scalar) {
  std::vector<Squared> terms;
  std::vector<graph::Term> open{{1, scalar}};  // sums may nest; the last is looked at next
  while (!open.empty()) {
    const graph::Term term = open.back();
    open.pop_back();
    const graph::Node& node = store[term.node];
    if (const auto* sum = graph::as<graph::Combination>(node)) {
      for (std::size_t k = node.operands.size(); k-- > 0;)
        open.push_back({term.coefficient * sum->coefficients[k], node.operands[k]});
      continue;
    }
    Product p = opened(store, term.node);
    const std::optional<Squares> squares = squares_in(store, p);
    terms.push_back({.coefficient = term.coefficient * p.coefficient});
    if (terms.back().coefficient <= 0 || !squares || squares->squared.empty()) return std::nullopt;
    p.coefficient = 1;
    terms.back().scalar = to_node(store, p, {});
    set_residual(store, p, *squares, terms.back());
  }
  return terms;
}

NodeId weighed(Store& store, const Squared& term, NodeId tangent) {
  einsum::Subscripts subscripts;
  std::vector<NodeId> operands;
  for (const Squared::Weight& weight : term.weights) {
    operands.push_back(weight.node);
    subscripts.inputs.push_back(weight.labels);
  }
  operands.push_back(tangent);
  subscripts.output = graph::counted(store[tangent].shape.size());
  subscripts.inputs.push_back(subscripts.output);
  return graph::scaled(store, 2 * term.coefficient, graph::einsum(store, operands, subscripts));
}

namespace {

/// Rebuilds nodes with one axis cut to the tile; every (node, axis) once.
class Cut {
 public:
  Cut(Store& store, std::shared_ptr<const Dimension> tile) : store_(store), tile_(std::move(tile)) {}

  NodeId cut(NodeId id, std::int32_t axis) {
    const auto known = made_.find({id, axis});
    if (known != made_.end()) return known->second;
    const graph::Node node = store_[id];
    return made_[{id, axis}] = std::visit([&](const auto& operation) { return made(id, node, operation, axis); }, node.operation);
  }
  const std::vector<Tiled::Leaf>& leaves() const { return leaves_; }

 private:
  graph::Shape cut_shape(const graph::Node& node, std::int32_t axis) {
    graph::Shape shape = node.shape;
    shape[static_cast<std::size_t>(axis)] = store_.dimension(tile_);
    return shape;
  }
  NodeId made(NodeId id, const graph::Node& node, const graph::Leaf& leaf, std::int32_t axis) {
    const NodeId part =
        store_.insert_source(graph::Leaf{leaf.name, leaf.role, std::make_shared<const char>('\0')}, cut_shape(node, axis));
    leaves_.push_back({id, part, axis});
    return part;
  }
  NodeId made(NodeId, const graph::Node& node, const graph::Fill& fill, std::int32_t axis) {
    return store_.insert_source(fill, cut_shape(node, axis));
  }
  NodeId made(NodeId, const graph::Node& node, const graph::Combination& c, std::int32_t axis) { return all_cut(node, c, axis); }
  NodeId made(NodeId, const graph::Node& node, const graph::Power& p, std::int32_t axis) { return all_cut(node, p, axis); }
  NodeId made(NodeId, const graph::Node& node, const graph::Map& m, std::int32_t axis) { return all_cut(node, m, axis); }
  template <class Other>
  NodeId made(NodeId, const graph::Node&, const Other&, std::int32_t) {
    return -1;
  }
  NodeId made(NodeId, const graph::Node& node, const graph::Einsum& e, std::int32_t axis) {
    return cut_label(node, e, e.subscripts.output[static_cast<std::size_t>(axis)]);
  }
  NodeId all_cut(const graph::Node& node, graph::Operation operation, std::int32_t axis) {
    std::vector<NodeId> operands;
    for (const NodeId operand : node.operands) operands.push_back(cut(operand, axis));
    if (std::find(operands.begin(), operands.end(), -1) != operands.end()) return -1;
    return store_.insert(std::move(operation), std::move(operands));
  }

 public:
  NodeId cut_label(const graph::Node& node, const graph::Einsum& e, Label label) {
    std::vector<NodeId> operands = node.operands;
    for (std::size_t k = 0; k < operands.size(); ++k) {
      const Labels& labels = e.subscripts.inputs[k];
      const auto count = std::count(labels.begin(), labels.end(), label);
      if (count == 0) continue;
      if (count > 1) return -1;
      operands[k] = cut(operands[k], static_cast<std::int32_t>(std::find(labels.begin(), labels.end(), label) - labels.begin()));
      if (operands[k] < 0) return -1;
    }
    return store_.insert(e, operands);
  }

 private:
  Store& store_;
  std::shared_ptr<const Dimension> tile_;
  std::map<std::pair<NodeId, std::int32_t>, NodeId> made_;
  std::vector<Tiled::Leaf> leaves_;
};

}  // namespace

std::optional<Tiled> tiled(Store& store, NodeId scalar, std::int32_t axis, std::int64_t tile) {
  const graph::Node node = store[scalar];
  const auto* e = graph::as<graph::Einsum>(node);
  if (e == nullptr || !is_ordinary(e->pair)) return std::nullopt;
  const graph::DimensionId dimension = store[node.operands[0]].shape[static_cast<std::size_t>(axis)];
  Cut cut(store, std::make_shared<const Dimension>(Dimension{store(dimension).name, tile, tile, false}));
  const NodeId part = cut.cut_label(node, *e, e->subscripts.inputs[0][static_cast<std::size_t>(axis)]);
  if (part < 0) return std::nullopt;
  Tiled result{part, cut.leaves()};
  for (const NodeId id : reachable(store, {part})) {
    const bool is_cut = std::any_of(result.leaves.begin(), result.leaves.end(), [&](const Tiled::Leaf& l) { return l.used == id; });
    if (graph::is<graph::Leaf>(store[id]) && !is_cut) result.leaves.push_back({id, id, -1});
  }
  return result;
}

}  // namespace tyto::optimize
