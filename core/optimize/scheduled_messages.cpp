#include "optimize/scheduled_messages.hpp"
#include <algorithm>
#include <bit>

namespace tyto::optimize {

using graph::NodeId;

namespace {

/// Of a cycle. A search over six units takes some half a second, in which a processor does some 1e10 flop; runs of a hundred sweeps
/// gain it back from here on. Smaller networks take a few milliseconds.
constexpr double flops_worth_six_units = 1e9;

}  // namespace

std::optional<CheaperSchedule> cheaper_schedule(const cost::Network& network, const std::vector<Demand>& cycle,
                                                const std::set<Operands>& messages_of_tree, double tree_flops, bool is_thorough) {
  const std::size_t units = is_thorough || tree_flops >= flops_worth_six_units ? most_units : most_units - 1;
  std::optional<Schedule> found = cheapest_schedule(network, cycle, {.most_units = units});
  if (!found) return std::nullopt;
  const std::optional<Schedule> one_tree =
      cheapest_schedule(network, cycle, {.most_units = units, .allows = [&](Operands m) { return messages_of_tree.contains(m); }});
  if (found->total().flops >= one_tree->total().flops) return std::nullopt;
  return CheaperSchedule{std::move(*found), one_tree->total()};
}

ScheduledMessages::ScheduledMessages(const graph::Store& store, Product product, Schedule schedule)
    : product_(std::move(product)), network_(network_of(store, product_)), schedule_(std::move(schedule)) {}

einsum::Labels ScheduledMessages::labels_of(Operands set) const {
  if (!std::has_single_bit(set)) return message_labels(network_, set);
  return product_.subscripts.inputs[static_cast<std::size_t>(std::countr_zero(set))];
}

NodeId ScheduledMessages::message(graph::Store& store, Operands set, std::size_t event,
                                  const std::function<NodeId(NodeId)>& operand) {
  if (std::has_single_bit(set)) return operand(product_.operands[static_cast<std::size_t>(std::countr_zero(set))]);
  auto [at, left, right] = schedule_.origin(set, event);
  const auto known = made_.find({set, at});
  if (known != made_.end()) return known->second;
  if (std::countr_zero(right) < std::countr_zero(left)) std::swap(left, right);  // the side with the first operand stands first
  const NodeId a = message(store, left, at, operand), b = message(store, right, at, operand);
  return made_[{set, at}] = graph::einsum(store, {a, b}, {{labels_of(left), labels_of(right)}, message_labels(network_, set)});
}

}  // namespace tyto::optimize
