#pragma once
/// A network whose kernels are computed by a schedule: every event of the cycle has trees of its own.
#include <set>
#include "optimize/product.hpp"
#include "optimize/schedule.hpp"

namespace tyto::optimize {

/// The schedule for these demands where it costs fewer flops in a cycle than the messages of one tree do, which cost `tree_flops`;
/// nothing where the search is too large for what it could save, unless it is to be thorough.
struct CheaperSchedule {
  Schedule schedule;
  cost::Cost on_one_tree;  ///< of one cycle
};
std::optional<CheaperSchedule> cheaper_schedule(const cost::Network&, const std::vector<Demand>& cycle,
                                                const std::set<Operands>& messages_of_tree, double tree_flops, bool is_thorough);

class ScheduledMessages {
 public:
  ScheduledMessages(const graph::Store&, Product, Schedule);
  /// The node of a message as it is asked for at an event; `operand` gives what takes the place of a node.
  graph::NodeId message(graph::Store&, Operands, std::size_t event, const std::function<graph::NodeId(graph::NodeId)>& operand);
  /// Labels of the axes of a message: those that the outside needs, ascending; of an operand standing alone all, in its order.
  einsum::Labels labels_of(Operands) const;
  const cost::Cost& total() const { return schedule_.total(); }

 private:
  Product product_;
  cost::Network network_;
  Schedule schedule_;
  std::map<std::pair<Operands, std::size_t>, graph::NodeId> made_;  // by message and the event that computes it
};

}  // namespace tyto::optimize
