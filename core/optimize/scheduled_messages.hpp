#pragma once
/// A network whose kernels are computed by a schedule: every event of the cycle has trees of its own.
#include "optimize/product.hpp"
#include "optimize/schedule.hpp"
#include "optimize/uses.hpp"

namespace tyto::optimize {

/// The schedule for these uses where it costs fewer flops in a cycle than the tree; nothing where the search is too large for what
/// it could save, unless it is to be thorough.
struct CheaperSchedule {
  Schedule schedule;
  cost::Cost on_one_tree;  ///< of one cycle
};
std::optional<CheaperSchedule> cheaper_schedule(const cost::Network&, const Uses&, const TreeSearch&, bool is_thorough);

class ScheduledMessages {
 public:
  ScheduledMessages(const graph::Store&, Product, Schedule);
  /// The node of a use as it is asked for at an event; `operand` gives what takes the place of a node.
  graph::NodeId emit(graph::Store&, const Use&, std::size_t event, const std::function<graph::NodeId(graph::NodeId)>& operand);

 private:
  einsum::Labels labels_of(Operands) const;
  graph::NodeId message(graph::Store&, Operands, std::size_t event, const std::function<graph::NodeId(graph::NodeId)>& operand);

  Product product_;
  cost::Network network_;
  Schedule schedule_;
  std::map<std::pair<Operands, std::size_t>, graph::NodeId> made_;  // by message and the event that computes it
};

}  // namespace tyto::optimize
