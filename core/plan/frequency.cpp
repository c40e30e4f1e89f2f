#include "plan/frequency.hpp"
#include <algorithm>

namespace tyto::plan {
namespace {

using graph::NodeId;

/// Replays the cycle on the graph: which nodes are computed, by what has changed alone.
class Replay {
 public:
  Replay(const graph::Graph& graph, const std::vector<NodeId>& order)
      : store_(*graph.store), order_(order), is_current_(static_cast<std::size_t>(store_.size()), 0), marked_(is_current_) {}

  /// Computes the node and what it needs, as far as that is not current, and counts it.
  void ask(NodeId wanted, std::vector<double>& counts) {
    std::fill(marked_.begin(), marked_.end(), 0);
    marked_[at(wanted)] = 1;
    for (auto it = order_.rbegin(); it != order_.rend(); ++it) {
      if (marked_[at(*it)] == 0 || is_current_[at(*it)] != 0) continue;
      for (const NodeId operand : store_[*it].operands) marked_[at(operand)] = 1;
      is_current_[at(*it)] = 1;
      ++counts[at(*it)];
    }
  }
  void change(NodeId leaf) {
    std::fill(marked_.begin(), marked_.end(), 0);
    marked_[at(leaf)] = 1;
    for (const NodeId id : order_) {
      for (const NodeId operand : store_[id].operands) marked_[at(id)] = static_cast<char>(marked_[at(id)] | marked_[at(operand)]);
      if (marked_[at(id)] != 0) is_current_[at(id)] = 0;
    }
  }

 private:
  static std::size_t at(NodeId id) { return static_cast<std::size_t>(id); }

  const graph::Store& store_;
  const std::vector<NodeId>& order_;
  std::vector<char> is_current_, marked_;
};

}  // namespace

Frequency frequency_of(const graph::Graph& graph, const std::vector<NodeId>& order, const std::vector<Event>& cycle) {
  Frequency frequency;
  Replay replay(graph, order);
  for (int round = 0; round < 2; ++round) {  // the first leaves behind what every later one finds
    frequency.computed.assign(static_cast<std::size_t>(graph.store->size()), 0);
    frequency.asked.assign(graph.outputs.size(), 0);
    for (const Event& event : cycle) {
      for (const std::string& name : event.outputs)
        for (std::size_t k = 0; k < graph.outputs.size(); ++k) {
          if (graph.outputs[k].name != name) continue;
          replay.ask(graph.outputs[k].node, frequency.computed);
          ++frequency.asked[k];
        }
      if (event.changes >= 0) replay.change(event.changes);
    }
  }
  for (auto* counts : {&frequency.computed, &frequency.asked})
    for (double& count : *counts) count = std::max(count, once);
  return frequency;
}

}  // namespace tyto::plan
