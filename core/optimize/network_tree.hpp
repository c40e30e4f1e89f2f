#pragma once
/// An unrooted binary tree over the operands of a network of any size: what it costs in a cycle, how it is improved, and
/// which of its messages a kernel takes.
#include <array>
#include <functional>
#include "cost/path.hpp"
#include "optimize/operand_set.hpp"
#include "optimize/tree.hpp"

namespace tyto::optimize {

/// How often a message is computed in a cycle.
using Versions = std::function<double(const OperandSet&)>;

class NetworkTree;
/// What kernels cost in a cycle beside messages: those that a tree has in several pieces. Only kernels that leave something out of
/// at least two of the given sets count; the others are made of the same pieces whatever joins the sets.
using Assembly = std::function<double(const NetworkTree&, const std::vector<OperandSet>&)>;

/// Nodes 0..n-1 are the operands, the others join three edges each. A message goes along an edge to one of its ends and contracts
/// the operands behind the edge, as seen from there.
class NetworkTree {
 public:
  struct Message {
    std::int32_t to = -1, slot = -1;  ///< it comes to this node along this one of its edges
  };

  /// The tree of a path over all operands, at least 3; where the path ends does not matter.
  NetworkTree(const cost::Network&, const std::vector<std::pair<std::int32_t, std::int32_t>>& pairs);

  const OperandSet& operands(Message m) const { return behind_[at(m.to)].at(at(m.slot)); }
  /// The labels that an operand outside or the output has too, ascending; of a single operand all, in its order.
  const einsum::Labels& labels(Message m) const { return labels_[at(m.to)].at(at(m.slot)); }
  /// The operand that the message is, or -1 if it is a contraction.
  std::int32_t operand(Message m) const;
  /// The two messages whose contraction the message is.
  std::pair<Message, Message> parts(Message) const;
  /// The message that contracts these operands; they are a side of an edge.
  Message message(const OperandSet&) const;
  /// The operands of every message.
  std::vector<OperandSet> messages() const;
  /// The largest messages with nothing of what is left out, which is not nothing. Together they have everything else.
  std::vector<Message> pieces(const OperandSet& left_out) const;

  /// Of all messages, as often as each is computed.
  cost::Cost cost(const Versions&) const;
  /// Takes connected parts of the tree, as far as `most_leaves` edges lead out of one, and gives each the tree with the cheapest
  /// messages where that makes all cheaper; then parts of four edges, of which all three trees are tried; until nothing gets
  /// cheaper. After "subtree reconfiguration" of Gray and Kourtis, Hyper-optimized tensor network contraction, Quantum 5, 2021;
  /// here the tree has no root, and every edge two messages.
  void improve(const Versions&, const Assembly&, std::size_t most_leaves);

 private:
  struct Part;
  static std::size_t at(std::int32_t k) { return static_cast<std::size_t>(k); }
  bool is_leaf(std::int32_t node) const { return at(node) < operand_count_; }
  std::int32_t neighbour(Message m) const { return neighbours_[at(m.to)].at(at(m.slot)); }
  std::int32_t slot_of(std::int32_t node, std::int32_t neighbour) const;
  void set_edge(std::int32_t node, std::int32_t slot, std::int32_t neighbour, OperandSet behind);
  einsum::Labels labels_of(const OperandSet&) const;
  cost::Cost vertex_cost(std::int32_t node, const Versions&) const;
  Part part_of(const std::vector<std::int32_t>& nodes, const std::vector<Message>& leaves) const;
  Part part_around(std::int32_t node, const std::vector<double>& costs, std::size_t most_leaves) const;
  Part part_of_edge(Message) const;
  void join(const Part&, const Tree&);
  void put_back(const Part&);
  bool improve(const Part&, const std::vector<Operands>& edges, const Versions&, const Assembly&);

  cost::Network network_;
  std::size_t operand_count_;
  std::vector<OperandSet> owners_;                       // by label
  std::vector<std::array<std::int32_t, 3>> neighbours_;  // by node; an operand has one, in slot 0
  std::vector<std::array<OperandSet, 3>> behind_;        // by node and slot
  std::vector<std::array<einsum::Labels, 3>> labels_;    // by node and slot
};

}  // namespace tyto::optimize
