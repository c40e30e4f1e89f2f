#pragma once
/// A Graph as Boost.Graph sees it: VertexListGraph and IncidenceGraph, so that its algorithms run on ours without a copy. Vertices
/// are all nodes of the store, by id, so that an id is also the index of a vertex; edges lead from a node to its operands, one for
/// each place where an operand stands.
#include <utility>
#include <boost/graph/graph_traits.hpp>
#include <boost/graph/properties.hpp>
#include <boost/iterator/counting_iterator.hpp>
#include <boost/iterator/iterator_facade.hpp>
#include <boost/property_map/property_map.hpp>
#include "graph/graph.hpp"

namespace tyto::graph {

/// The use of an operand: operand number `place` of node `user`.
struct Edge {
  NodeId user = -1;
  std::int32_t place = 0;
  friend bool operator==(const Edge&, const Edge&) = default;
};

class OutEdgeIterator
    : public boost::iterator_facade<OutEdgeIterator, Edge, boost::random_access_traversal_tag, Edge, std::int32_t> {
 public:
  OutEdgeIterator() = default;
  explicit OutEdgeIterator(Edge edge) : edge_(edge) {}

 private:
  friend class boost::iterator_core_access;
  Edge dereference() const { return edge_; }
  bool equal(const OutEdgeIterator& other) const { return edge_ == other.edge_; }
  void increment() { ++edge_.place; }
  void decrement() { --edge_.place; }
  void advance(std::int32_t n) { edge_.place += n; }
  std::int32_t distance_to(const OutEdgeIterator& other) const { return other.edge_.place - edge_.place; }

  Edge edge_;
};

using VertexIterator = boost::counting_iterator<NodeId>;

inline std::pair<VertexIterator, VertexIterator> vertices(const Graph& graph) {
  return {VertexIterator(0), VertexIterator(graph.store->size())};
}
inline NodeId num_vertices(const Graph& graph) { return graph.store->size(); }
inline std::int32_t out_degree(NodeId node, const Graph& graph) {
  return static_cast<std::int32_t>((*graph.store)[node].operands.size());
}
inline std::pair<OutEdgeIterator, OutEdgeIterator> out_edges(NodeId node, const Graph& graph) {
  return {OutEdgeIterator({node, 0}), OutEdgeIterator({node, out_degree(node, graph)})};
}
inline NodeId source(const Edge& edge, const Graph&) { return edge.user; }
inline NodeId target(const Edge& edge, const Graph& graph) {
  return (*graph.store)[edge.user].operands[static_cast<std::size_t>(edge.place)];
}
inline boost::typed_identity_property_map<NodeId> get(boost::vertex_index_t, const Graph&) { return {}; }

}  // namespace tyto::graph

template <>
struct boost::graph_traits<tyto::graph::Graph> {
  using vertex_descriptor = tyto::graph::NodeId;
  using edge_descriptor = tyto::graph::Edge;
  using directed_category = boost::directed_tag;
  using edge_parallel_category = boost::allow_parallel_edge_tag;
  struct traversal_category : boost::vertex_list_graph_tag, boost::incidence_graph_tag {};
  using vertex_iterator = tyto::graph::VertexIterator;
  using out_edge_iterator = tyto::graph::OutEdgeIterator;
  using vertices_size_type = tyto::graph::NodeId;
  using degree_size_type = std::int32_t;
  static vertex_descriptor null_vertex() { return -1; }
};

template <>
struct boost::property_map<tyto::graph::Graph, boost::vertex_index_t> {
  using type = boost::typed_identity_property_map<tyto::graph::NodeId>;
  using const_type = type;
};
