#include "graph/build.hpp"
#include <algorithm>
#include <cmath>
#include "error/fail.hpp"
#include "operation/function_value.hpp"

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

namespace {

NodeId merged(Store& store, const std::vector<Term>& terms, const Shape& shape, bool opens_nested) {
  std::vector<Term> flat;
  const auto add = [&](double coefficient, NodeId node) {
    if (coefficient == 0 || is_zero(store, node)) return;
    const auto same = std::find_if(flat.begin(), flat.end(), [&](const Term& t) { return t.node == node; });
    if (same == flat.end()) flat.push_back({coefficient, node});
    else same->coefficient += coefficient;
  };
  for (const Term& term : terms) {
    const Node& node = store[term.node];
    const auto* nested = as<Combination>(node);
    if (nested != nullptr && (opens_nested || node.operands.size() == 1)) {
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

}  // namespace

NodeId combination(Store& store, const std::vector<Term>& terms, const Shape& shape) { return merged(store, terms, shape, true); }
NodeId nested_combination(Store& store, const std::vector<Term>& terms, const Shape& shape) {
  return merged(store, terms, shape, false);
}

NodeId scaled(Store& store, double factor, NodeId node) { return combination(store, {{factor, node}}, store[node].shape); }

NodeId power(Store& store, NodeId node, double exponent) {
  if (exponent == 1) return node;
  if (exponent == 0) return fill(store, 1, store[node].shape);
  const auto* base = as<Fill>(store[node]);
  if (base != nullptr && !std::isnan(std::pow(base->value, exponent)))
    return fill(store, std::pow(base->value, exponent), store[node].shape);
  return store.insert(Power{exponent}, {node});
}

NodeId map(Store& store, operation::Function f, const std::vector<NodeId>& operands) {
  using operation::Function;
  const Node& first = store[operands.front()];
  if (first.field == Field::real && (f == Function::conj || f == Function::real)) return operands.front();
  if (first.field == Field::real && f == Function::imag) return fill(store, 0, first.shape);
  if (f == Function::complex) return first.field == Field::complex ? operands.front() : store.insert(Map{f}, operands);
  if (f == Function::conj) {
    if (is<ImaginaryUnit>(first)) return scaled(store, -1, operands.front());
    if (const auto* inner = as<Map>(first); inner != nullptr && inner->function == f) return first.operands[0];
  }
  std::vector<double> values;
  for (const NodeId operand : operands)
    if (const auto* value = as<Fill>(store[operand])) values.push_back(value->value);
  if (values.size() < operands.size()) return store.insert(Map{f}, operands);
  double result = 0;
  operation::with_function(f, [&]<Function known>() { result = operation::value_at<known>(values.front(), values.back()); });
  return std::isnan(result) ? store.insert(Map{f}, operands) : fill(store, result, first.shape);
}

NodeId conjugate(Store& store, NodeId node) { return map(store, operation::Function::conj, {node}); }

NodeId complex_fill(Store& store, std::complex<double> value, const Shape& shape) {
  if (value.imag() == 0) return fill(store, value.real(), shape);
  const NodeId unit = store.insert_source(ImaginaryUnit{}, {});
  const NodeId scalar = combination(store, {{value.real(), fill(store, 1, {})}, {value.imag(), unit}}, {});
  if (shape.empty()) return scalar;
  const einsum::Labels axes = counted(shape.size());
  return einsum(store, {scalar, fill(store, 1, shape)}, {{{}, axes}, axes});
}

NodeId log_sum_exp(Store& store, NodeId node, std::int32_t reduced) {
  return reduced == 0 ? node : store.insert(LogSumExp{reduced}, {node});
}
NodeId softmax(Store& store, NodeId node, std::int32_t reduced) {
  return reduced == 0 ? fill(store, 1, store[node].shape) : store.insert(Softmax{reduced}, {node});
}

NodeId reshape(Store& store, NodeId node, const Shape& shape) {
  if (store[node].shape == shape) return node;
  if (const auto* value = as<Fill>(store[node])) return fill(store, value->value, shape);
  if (is<Reshape>(store[node])) return reshape(store, store[node].operands[0], shape);
  return store.insert(Reshape{shape}, {node});
}

NodeId slice(Store& store, NodeId node, const Slice& s) {
  const Node& operand = store[node];
  const DimensionId axis = operand.shape[static_cast<std::size_t>(s.axis)];
  if (axis == s.part && s.first == 0 && s.step == 1) return node;
  if (const auto* p = as<Pad>(operand); p != nullptr && p->axis == s.axis) {
    const NodeId inner = operand.operands[0];
    const DimensionId inside = store[inner].shape[static_cast<std::size_t>(p->axis)];
    if (p->first == s.first && p->step == s.step && inside == s.part) return inner;
    const bool is_beside =
        s.first > p->first + (store.extent(inside) - 1) * p->step || s.first + (store.extent(s.part) - 1) * s.step < p->first;
    const NodeId kept = store.insert(s, {node});
    return is_beside ? fill(store, 0, store[kept].shape) : kept;
  }
  const NodeId kept = store.insert(s, {node});
  if (const auto* value = as<Fill>(store[node])) return fill(store, value->value, store[kept].shape);
  return kept;
}

NodeId pad(Store& store, NodeId node, const Pad& p) {
  if (store[node].shape[static_cast<std::size_t>(p.axis)] == p.whole && p.first == 0 && p.step == 1) return node;
  const NodeId padded = store.insert(p, {node});
  return is_zero(store, node) ? fill(store, 0, store[padded].shape) : padded;
}

NodeId concatenate(Store& store, const std::vector<NodeId>& nodes, const Concatenate& c) {
  if (nodes.size() == 1 && store[nodes[0]].shape[static_cast<std::size_t>(c.axis)] == c.whole) return nodes[0];
  return store.insert(c, nodes);
}

NodeId transposed(Store& store, NodeId node) {
  std::vector<std::int32_t> order;
  for (std::size_t k = 0; k < store[node].shape.size(); ++k) order.push_back(static_cast<std::int32_t>(k));
  TYTO_ASSERT(order.size() >= 2);
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return permuted(store, node, order);
}

NodeId matrix_product(Store& store, NodeId a, NodeId b) {
  const std::size_t batch = store[a].shape.size() - 2;
  einsum::Labels left = counted(batch + 2), right = left, out = left;
  const auto row = static_cast<einsum::Label>(batch), inner = row + 1, column = row + 2;
  left[batch] = row, left[batch + 1] = inner;
  right[batch] = inner, right[batch + 1] = column;
  out[batch] = row, out[batch + 1] = column;
  return einsum(store, {a, b}, {{left, right}, out});
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
