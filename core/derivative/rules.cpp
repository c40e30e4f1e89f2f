#include "derivative/rules.hpp"
#include <algorithm>
#include "derivative/factorizations.hpp"
#include "derivative/site.hpp"
#include "error/fail.hpp"

namespace tyto::derivative {

using namespace graph;
using einsum::Label;
using einsum::Labels;

einsum::Labels joined(std::initializer_list<Labels> parts) {
  Labels all;
  for (const Labels& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

NodeId times(Store& store, NodeId a, std::size_t seeds, NodeId b) {
  const Labels seed = counted(seeds), axes = counted(store[b].shape.size(), static_cast<Label>(seeds)), all = joined({seed, axes});
  return graph::einsum(store, {a, b}, {{all, axes}, all});
}

NodeId plus(Store& store, NodeId a, double factor, NodeId b) { return combination(store, {{1, a}, {factor, b}}, store[a].shape); }

namespace {

bool is_extreme(const Einsum& e) { return e.pair.reduce != einsum::Reduce::sum && e.subscripts.inputs.size() == 1; }

void check_pair(const Einsum& e) {
  if (!is_ordinary(e.pair) && !is_extreme(e))
    fail_unsupported("the derivative of an einsum over another pair than (sum, product)",
                     "only sums of products, and the largest or smallest of one tensor, are differentiable here");
}

/// For each value of the operand of max or min its share of the result: 1, or 1/n where n values agree in being it.
NodeId shares(Store& store, const Node& node, NodeId id, const Einsum& e) {
  const NodeId operand = node.operands[0];
  const Labels &in = e.subscripts.inputs[0], &out = e.subscripts.output;
  const NodeId repeated = graph::einsum(store, {id, fill(store, 1, store[operand].shape)}, {{out, in}, in});
  const NodeId is_it = map(store, operation::Function::equal, {operand, repeated});
  const NodeId count = graph::einsum(store, {is_it}, {{in}, out});
  return graph::einsum(store, {is_it, power(store, count, -1)}, {{in, out}, in});
}

}  // namespace

NodeId rule(const Backward& b, const Combination& c) { return scaled(b.store, c.coefficients[b.k], b.adjoint); }

/// d/dx x^p = p x^(p-1)
NodeId rule(const Backward& b, const Power& p) {
  const NodeId slope = conjugate(b.store, power(b.store, b.node.operands[0], p.exponent - 1));
  return scaled(b.store, p.exponent, times(b.store, b.adjoint, b.seeds, slope));
}

/// The einsum of the adjoint and the other operands. A label that the operand has twice is its diagonal and becomes an
/// identity; one that only the operand has was summed alone, so the adjoint is repeated along it.
NodeId rule(const Backward& b, const Einsum& e) {
  check_pair(e);
  Store& store = b.store;
  const Node& node = b.node;
  const einsum::Subscripts& s = e.subscripts;
  if (is_extreme(e)) {
    const Labels seed = counted(b.seeds, einsum::label_count(s));
    return graph::einsum(store, {b.adjoint, shares(store, node, b.id, e)},
                         {{joined({seed, s.output}), s.inputs[0]}, joined({seed, s.inputs[0]})});
  }
  Label next = einsum::label_count(s);
  const Labels seed = counted(b.seeds, next);
  next += static_cast<Label>(b.seeds);
  std::vector<NodeId> operands{b.adjoint};
  einsum::Subscripts result{{joined({seed, s.output})}, seed};
  for (std::size_t other = 0; other < node.operands.size(); ++other)
    if (other != b.k) operands.push_back(conjugate(store, node.operands[other])), result.inputs.push_back(s.inputs[other]);
  const Labels& own = s.inputs[b.k];
  for (std::size_t axis = 0; axis < own.size(); ++axis) {
    const DimensionId dimension = store[node.operands[b.k]].shape[axis];
    Label label = own[axis];
    const bool is_repeated = std::find(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(axis), label) !=
                             own.begin() + static_cast<std::ptrdiff_t>(axis);
    if (is_repeated) {
      operands.push_back(identity(store, dimension, dimension));
      result.inputs.push_back({label, next});
      label = next++;
    } else if (std::none_of(result.inputs.begin(), result.inputs.end(),
                            [&](const Labels& in) { return einsum::contains(in, label); })) {
      operands.push_back(fill(store, 1, {dimension}));
      result.inputs.push_back({label});
    }
    result.output.push_back(label);
  }
  return graph::einsum(store, operands, result);
}

NodeId rule(const Backward& b, const Factorization&) { return backward_factorization(b.store, b.id, b.adjoint, b.seeds); }

NodeId rule(const Forward& f, const Combination& c) { return scaled(f.store, c.coefficients[f.k], f.tangent); }
NodeId rule(const Forward& f, const Power& p) {
  return scaled(f.store, p.exponent, times(f.store, f.tangent, 0, power(f.store, f.node.operands[0], p.exponent - 1)));
}
NodeId rule(const Forward& f, const Einsum& e) {
  check_pair(e);
  if (is_extreme(e))
    return graph::einsum(f.store, {f.tangent, shares(f.store, f.node, f.id, e)},
                         {{e.subscripts.inputs[0], e.subscripts.inputs[0]}, e.subscripts.output});
  std::vector<NodeId> operands = f.node.operands;
  operands[f.k] = f.tangent;
  return graph::einsum(f.store, operands, e.subscripts);
}
NodeId rule(const Forward& f, const Factorization&) { return forward_factorization(f.store, f.id, f.tangent); }

namespace {

/// Sources have no operands to have a derivative by; all other operations have a rule.
template <class Site>
struct Dispatch {
  const Site& site;
  template <class Operation>
  NodeId operator()(const Operation& operation) const {
    if constexpr (requires { rule(site, operation); }) {
      return rule(site, operation);
    } else {
      TYTO_ASSERT(is_source(site.node.operation));
      return -1;
    }
  }
};

}  // namespace

NodeId backward(Store& store, NodeId node, std::size_t k, NodeId adjoint, std::size_t seeds) {
  const Backward site{store, store[node], node, k, adjoint, seeds};
  return std::visit(Dispatch<Backward>{site}, store[node].operation);
}

NodeId forward(Store& store, NodeId node, std::size_t k, NodeId tangent) {
  const Forward site{store, store[node], node, k, tangent};
  return std::visit(Dispatch<Forward>{site}, store[node].operation);
}

}  // namespace tyto::derivative
