#pragma once
/// A graph is a store and some named outputs in it: a value that passes take and return. With graph/boost_graph.hpp it models
/// Boost.Graph's VertexListGraph and IncidenceGraph (edges lead from a node to its operands).
#include <functional>
#include <string>
#include "graph/store.hpp"

namespace tyto::graph {

struct Output {
  std::string name;
  NodeId node = -1;
  friend bool operator==(const Output&, const Output&) = default;
};

struct Graph {
  std::shared_ptr<Store> store;
  std::vector<Output> outputs;
};

/// The nodes that the outputs need, in an order in which operands come first.
std::vector<NodeId> reachable(const Graph&);
std::vector<NodeId> reachable(const Store&, const std::vector<NodeId>& from);
/// Whether `node` is `leaf` or is computed from it.
bool depends_on(const Store&, NodeId node, NodeId leaf);
/// How often each reachable node is used as an operand or output, indexed by id.
std::vector<std::int32_t> use_counts(const Graph&);

/// Rebuilds the graph from its leaves. `visit` gets each node with its operands already replaced and returns the id of what takes
/// its place; return store.insert(node.operation, node.operands) to keep it (see `kept`).
using Visit = std::function<NodeId(Store&, const Node&, NodeId old)>;
Graph rewritten(const Graph&, const Visit& visit);
NodeId kept(Store&, const Node&);
/// The node with `leaf` replaced by `value`.
NodeId substituted(Store&, NodeId node, NodeId leaf, NodeId value);

/// Throws Error{defect} that names the first node whose operands, shape or order are not as they must be.
void verify(const Graph&);

}  // namespace tyto::graph
