#pragma once
/// When, in a cycle of kernels, nodes are asked for and when they change.
#include "optimize/pass.hpp"

namespace tyto::optimize {

/// The recorded cycle. Without one every output is wanted once and every leaf that can change changes between two rounds.
std::vector<Event> cycle_of(const graph::Graph&, const Context&);

class Timetable {
 public:
  Timetable(const graph::Graph&, std::vector<Event> cycle);
  std::size_t event_count() const { return cycle_.size(); }
  /// Whether the outputs of an event need a node of the graph.
  bool is_asked(std::size_t event, graph::NodeId) const;
  /// Whether a node is other after an event than it was before.
  bool changes(std::size_t event, graph::NodeId) const;

 private:
  std::shared_ptr<graph::Store> store_;
  std::vector<Event> cycle_;
  std::vector<std::size_t> marks_of_;     // by event: which of marks_
  std::vector<std::vector<char>> marks_;  // by node, for each list of outputs
};

}  // namespace tyto::optimize
