#include "optimize/timetable.hpp"
#include <algorithm>
#include <map>

namespace tyto::optimize {

using graph::NodeId;

namespace {

/// By node: whether one of the outputs needs it.
std::vector<char> needed_nodes(const graph::Graph& graph, const std::vector<std::string>& outputs) {
  std::vector<NodeId> from;
  for (const graph::Output& output : graph.outputs)
    if (std::find(outputs.begin(), outputs.end(), output.name) != outputs.end()) from.push_back(output.node);
  std::vector<char> marks(static_cast<std::size_t>(graph.store->size()), 0);
  for (const NodeId id : reachable(*graph.store, from)) marks[static_cast<std::size_t>(id)] = 1;
  return marks;
}

}  // namespace

std::vector<Event> cycle_of(const graph::Graph& graph, const Context& context) {
  if (!context.cycle.empty()) return context.cycle;
  std::vector<Event> cycle(1);
  for (const graph::Output& output : graph.outputs) cycle[0].outputs.push_back(output.name);
  for (const NodeId id : reachable(graph))
    if (graph::is<graph::Leaf>((*graph.store)[id]) && context.changes(id)) cycle.push_back({{}, id});
  return cycle;
}

Timetable::Timetable(const graph::Graph& graph, std::vector<Event> cycle) : store_(graph.store), cycle_(std::move(cycle)) {
  std::map<std::vector<std::string>, std::size_t> known;
  for (const Event& event : cycle_) {
    const auto [at, is_new] = known.try_emplace(event.outputs, marks_.size());
    if (is_new) marks_.push_back(needed_nodes(graph, event.outputs));
    marks_of_.push_back(at->second);
  }
}

bool Timetable::is_asked(std::size_t event, NodeId node) const {
  const std::vector<char>& marks = marks_[marks_of_[event]];
  return static_cast<std::size_t>(node) < marks.size() && marks[static_cast<std::size_t>(node)] != 0;
}

bool Timetable::changes(std::size_t event, NodeId node) const {
  return cycle_[event].changes >= 0 && graph::depends_on(*store_, node, cycle_[event].changes);
}

}  // namespace tyto::optimize
