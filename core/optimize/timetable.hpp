#pragma once
/// When, in a cycle of kernels, nodes are asked for and when they change.
#include <memory>
#include <boost/dynamic_bitset.hpp>
#include "cost/network.hpp"
#include "optimize/pass.hpp"

namespace tyto::optimize {

/// The recorded cycle. Without one every output is wanted once and every leaf that can change changes between two rounds.
std::vector<Event> cycle_of(const graph::Graph&, const Context&);

/// Of the nodes that are in the store when it is made.
class Timetable {
 public:
  Timetable(const graph::Graph&, std::vector<Event> cycle);
  std::size_t event_count() const { return cycle_.size(); }
  /// Whether the outputs of an event need a node of the graph.
  bool is_asked(std::size_t event, graph::NodeId) const;
  /// Whether a node is other after an event than it was before.
  bool changes(std::size_t event, graph::NodeId) const;
  /// What has changed of a node's operands each time that the node is asked for; nothing if it is not asked for in the cycle. Of
  /// more kinds of occasions than costs can tell apart the rarest become one, on which all of theirs has changed.
  cost::Changes changes_between_requests(graph::NodeId) const;

 private:
  using Leaves = boost::dynamic_bitset<std::uint64_t>;  // those that change in the cycle, a bit each

  std::shared_ptr<graph::Store> store_;
  std::vector<Event> cycle_;
  std::vector<std::size_t> marks_of_;     // by event: which of marks_
  std::vector<std::vector<char>> marks_;  // by node, for each list of outputs
  std::vector<graph::NodeId> leaves_;     // ascending
  std::vector<std::size_t> changed_;      // by event: which of leaves_ changes; their number if none does
  std::vector<Leaves> leaves_of_;         // by node
};

}  // namespace tyto::optimize
