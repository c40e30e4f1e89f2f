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

std::size_t index_in(const std::vector<NodeId>& ascending, NodeId id) {
  return static_cast<std::size_t>(std::lower_bound(ascending.begin(), ascending.end(), id) - ascending.begin());
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
    if (event.changes >= 0) leaves_.push_back(event.changes);
  }
  std::sort(leaves_.begin(), leaves_.end());
  leaves_.erase(std::unique(leaves_.begin(), leaves_.end()), leaves_.end());
  for (const Event& event : cycle_) changed_.push_back(event.changes < 0 ? leaves_.size() : index_in(leaves_, event.changes));
  for (NodeId id = 0; id < store_->size(); ++id) {
    Leaves below(leaves_.size());
    if (std::binary_search(leaves_.begin(), leaves_.end(), id)) below.set(index_in(leaves_, id));
    for (const NodeId operand : (*store_)[id].operands) below |= leaves_of_[static_cast<std::size_t>(operand)];
    leaves_of_.push_back(std::move(below));
  }
}

bool Timetable::is_asked(std::size_t event, NodeId node) const {
  const std::vector<char>& marks = marks_[marks_of_[event]];
  return static_cast<std::size_t>(node) < marks.size() && marks[static_cast<std::size_t>(node)] != 0;
}

bool Timetable::changes(std::size_t event, NodeId node) const {
  return changed_[event] < leaves_.size() && leaves_of_[static_cast<std::size_t>(node)][changed_[event]];
}

cost::Changes Timetable::changes_between_requests(NodeId node) const {
  std::map<Leaves, double> occasions;  // what has changed, and how often
  Leaves changed(leaves_.size());
  bool is_asked_at_all = false;
  for (int round = 0; round < 2; ++round)  // the first only finds what has changed before the second begins
    for (std::size_t event = 0; event < cycle_.size(); ++event) {
      if (is_asked(event, node)) {
        const Leaves seen = changed & leaves_of_[static_cast<std::size_t>(node)];
        if (round == 1 && seen.any()) occasions[seen] += 1;
        changed.reset(), is_asked_at_all = true;
      }
      if (changed_[event] < leaves_.size()) changed.set(changed_[event]);
    }
  if (!is_asked_at_all) return {};
  std::vector<std::pair<Leaves, double>> kinds(occasions.begin(), occasions.end());
  std::stable_sort(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  for (; kinds.size() > cost::most_occasions; kinds.pop_back()) {
    auto& last = kinds[cost::most_occasions - 1];
    last.first |= kinds.back().first, last.second += kinds.back().second;
  }
  cost::Changes changes;
  changes.operands.assign((*store_)[node].operands.size(), 0);
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    changes.times.push_back(kinds[kind].second);
    for (std::size_t k = 0; k < changes.operands.size(); ++k)
      if (kinds[kind].first.intersects(leaves_of_[static_cast<std::size_t>((*store_)[node].operands[k])]))
        changes.operands[k] |= std::uint64_t{1} << kind;
  }
  return changes;
}

}  // namespace tyto::optimize
