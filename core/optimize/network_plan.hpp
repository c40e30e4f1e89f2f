#pragma once
/// A network, the products of the graph that it serves, and the tree that serves them.
#include <functional>
#include <map>
#include <optional>
#include "optimize/network_tree.hpp"
#include "optimize/scheduled_messages.hpp"
#include "optimize/uses.hpp"

namespace tyto::optimize {

class NetworkPlan {
 public:
  /// What is passed must outlive the plan, but for the product.
  NetworkPlan(const graph::Store&, Product, const Timetable&);

  const Product& product() const { return product_; }
  const std::vector<graph::NodeId>& sorted_operands() const { return sorted_operands_; }
  Uses& uses() { return uses_; }
  const Uses& uses() const { return uses_; }
  /// Whether a kernel may share something with others.
  bool is_worthwhile() const;

  /// Chooses the tree with the least cost in a cycle: exactly, where all kernels are messages of a network of few operands, else by
  /// improving the tree of the cheapest path. Kernels that are cheaper on a path of their own are no uses any more and
  /// are returned.
  std::vector<graph::NodeId> choose();
  /// After choose(): the same for kernels that are messages of the tree, which it keeps as they may be cheap on trees of each
  /// event.
  std::vector<graph::NodeId> drop_dear_messages();
  /// Of all messages in a cycle.
  const cost::Cost& cost() const { return cost_; }
  /// After choose(): gives each event trees of its own where that costs less in a cycle; see schedule.hpp. For kernels that are
  /// messages of a network of few operands. Thorough: however long the search takes for what it could save.
  bool schedule(bool is_thorough);
  bool is_by_event() const { return scheduled_.has_value() && !is_at_once_; }
  /// The same for kernels that are always asked for together: contracts them from several trees, whatever event it is. What changes
  /// in the cycle is taken to change between any two events that ask. Never thorough: so many kernels at once take the search long.
  bool schedule_at_once();
  bool is_at_once() const { return is_at_once_; }
  const cost::Cost& scheduled_cost() const { return scheduled_->total(); }

  /// Makes the node of a use; `replaced` gives what takes the place of an operand.
  graph::NodeId emit(graph::Store&, const Use&, const std::function<graph::NodeId(graph::NodeId)>& replaced);
  /// The same as the schedule has it at an event.
  graph::NodeId emit_at(std::size_t event, graph::Store&, const Use&, const std::function<graph::NodeId(graph::NodeId)>& replaced);

 private:
  /// What a product becomes: the messages that have its placed operands, and its other operands as they are.
  struct Cover {
    std::vector<NetworkTree::Message> pieces;
    std::vector<std::size_t> strangers;
    einsum::Subscripts subscripts;  // in the product's labels, pieces first
  };
  /// A product of the graph as a network whose operands change as they do in the cycle.
  struct Own {
    Product product;
    cost::Network network;
  };
  Cover cover_of(const NetworkTree&, const Product&, const Use&) const;
  cost::Network network_of_cover(const NetworkTree&, const Cover&, const Own&, const Use&) const;
  double assembly(const NetworkTree&, const std::vector<OperandSet>& sets);
  const Own& own(const Use&);
  bool is_one_message(const Use&) const;
  bool is_cheaper_on_tree(const Use&);
  std::vector<OperandSet> edges() const;
  bool is_exact(const std::vector<OperandSet>& edges) const;
  void choose_tree();
  std::vector<graph::NodeId> drop_dear_uses(const std::function<bool(const Use&)>& may_drop);
  std::vector<Demand> demands() const;
  bool may_be_scheduled() const;
  bool schedule(const std::vector<Demand>& cycle, bool is_thorough);
  graph::NodeId message(graph::Store&, NetworkTree::Message, const std::function<graph::NodeId(graph::NodeId)>& replaced);

  const graph::Store* store_;
  Product product_;
  std::vector<graph::NodeId> sorted_operands_;
  cost::Network network_;
  const Timetable* timetable_;
  Uses uses_;
  std::optional<NetworkTree> tree_;
  cost::Cost cost_;
  std::map<graph::NodeId, Own> own_;
  std::map<std::pair<graph::NodeId, std::vector<OperandSet>>, double> assembled_;  // flops by product and pieces
  std::map<OperandSet, graph::NodeId> made_;
  std::optional<ScheduledMessages> scheduled_;
  bool is_at_once_ = false;
};

}  // namespace tyto::optimize
