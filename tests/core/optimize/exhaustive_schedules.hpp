#pragma once
/// The least flops of a cycle of kernels by trying everything: from every set of messages that can be current when a cycle begins,
/// every way to make every target, until the cycle ends with at least these messages current. No state is dropped because another
/// is better.
#include <map>
#include <set>
#include "core/optimize/unrooted_trees.hpp"
#include "optimize/schedule.hpp"

namespace tyto {

class ExhaustiveSchedules {
 public:
  /// At most six operands.
  ExhaustiveSchedules(const cost::Network& network, const std::vector<optimize::Demand>& cycle)
      : network_(network), cycle_(cycle), last_usable_(cycle.size()) {
    for (std::size_t event = 0; event < cycle.size(); ++event) last_usable_[event] = usable_after(event);
  }

  double least_flops() {
    // From every set that can be there when a cycle begins: what can be reached from nothing.
    std::map<Messages, Costs> ends;
    std::set<Messages> fresh{0};
    while (!fresh.empty()) {
      const Messages start = *fresh.begin();
      fresh.erase(fresh.begin());
      const Costs& reached = ends[start] = ends_from(start);
      for (const auto& [end, flops] : reached)
        if (!ends.contains(end)) fresh.insert(end);
    }
    double least = 1e300;
    for (const auto& [start, reached] : ends)
      for (const auto& [end, flops] : reached)
        if ((start & ~end) == 0) least = std::min(least, flops);
    return least;
  }

 private:
  using Messages = std::uint64_t;  // bit s: the message of the operands s
  using Costs = std::map<Messages, double>;

  static Messages bit(LeafSet set) { return Messages{1} << set; }
  double flops(LeafSet a, LeafSet b) {
    const auto [at, is_new] = flops_.try_emplace({a, b}, 0);
    if (is_new)
      at->second = flops_of_pair(labels_of_set(network_.subscripts, a), labels_of_set(network_.subscripts, b),
                                 labels_of_set(network_.subscripts, a | b), network_.extents);
    return at->second;
  }
  /// Messages that an event to come may ask for, or for a part of, before they are stale. The rest may as well be forgotten.
  Messages usable_after(std::size_t event) const {
    Messages usable = 0;
    for (LeafSet set = 1; set < LeafSet{1} << network_.subscripts.inputs.size(); ++set)
      for (std::size_t ahead = 0; ahead <= cycle_.size(); ++ahead) {
        const optimize::Demand& there = cycle_[(event + ahead) % cycle_.size()];
        for (const LeafSet target : there.targets)
          if (ahead > 0 && (set & ~target) == 0) usable |= bit(set);
        if ((set & there.changed) != 0) break;
      }
    return usable;
  }
  /// What can be made to have the message, on top of what is there: all binary trees.
  const Costs& ways(LeafSet message, Messages current) {
    for (LeafSet set = 1; set < LeafSet{1} << network_.subscripts.inputs.size(); ++set)
      if ((set & ~message) != 0) current &= ~bit(set);  // no part of it
    const auto [at, is_new] = ways_.try_emplace({message, current});
    if (!is_new) return at->second;
    Costs found;
    if (std::has_single_bit(message) || (current & bit(message)) != 0) {
      found[0] = 0;
    } else {
      const LeafSet low = message & (~message + 1);
      for (LeafSet part = (message - 1) & message; part != 0; part = (part - 1) & message) {
        if ((part & low) == 0) continue;
        for (const auto& [left, left_flops] : ways(part, current))
          for (const auto& [right, right_flops] : ways(message ^ part, current)) {
            const double total = left_flops + right_flops + flops(part, message ^ part);
            const auto [known, first] = found.try_emplace(left | right | bit(message), total);
            if (!first) known->second = std::min(known->second, total);
          }
      }
    }
    return ways_[{message, current}] = std::move(found);
  }
  Costs ends_from(Messages start) {
    Costs states{{start, 0.0}};
    for (std::size_t event = 0; event < cycle_.size(); ++event) {
      for (const LeafSet target : cycle_[event].targets) {
        Costs next;
        for (const auto& [current, spent] : states)
          for (const auto& [made, cost] : ways(target, current)) {
            const auto [known, first] = next.try_emplace(current | made, spent + cost);
            if (!first) known->second = std::min(known->second, spent + cost);
          }
        states = std::move(next);
      }
      Costs kept;
      for (const auto& [current, spent] : states) {
        const auto [known, first] = kept.try_emplace(current & last_usable_[event], spent);
        if (!first) known->second = std::min(known->second, spent);
      }
      states = std::move(kept);
    }
    return states;
  }

  const cost::Network& network_;
  const std::vector<optimize::Demand>& cycle_;
  std::vector<Messages> last_usable_;
  std::map<std::pair<LeafSet, LeafSet>, double> flops_;
  std::map<std::pair<LeafSet, Messages>, Costs> ways_;
};

}  // namespace tyto
