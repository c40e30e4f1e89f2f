#include "optimize/distribute.hpp"
#include <algorithm>
#include <map>
#include <fmt/format.h>
#include "graph/text.hpp"
#include "optimize/sum_of_products.hpp"

namespace tyto::optimize {

using graph::NodeId;
using graph::Store;

namespace {

/// Flops of computing nodes when their leaves have changed; parts that never change cost nothing.
class Work {
 public:
  Work(const Store& store, const Context& context) : store_(store), context_(context) {}

  bool changes(NodeId id) {
    const auto known = changes_.find(id);
    if (known != changes_.end()) return known->second;
    const graph::Node& node = store_[id];
    const bool result = graph::is<graph::Leaf>(node)
                            ? context_.changes(id)
                            : std::any_of(node.operands.begin(), node.operands.end(), [&](NodeId o) { return changes(o); });
    return changes_[id] = result;
  }
  /// Of the product with its operands given.
  double flops(const Product& p) {
    if (std::none_of(p.operands.begin(), p.operands.end(), [&](NodeId o) { return changes(o); })) return 0;
    return cost::best_path(network_of(store_, p), cost::quick_search).total.flops;
  }
  /// Of the node and everything below it.
  double flops(NodeId id) {
    if (!changes(id)) return 0;
    const auto known = flops_.find(id);
    if (known != flops_.end()) return known->second;
    const graph::Node& node = store_[id];
    double total = 0;
    if (const auto* e = graph::as<graph::Einsum>(node); e != nullptr && is_ordinary(e->pair)) {
      const Product p = fused_where_cheaper(store_, as_product(store_, id));
      total = flops(p);
      for (const NodeId operand : p.operands) total += flops(operand);
    } else {
      for (const NodeId operand : node.operands) total += flops(operand);
      total += static_cast<double>(store_.element_count(id)) * static_cast<double>(node.operands.size());
    }
    return flops_[id] = total;
  }

 private:
  const Store& store_;
  const Context& context_;
  std::map<NodeId, bool> changes_;
  std::map<NodeId, double> flops_;
};

bool has_sum(const Store& store, const Product& p) {
  return std::any_of(p.operands.begin(), p.operands.end(), [&](NodeId o) {
    const graph::Node& node = store[o];
    return graph::is<graph::Combination>(node) && node.operands.size() > 1;
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
