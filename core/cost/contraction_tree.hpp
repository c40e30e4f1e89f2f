#pragma once
/// A path as a rooted binary tree that is changed in place: what annealing and rebuilding work on.
#include <array>
#include <cstdint>
#include <vector>
#include "cost/path.hpp"
#include "cost/value.hpp"

namespace tyto::cost {

using NodeId = std::int32_t;

/// Nodes 0..n-1 are the operands.
class ContractionTree {
 public:
  /// Of at least one operand; `joins` must outlive the tree.
  ContractionTree(const Joins& joins, const Pairs&, Minimize);

  std::size_t operand_count() const { return joins_->operands().size(); }
  bool is_operand(NodeId node) const { return node < static_cast<NodeId>(operand_count()); }
  NodeId root() const { return root_; }
  NodeId parent(NodeId node) const { return parents_[static_cast<std::size_t>(node)]; }
  const std::array<NodeId, 2>& children(NodeId node) const { return children_[static_cast<std::size_t>(node)]; }
  const Value& value(NodeId node) const { return values_[static_cast<std::size_t>(node)]; }
  double log_weight(NodeId node) const { return weights_[static_cast<std::size_t>(node)]; }
  const Joins& joins() const { return *joins_; }
  Minimize minimize() const { return minimize_; }

  /// log2 of the sum of all weights.
  double total() const;
  /// Inner nodes, children before parents.
  std::vector<NodeId> inner_nodes() const;
  /// Pairs in depth-first order; of the two children the one is first that keeps fewer elements alive at once (Sethi and Ullman,
  /// The generation of optimal code for arithmetic expressions, J. ACM 17, 1970), else the one with the lowest operand.
  Pairs pairs() const;

  /// Gives a node other children and works out its value and weight anew; its labels must stay what they are.
  void set_children(NodeId node, NodeId left, NodeId right);
  /// The child `inner` of `node` is now made of `kept` and `outside`, and `node` of it and `leaving`. The value of `inner` is
  /// swapped with `made`; the value of `node` stays.
  struct Rotation {
    NodeId node, inner, kept, outside, leaving;
    double inner_weight, node_weight;  ///< log2
  };
  void rotate(const Rotation&, Value& made);

 private:
  void link(NodeId node, NodeId left, NodeId right);

  const Joins* joins_;
  Minimize minimize_;
  NodeId root_ = 0;
  std::vector<std::array<NodeId, 2>> children_;
  std::vector<NodeId> parents_;
  std::vector<Value> values_;
  std::vector<double> weights_;
};

/// log2 of what a step costs in what is minimized; of the elements for Minimize::peak, which is no sum over steps.
double log_weight(Minimize, const Value& left, const Value& right, const Step&);

}  // namespace tyto::cost
