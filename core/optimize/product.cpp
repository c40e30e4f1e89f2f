#include "optimize/product.hpp"
#include <algorithm>
#include <functional>
#include <limits>
#include "error/fail.hpp"

namespace tyto::optimize {

using einsum::contains;
using einsum::Label;
using einsum::Labels;
using graph::NodeId;
using graph::Store;

namespace {

void erase_operand(Product& p, std::size_t k) {
  p.operands.erase(p.operands.begin() + static_cast<std::ptrdiff_t>(k));
  p.subscripts.inputs.erase(p.subscripts.inputs.begin() + static_cast<std::ptrdiff_t>(k));
}

void rename(Product& p, Label from, Label to) {
  for (Labels& labels : p.subscripts.inputs) std::replace(labels.begin(), labels.end(), from, to);
  std::replace(p.subscripts.output.begin(), p.subscripts.output.end(), from, to);
}

bool on_other_operand(const Product& p, std::size_t k, Label label) {
  for (std::size_t other = 0; other < p.operands.size(); ++other)
    if (other != k && contains(p.subscripts.inputs[other], label)) return true;
  return false;
}

}  // namespace

Product as_product(const Store& store, NodeId id) {
  const graph::Node& node = store[id];
  if (const auto* e = graph::as<graph::Einsum>(node); e != nullptr && is_ordinary(e->pair))
    return {1, node.operands, e->subscripts};
  const Labels labels = graph::counted(node.shape.size());
  return {1, {id}, {{labels}, labels}};
}

NodeId to_node(Store& store, const Product& p, const graph::Shape& shape) {
  if (p.coefficient == 0) return graph::fill(store, 0, shape);
  if (p.operands.empty()) return graph::fill(store, p.coefficient, shape);
  return graph::scaled(store, p.coefficient, graph::einsum(store, p.operands, p.subscripts));
}

cost::Network network_of(const Store& store, const Product& p) {
  cost::Network network{p.subscripts, Extents(static_cast<std::size_t>(einsum::label_count(p.subscripts)), 1)};
  for (std::size_t k = 0; k < p.operands.size(); ++k)
    for (std::size_t axis = 0; axis < p.subscripts.inputs[k].size(); ++axis)
      network.extents[static_cast<std::size_t>(p.subscripts.inputs[k][axis])] = store.extent(store[p.operands[k]].shape[axis]);
  return network;
}

namespace {

/// The ordinary einsum of at most `most_operands` that operand k is, but for a scalar factor; null if it is none.
const graph::Einsum* inner_product(const Store& store, NodeId operand, std::size_t most_operands, graph::Term& inner) {
  inner = graph::without_factor(store, operand);
  const graph::Node& node = store[inner.node];
  const auto* e = graph::as<graph::Einsum>(node);
  return e != nullptr && is_ordinary(e->pair) && node.operands.size() <= most_operands ? e : nullptr;
}

/// Puts the operands of an inner product in the place of operand k.
void open(const Store& store, Product& p, std::size_t k, const graph::Term& inner, const graph::Einsum& e) {
  // Labels of the inner output take the names of the outer axis; its summed labels get new ones.
  Label next = einsum::label_count(p.subscripts);
  Labels outer(static_cast<std::size_t>(einsum::label_count(e.subscripts)), -1);
  const Labels axes = p.subscripts.inputs[k];
  for (std::size_t axis = 0; axis < axes.size(); ++axis) outer[static_cast<std::size_t>(e.subscripts.output[axis])] = axes[axis];
  for (Label& label : outer)
    if (label < 0) label = next++;
  p.coefficient *= inner.coefficient;
  erase_operand(p, k);
  const std::vector<NodeId>& operands = store[inner.node].operands;
  for (std::size_t m = 0; m < operands.size(); ++m) {
    Labels labels;
    for (const Label label : e.subscripts.inputs[m]) labels.push_back(outer[static_cast<std::size_t>(label)]);
    const auto at = static_cast<std::ptrdiff_t>(k + m);
    p.operands.insert(p.operands.begin() + at, operands[m]);
    p.subscripts.inputs.insert(p.subscripts.inputs.begin() + at, labels);
  }
}

/// Opens every copy of the inner product `node`.
Product with_all_opened(const Store& store, Product p, NodeId node, std::size_t most_operands) {
  graph::Term inner;
  for (std::size_t k = 0; k < p.operands.size(); ++k)
    if (const auto* e = inner_product(store, p.operands[k], most_operands, inner); e != nullptr && inner.node == node) {
      const std::size_t count = store[node].operands.size();
      open(store, p, k, inner, *e);
      k += count - 1;
    }
  return p;
}

/// Whether an inner product that stands several times is to be opened.
using Wanted = std::function<bool(const Product& closed, const Product& opened, NodeId)>;

/// Opens inner products of at most `most_operands` operands, users before what they use, so that all copies of one are there when
/// its turn comes. What would make more than most_fused_operands stays closed: products of products grow exponentially.
Product with_products_opened(const Store& store, Product p, std::size_t most_operands, const Wanted& wanted) {
  std::vector<NodeId> closed;
  for (;;) {
    NodeId last = -1;
    std::size_t copies = 0;
    for (const NodeId operand : p.operands) {
      graph::Term inner;
      if (inner_product(store, operand, most_operands, inner) == nullptr || contains(closed, inner.node)) continue;
      if (inner.node > last) last = inner.node, copies = 0;
      if (inner.node == last) ++copies;
    }
    if (last < 0) return p;
    Product opened = with_all_opened(store, p, last, most_operands);
    const bool fits = opened.operands.size() <= std::max(p.operands.size(), most_fused_operands);
    if (fits && (copies == 1 || wanted(p, opened, last))) p = std::move(opened);
    else closed.push_back(last);
  }
}

bool always(const Product&, const Product&, NodeId) { return true; }

}  // namespace

Product numbered_by_operands(Product p) {
  const Labels output = p.subscripts.output;
  p.subscripts.output.clear();
  const einsum::Subscripts before = p.subscripts;
  p.subscripts = einsum::renumbered(p.subscripts);
  for (const einsum::Label label : output)
    for (std::size_t k = 0; k < before.inputs.size(); ++k) {
      const auto at = std::find(before.inputs[k].begin(), before.inputs[k].end(), label);
      if (at == before.inputs[k].end()) continue;
      p.subscripts.output.push_back(p.subscripts.inputs[k][static_cast<std::size_t>(at - before.inputs[k].begin())]);
      break;
    }
  return p;
}

Product fused(const Store& store, Product p) {
  return with_products_opened(store, std::move(p), std::numeric_limits<std::size_t>::max(), always);
}
Product fused_where_cheaper(const Store& store, Product p) {
  const auto flops = [&](const Product& product) {
    return cost::best_path(network_of(store, product), cost::quick_search).total.flops;
  };
  return with_products_opened(store, std::move(p), std::numeric_limits<std::size_t>::max(),
                              [&](const Product& closed, const Product& opened, NodeId inner) {
                                return flops(opened) <= flops(closed) + flops(as_product(store, inner));
                              });
}
Product without_permutations(const Store& store, Product p) { return with_products_opened(store, std::move(p), 1, always); }

Product without_identities(Store& store, Product p) {
  for (std::size_t k = 0; k < p.operands.size();) {
    if (!graph::is<graph::Identity>(store[p.operands[k]])) {
      ++k;
      continue;
    }
    const Label a = p.subscripts.inputs[k][0], b = p.subscripts.inputs[k][1];
    const graph::DimensionId dimension = store[p.operands[k]].shape[0];
    const Labels& output = p.subscripts.output;
    const auto is_same = [&](const Labels& labels) { return labels == Labels{a, b} || labels == Labels{b, a}; };
    if (a != b && contains(output, a) && contains(output, b)) {
      bool is_repeated = false;  // I(a,b) I(a,b) = I(a,b)
      for (std::size_t other = 0; other < k; ++other)
        is_repeated = is_repeated || (graph::is<graph::Identity>(store[p.operands[other]]) && is_same(p.subscripts.inputs[other]));
      if (is_repeated) erase_operand(p, k);
      else ++k;
      continue;
    }
    const Label kept = contains(output, b) ? b : a;
    erase_operand(p, k);
    if (a != b) rename(p, kept == a ? b : a, kept);
    if (on_other_operand(p, p.operands.size(), kept)) continue;
    if (contains(p.subscripts.output, kept)) {  // sum over b of I(a,b) is 1 for every a
      p.operands.push_back(graph::fill(store, 1, {dimension}));
      p.subscripts.inputs.push_back({kept});
    } else {
      p.coefficient *= static_cast<double>(store.extent(dimension));  // the trace
    }
  }
  return p;
}

namespace {

/// The leaf that an operand is, or is the conjugate of; null if it is neither.
const graph::Leaf* leaf_of(const Store& store, NodeId id, bool& is_conjugate) {
  const auto* map = graph::as<graph::Map>(store[id]);
  is_conjugate = map != nullptr && map->function == operation::Function::conj;
  return graph::as<graph::Leaf>(store[is_conjugate ? store[id].operands[0] : id]);
}

/// Whether operands k and m are conj(Q) and Q, with every axis of Q that its fact does not name joining these two alone.
bool is_orthonormal_pair(const Store& store, const Product& p, std::size_t k, std::size_t m) {
  bool first_conjugate = false, second_conjugate = false;
  const graph::Leaf* leaf = leaf_of(store, p.operands[k], first_conjugate);
  const graph::Leaf* other = leaf_of(store, p.operands[m], second_conjugate);
  if (leaf == nullptr || other == nullptr || !(*leaf == *other) || leaf->facts.orthonormal.empty()) return false;
  if (leaf->field == Field::complex && first_conjugate == second_conjugate) return false;
  const Labels &own = p.subscripts.inputs[k], &its = p.subscripts.inputs[m];
  for (std::size_t axis = 0; axis < own.size(); ++axis) {
    const std::vector<std::int32_t>& named = leaf->facts.orthonormal;
    if (std::find(named.begin(), named.end(), static_cast<std::int32_t>(axis)) != named.end()) continue;
    std::int64_t uses = 0;
    for (const Labels& in : p.subscripts.inputs) uses += std::count(in.begin(), in.end(), own[axis]);
    if (own[axis] != its[axis] || uses != 2 || contains(p.subscripts.output, own[axis])) return false;
  }
  return true;
}

}  // namespace

Product without_orthonormal_pairs(Store& store, Product p) {
  for (std::size_t k = 0; k < p.operands.size(); ++k)
    for (std::size_t m = k + 1; m < p.operands.size(); ++m) {
      if (!is_orthonormal_pair(store, p, k, m)) continue;
      bool is_conjugate = false;
      const graph::Leaf* leaf = leaf_of(store, p.operands[k], is_conjugate);
      const graph::Shape shape = store[p.operands[k]].shape;
      const Labels own = p.subscripts.inputs[k], its = p.subscripts.inputs[m];
      erase_operand(p, m);
      erase_operand(p, k);
      for (const std::int32_t axis : leaf->facts.orthonormal) {
        const auto a = static_cast<std::size_t>(axis);
        p.operands.push_back(graph::identity(store, shape[a], shape[a]));
        p.subscripts.inputs.push_back({own[a], its[a]});
      }
      return without_orthonormal_pairs(store, std::move(p));
    }
  return p;
}

Product without_factors(Store& store, Product p) {
  for (std::size_t k = 0; k < p.operands.size();) {
    const graph::Term inner = graph::without_factor(store, p.operands[k]);
    p.coefficient *= inner.coefficient;
    p.operands[k] = inner.node;
    const auto* value = graph::as<graph::Fill>(store[inner.node]);
    if (value == nullptr) {
      ++k;
      continue;
    }
    p.coefficient *= value->value;
    const graph::Shape shape = store[inner.node].shape;
    const Labels labels = p.subscripts.inputs[k];
    graph::Shape rest_shape;
    Labels rest;
    for (std::size_t axis = 0; axis < labels.size(); ++axis) {
      if (contains(rest, labels[axis]) || on_other_operand(p, k, labels[axis])) continue;
      if (contains(p.subscripts.output, labels[axis])) rest.push_back(labels[axis]), rest_shape.push_back(shape[axis]);
      else if (std::find(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(axis), labels[axis]) ==
               labels.begin() + static_cast<std::ptrdiff_t>(axis))
        p.coefficient *= static_cast<double>(store.extent(shape[axis]));  // a sum of ones
    }
    if (rest.empty()) {
      erase_operand(p, k);
    } else {
      p.operands[k] = graph::fill(store, 1, rest_shape);
      p.subscripts.inputs[k] = rest;
      ++k;
    }
  }
  return p;
}

}  // namespace tyto::optimize
