#include "optimize/fuse.hpp"
#include "optimize/product.hpp"

namespace tyto::optimize {

graph::Graph fuse(const graph::Graph& graph, const Context&, Log& log) {
  // Products are opened as they stood before this pass: what is used twice is seen to be, and not lost in products made already.
  std::vector<graph::NodeId> replacement(static_cast<std::size_t>(graph.store->size()), -1);
  return rewritten(graph, [&](graph::Store& store, const graph::Node& node, graph::NodeId old) {
    graph::NodeId& result = replacement[static_cast<std::size_t>(old)];
    const auto* e = graph::as<graph::Einsum>(node);
    if (e == nullptr || !is_ordinary(e->pair)) return result = kept(store, node);
    Product p = fused_where_cheaper(store, {1, store[old].operands, e->subscripts});
    if (p.operands.size() > node.operands.size()) log.rewrote("an inner product becomes part of the outer one");
    for (graph::NodeId& operand : p.operands) operand = replacement[static_cast<std::size_t>(operand)];
    return result = to_node(store, p, node.shape);
  });
}

}  // namespace tyto::optimize
