#include "optimize/uses.hpp"
#include <algorithm>

namespace tyto::optimize {

Uses::Uses(const Product& network, const Timetable& timetable) : operand_count_(network.operands.size()), timetable_(&timetable) {
  changed_.assign(timetable.event_count(), OperandSet(operand_count_));
  for (std::size_t event = 0; event < changed_.size(); ++event)
    for (std::size_t k = 0; k < operand_count_; ++k)
      if (timetable.changes(event, network.operands[k])) changed_[event].set(k);
}

void Uses::remove(graph::NodeId product) {
  std::erase_if(uses_, [&](const Use& use) { return use.product == product; });
}

void Uses::settle(const std::vector<OperandSet>& edges) {
  scalar_edges_.clear();
  for (const Use& use : uses_)
    if (use.place.left_out.none()) scalar_edges_[use.product] = latest_edge(use, edges);
  moments_.clear();
  Moment moment;
  for (std::size_t event = 0; event < changed_.size(); ++event) {
    for (std::size_t k = 0; k < uses_.size(); ++k)
      if (timetable_->is_asked(event, uses_[k].product) &&
          std::find(moment.asked.begin(), moment.asked.end(), k) == moment.asked.end())
        moment.asked.push_back(k);
    if (changed_[event].none() && event + 1 < changed_.size()) continue;
    moment.changes = changed_[event];
    moments_.push_back(std::move(moment));
    moment = {};
  }
}

const Use* Uses::of(graph::NodeId product) const {
  const auto at = std::find_if(uses_.begin(), uses_.end(), [&](const Use& u) { return u.product == product; });
  return at == uses_.end() ? nullptr : &*at;
}

/// A scalar is the inner product of two messages across one edge: that of the operands that changed last before it is asked for,
/// whose other side is known then.
OperandSet Uses::latest_edge(const Use& scalar, const std::vector<OperandSet>& edges) const {
  OperandSet single(operand_count_);
  single.set(0);
  for (std::size_t event = 0; event < changed_.size(); ++event) {
    if (!timetable_->is_asked(event, scalar.product)) continue;
    for (std::size_t back = 1; back <= changed_.size(); ++back) {
      const OperandSet& changed = changed_[(event + changed_.size() - back) % changed_.size()];
      if (changed.none()) continue;
      for (const OperandSet& edge : edges)
        if (edge.intersects(changed)) return edge;
      single.reset(), single.set(changed.find_first());
      return single;
    }
  }
  return edges.empty() ? single : edges.front();
}

bool Uses::needs(const Use& use, const OperandSet& message) const {
  if (use.place.left_out.any()) return !message.intersects(use.place.left_out);
  const OperandSet& edge = scalar_edges_.at(use.product);
  return !message.intersects(edge) || message.is_subset_of(edge);
}

double Uses::versions(const OperandSet& message) const {
  double count = 0;
  bool is_stale = true;
  for (std::size_t round = 0; round < 2; ++round)
    for (const Moment& moment : moments_) {
      const auto is_needed = [&](std::size_t k) { return needs(uses_[k], message); };
      if (is_stale && std::any_of(moment.asked.begin(), moment.asked.end(), is_needed))
        count += round == 1 ? 1 : 0, is_stale = false;
      is_stale = is_stale || moment.changes.intersects(message);
    }
  return count;
}

}  // namespace tyto::optimize
