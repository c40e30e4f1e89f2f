#pragma once
/// Where nodes live: append-only, immutable, hash-consed. Equal nodes have equal ids, operands have smaller ids than the nodes
/// that use them, and references stay valid while the store lives.
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>
#include "graph/node.hpp"

namespace tyto::graph {

class Store {
 public:
  /// The id of the node; made if it is new. Labels of an einsum are renumbered, so equal einsums up to labels are one node. The
  /// shape follows from the operands; Error{shape} or Error{extent} if they do not fit.
  NodeId insert(Operation, std::vector<NodeId> operands);
  /// The same for what has no operands: Leaf, Fill, Identity.
  NodeId insert_source(Operation, Shape);

  const Node& operator[](NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }
  NodeId size() const { return static_cast<NodeId>(nodes_.size()); }

  DimensionId dimension(const std::shared_ptr<const Dimension>&);
  const Dimension& operator()(DimensionId id) const { return *dimensions_[static_cast<std::size_t>(id)]; }
  const std::shared_ptr<const Dimension>& shared_dimension(DimensionId id) const {
    return dimensions_[static_cast<std::size_t>(id)];
  }
  std::int64_t extent(DimensionId id) const { return (*this)(id).extent; }
  Extents extents(NodeId) const;
  std::int64_t element_count(NodeId) const;
  /// One dimension, or two fixed ones of one extent.
  bool fits(DimensionId, DimensionId) const;
  bool fits(const Shape&, const Shape&) const;

  /// The node of another store, made here with everything it needs.
  NodeId import(const Store& other, NodeId);

 private:
  NodeId intern(Node);

  std::deque<Node> nodes_;  // a deque keeps references valid while it grows
  std::unordered_multimap<std::uint64_t, NodeId> by_hash_;
  std::vector<std::shared_ptr<const Dimension>> dimensions_;
  std::unordered_map<const Dimension*, DimensionId> dimension_ids_;
};

}  // namespace tyto::graph
