#include "optimize/common_subexpressions.hpp"
#include <algorithm>
#include <set>
#include <fmt/format.h>
#include "optimize/canonical.hpp"

namespace tyto::optimize {

using graph::NodeId;

namespace {

/// A product in canonical order whose output axes are sorted, and the permutation that gives the wanted order back.
NodeId canonical_product(graph::Store& store, const Product& p) {
  einsum::Labels sorted = p.subscripts.output;
  Product best;
  std::vector<std::int32_t> best_order;
  // The canonical form depends on which output axis comes first; take the smallest of the orders that keep or reverse axes.
  std::vector<einsum::Labels> candidates{sorted};
  std::reverse(sorted.begin(), sorted.end());
  candidates.push_back(sorted);
  for (const einsum::Labels& output : candidates) {
    Product other = p;
    other.subscripts.output = output;
    other = canonical(store, other);
    if (!best.operands.empty() && !(other.subscripts.inputs < best.subscripts.inputs)) continue;
    best = other;
    best_order.clear();
    for (const einsum::Label label : p.subscripts.output)
      best_order.push_back(static_cast<std::int32_t>(std::find(output.begin(), output.end(), label) - output.begin()));
  }
  const NodeId node = graph::einsum(store, best.operands, best.subscripts);
  return graph::permuted(store, node, best_order);
}

}  // namespace

graph::Graph common_subexpressions(const graph::Graph& graph, const Context&, Log& log) {
  const std::vector<NodeId> present = reachable(graph);  // in the graph, or made here; the store may hold more from elsewhere
  std::set<NodeId> known(present.begin(), present.end());
  return rewritten(graph, [&](graph::Store& store, const graph::Node& node, NodeId old) {
    if (const auto* sum = graph::as<graph::Combination>(node)) {  // terms that have become one are one
      std::vector<graph::Term> terms;
      for (std::size_t k = 0; k < node.operands.size(); ++k) terms.push_back({sum->coefficients[k], node.operands[k]});
      std::stable_sort(terms.begin(), terms.end(),
                       [&](const graph::Term& a, const graph::Term& b) { return comes_before(store, a.node, b.node); });
      return graph::combination(store, terms, node.shape);
    }
    const auto* e = graph::as<graph::Einsum>(node);
    if (e == nullptr || !is_ordinary(e->pair)) return kept(store, node);
    const Product p = without_factors(store, without_permutations(store, {1, node.operands, e->subscripts}));
    if (p.operands.size() < 2 || p.coefficient == 0) return to_node(store, canonical(store, p), node.shape);
    const NodeId replacement = graph::scaled(store, p.coefficient, canonical_product(store, p));
    const bool is_known = !known.insert(replacement).second;
    if (replacement != old && is_known) log.rewrote("a product computed before serves again");
    return replacement;
  });
}

}  // namespace tyto::optimize
