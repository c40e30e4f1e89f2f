#include "optimize/prune_identities.hpp"
#include "optimize/product.hpp"

namespace tyto::optimize {

graph::Graph prune_identities(const graph::Graph& graph, const Context&, Log& log) {
  return rewritten(graph, [&](graph::Store& store, const graph::Node& node, graph::NodeId) {
    if (const auto* sum = graph::as<graph::Combination>(node)) {  // a pruned operand may have left a scalar factor
      std::vector<graph::Term> terms;
      for (std::size_t k = 0; k < node.operands.size(); ++k) terms.push_back({sum->coefficients[k], node.operands[k]});
      return graph::combination(store, terms, node.shape);
    }
    const auto* e = graph::as<graph::Einsum>(node);
    if (e == nullptr || !is_ordinary(e->pair)) return kept(store, node);
    const Product p = without_factors(store, without_identities(store, {1, node.operands, e->subscripts}));
    if (p.operands.size() < node.operands.size()) log.rewrote("identities that only rename a label are gone");
    return to_node(store, p, node.shape);
  });
}

}  // namespace tyto::optimize
