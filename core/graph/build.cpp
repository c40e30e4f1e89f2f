#include "graph/build.hpp"
#include <algorithm>
#include <cmath>
#include "error/fail.hpp"

namespace tyto::graph {

NodeId fill(Store& store, double value, const Shape& shape) { return store.insert_source(Fill{value}, shape); }

NodeId identity(Store& store, DimensionId row, DimensionId column) { return store.insert_source(Identity{}, {row, column}); }

NodeId einsum(Store& store, const std::vector<NodeId>& operands, const einsum::Subscripts& subscripts, einsum::Pair pair) {
  TYTO_ASSERT(operands.size() == subscripts.inputs.size());
  if (operands.size() == 1 && subscripts.inputs[0] == subscripts.output) {
    const einsum::Labels& labels = subscripts.output;
    const bool diagonal =
        std::any_of(labels.begin(), labels.end(), [&](einsum::Label l) { return std::count(labels.begin(), labels.end(), l) > 1; });
    if (!diagonal) return operands[0];
  }
  // A scalar factor is no operand.
  for (std::size_t k = 0; k < operands.size() && operands.size() > 1 && einsum::is_ordinary(pair); ++k) {
    const auto* scalar = as<Fill>(store[operands[k]]);
    if (scalar == nullptr || !store[operands[k]].shape.empty()) continue;
    std::vector<NodeId> others = operands;
    einsum::Subscripts of_others = subscripts;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
    of_others.inputs.erase(of_others.inputs.begin() + static_cast<std::ptrdiff_t>(k));
    return scaled(store, scalar->value, einsum(store, others, of_others, pair));
  }
  const NodeId product = store.insert(Einsum{subscripts, pair}, operands);
  const bool has_zero = std::any_of(operands.begin(), operands.end(), [&](NodeId id) { return is_zero(store, id); });
  return has_zero && einsum::is_ordinary(pair) ? fill(store, 0, store[product].shape) : product;
}

NodeId combination(Store& store, const std::vector<Term>& terms, const Shape& shape) {
  std::vector<Term> flat;
  const auto add = [&](double coefficient, NodeId node) {
    if (coefficient == 0 || is_zero(store, node)) return;
    const auto same = std::find_if(flat.begin(), flat.end(), [&](const Term& t) { return t.node == node; });
    if (same == flat.end()) flat.push_back({coefficient, node});
    else same->coefficient += coefficient;
  };
  for (const Term& term : terms) {
    const Node& node = store[term.node];
    if (const auto* nested = as<Combination>(node)) {
      for (std::size_t k = 0; k < node.operands.size(); ++k) add(term.coefficient * nested->coefficients[k], node.operands[k]);
    } else {
      add(term.coefficient, term.node);
    }
  }
  std::erase_if(flat, [](const Term& t) { return t.coefficient == 0; });
  if (flat.empty()) return fill(store, 0, shape);
  if (flat.size() == 1 && flat[0].coefficient == 1) return flat[0].node;
  Combination sum;
  std::vector<NodeId> operands;
  for (const Term& term : flat) sum.coefficients.push_back(term.coefficient), operands.push_back(term.node);
  return store.insert(std::move(sum), std::move(operands));
}

NodeId scaled(Store& store, double factor, NodeId node) { return combination(store, {{factor, node}}, store[node].shape); }

NodeId power(Store& store, NodeId node, double exponent) {
  if (exponent == 1) return node;
  if (exponent == 0) return fill(store, 1, store[node].shape);
  if (const auto* value = as<Fill>(store[node])) return fill(store, std::pow(value->value, exponent), store[node].shape);
  return store.insert(Power{exponent}, {node});
}

NodeId elementwise_product(Store& store, const std::vector<NodeId>& nodes) {
  einsum::Subscripts subscripts;
  subscripts.output = counted(store[nodes.front()].shape.size());
  subscripts.inputs.assign(nodes.size(), subscripts.output);
  return einsum(store, nodes, subscripts);
}

NodeId permuted(Store& store, NodeId node, const std::vector<std::int32_t>& order) {
  einsum::Subscripts subscripts{{counted(order.size())}, einsum::Labels(order.begin(), order.end())};
  return einsum(store, {node}, subscripts);
}

bool is_zero(const Store& store, NodeId id) {
  const auto* value = as<Fill>(store[id]);
  return value != nullptr && value->value == 0;
}

Term without_factor(const Store& store, NodeId id) {
  const Node& node = store[id];
  const auto* sum = as<Combination>(node);
  if (sum != nullptr && node.operands.size() == 1) return {sum->coefficients[0], node.operands[0]};
  return {1, id};
}

einsum::Labels counted(std::size_t n, einsum::Label first) {
  einsum::Labels labels(n);
  for (std::size_t k = 0; k < n; ++k) labels[k] = first + static_cast<einsum::Label>(k);
  return labels;
}

}  // namespace tyto::graph
