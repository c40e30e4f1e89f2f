#include "optimize/work.hpp"
#include <algorithm>
#include "optimize/timetable.hpp"

namespace tyto::optimize {

using graph::NodeId;

bool Work::changes(NodeId id) {
  const auto known = changes_.find(id);
  if (known != changes_.end()) return known->second;
  const graph::Node& node = store_[id];
  const bool result = graph::is<graph::Leaf>(node)
                          ? context_.changes(id)
                          : std::any_of(node.operands.begin(), node.operands.end(), [&](NodeId o) { return changes(o); });
  return changes_[id] = result;
}

double Work::flops(const Product& p) {
  if (std::none_of(p.operands.begin(), p.operands.end(), [&](NodeId o) { return changes(o); })) return 0;
  return cost::best_path(network_of(store_, p), cost::quick_search).total.flops;
}

double Work::flops(NodeId id) {
  if (!changes(id)) return 0;
  const auto known = flops_.find(id);
  if (known != flops_.end()) return known->second;
  const graph::Node& node = store_[id];
  double total = 0;
  if (const auto* e = graph::as<graph::Einsum>(node); e != nullptr && is_ordinary(e->pair)) {
    const Product p = fused_where_cheaper(store_, as_product(store_, id));
    total = flops(p);
    for (const NodeId operand : p.operands) total += flops(operand);
  } else {
    for (const NodeId operand : node.operands) total += flops(operand);
    total += static_cast<double>(store_.element_count(id)) * static_cast<double>(node.operands.size());
  }
  return flops_[id] = total;
}

double cycle_flops(const graph::Graph& graph, const std::vector<Event>& cycle) {
  const Timetable timetable(graph, cycle);
  double flops = 0;
  for (const NodeId id : reachable(graph)) {
    if (!graph::is<graph::Einsum>((*graph.store)[id])) continue;
    const cost::Network network = network_of(*graph.store, as_product(*graph.store, id));
    const cost::Changes changes = timetable.changes_between_requests(id);
    std::uint64_t occasions = 0;
    for (const std::uint64_t of_operand : changes.operands) occasions |= of_operand;
    flops += changes.runs(occasions) * static_cast<double>(einsum::loop_flops(network.subscripts, network.extents));
  }
  return flops;
}

}  // namespace tyto::optimize
