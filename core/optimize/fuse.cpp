#include "optimize/fuse.hpp"
#include "optimize/product.hpp"

namespace tyto::optimize {

graph::Graph fuse(const graph::Graph& graph, const Context&, Log& log) {
  return rewritten(graph, [&](graph::Store& store, const graph::Node& node, graph::NodeId) {
    const auto* e = graph::as<graph::Einsum>(node);
    if (e == nullptr || !is_ordinary(e->pair)) return kept(store, node);
    const Product p = fused_where_cheaper(store, {1, node.operands, e->subscripts});
    if (p.operands.size() > node.operands.size()) log.rewrote("an inner product becomes part of the outer one");
    return to_node(store, p, node.shape);
  });
}

}  // namespace tyto::optimize
