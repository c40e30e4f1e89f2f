#include "optimize/prune_orthonormal.hpp"
#include <fmt/format.h>
#include "optimize/product.hpp"

namespace tyto::optimize {

graph::Graph prune_orthonormal(const graph::Graph& graph, const Context&, Log& log) {
  return rewritten(graph, [&](graph::Store& store, const graph::Node& node, graph::NodeId) {
    const auto* e = graph::as<graph::Einsum>(node);
    if (e == nullptr || !is_ordinary(e->pair)) return kept(store, node);
    const Product p = without_orthonormal_pairs(store, {1, node.operands, e->subscripts});
    if (p.operands == node.operands) return kept(store, node);
    log.rewrote("an orthonormal tensor meets itself: an identity");
    return to_node(store, without_factors(store, without_identities(store, p)), node.shape);
  });
}

}  // namespace tyto::optimize
