#include "optimize/distribute.hpp"
#include <algorithm>
#include <fmt/format.h>
#include "optimize/sum_of_products.hpp"
#include "optimize/work.hpp"

namespace tyto::optimize {

using graph::NodeId;
using graph::Store;

namespace {

bool has_sum(const Store& store, const Product& p) {
  return std::any_of(p.operands.begin(), p.operands.end(), [&](NodeId o) {
    const graph::Node& node = store[o];
    return graph::is<graph::Combination>(node) && node.operands.size() > 1;
  });
}

/// Weights, and what comparisons give: mostly zeros, so that what they leave of a sum is small and the terms by themselves are not.
bool has_mask(const Store& store, const Product& p) {
  return std::any_of(p.operands.begin(), p.operands.end(), [&](NodeId o) {
    const auto* leaf = graph::as<graph::Leaf>(store[o]);
    const auto* map = graph::as<graph::Map>(store[o]);
    return (leaf != nullptr && leaf->role == graph::Role::weights) || (map != nullptr && operation::is_step(map->function));
  });
}

}  // namespace

graph::Graph distribute(const graph::Graph& graph, const Context& context, Log& log) {
  Work work(*graph.store, context);
  return rewritten(graph, [&](Store& store, const graph::Node& node, NodeId) {
    const NodeId same = kept(store, node);
    const auto* e = graph::as<graph::Einsum>(node);
    if (e == nullptr || !is_ordinary(e->pair)) return same;
    const Product whole = fused_where_cheaper(store, as_product(store, same));
    if (!has_sum(store, whole)) return same;
    if (has_mask(store, whole)) {
      log.near_miss("a mask times a sum stays: the mask is never distributed");
      return same;
    }
    const auto terms = sum_of_products(store, same);
    if (!terms) {
      log.near_miss(fmt::format("a product has more than {} terms when multiplied out and stays as it is", most_terms));
      return same;
    }
    const double together = work.flops(same);
    double apart = 0;
    for (const Product& term : *terms) apart += work.flops(term);
    if (apart > together) {
      log.near_miss(fmt::format("a product over a sum stays: {:.3g} flop as it is, {:.3g} multiplied out", together, apart));
      return same;
    }
    log.rewrote(fmt::format("a product over a sum becomes {} terms: {:.3g} flop instead of {:.3g} with the sum formed",
                            terms->size(), apart, together));
    std::vector<graph::Term> sum;
    for (const Product& term : *terms) {
      Product unit = term;
      unit.coefficient = 1;
      sum.push_back({term.coefficient, to_node(store, unit, node.shape)});
    }
    return graph::combination(store, sum, node.shape);
  });
}

}  // namespace tyto::optimize
