#include "optimize/contraction_path.hpp"
#include <algorithm>
#include <fmt/format.h>
#include "optimize/product.hpp"
#include "optimize/timetable.hpp"

namespace tyto::optimize {

using einsum::Labels;
using graph::NodeId;

namespace {

struct Value {
  NodeId node;
  Labels labels;
};

/// Labels numbered by the operands, so that ascending order, the order of axes of intermediates, follows the operands' axes.
Product numbered_by_operands(Product p) {
  const Labels output = p.subscripts.output;
  p.subscripts.output.clear();
  const einsum::Subscripts before = p.subscripts;
  p.subscripts = einsum::renumbered(p.subscripts);
  for (const einsum::Label label : output)
    for (std::size_t k = 0; k < before.inputs.size(); ++k) {
      const auto at = std::find(before.inputs[k].begin(), before.inputs[k].end(), label);
      if (at == before.inputs[k].end()) continue;
      p.subscripts.output.push_back(p.subscripts.inputs[k][static_cast<std::size_t>(at - before.inputs[k].begin())]);
      break;
    }
  return p;
}

NodeId split(graph::Store& store, const Product& product, const cost::Changes& changes) {
  const Product p = numbered_by_operands(product);
  cost::Network network = network_of(store, p);
  network.changes = changes;
  const cost::Path path = cost::best_path(network);
  std::vector<Value> values;
  for (std::size_t k = 0; k < p.operands.size(); ++k) values.push_back({p.operands[k], p.subscripts.inputs[k]});
  std::vector<char> used(values.size() + path.pairs.size(), 0);
  for (std::size_t step = 0; step < path.pairs.size(); ++step) {
    const auto [a, b] = path.pairs[step];
    used[static_cast<std::size_t>(a)] = used[static_cast<std::size_t>(b)] = 1;
    const Value &left = values[static_cast<std::size_t>(a)], &right = values[static_cast<std::size_t>(b)];
    std::vector<Labels> others;
    for (std::size_t k = 0; k < values.size(); ++k)
      if (used[k] == 0) others.push_back(values[k].labels);
    const bool last = step + 1 == path.pairs.size();
    const Labels out = last ? p.subscripts.output : cost::joined_labels(left.labels, right.labels, others, p.subscripts.output);
    values.push_back({graph::einsum(store, {left.node, right.node}, {{left.labels, right.labels}, out}), out});
  }
  return values.back().node;
}

}  // namespace

graph::Graph contraction_path(const graph::Graph& graph, const Context& context, Log& log) {
  const Timetable timetable(graph, cycle_of(graph, context));
  return rewritten(graph, [&](graph::Store& store, const graph::Node& node, NodeId old) {
    const auto* e = graph::as<graph::Einsum>(node);
    if (e == nullptr || node.operands.size() <= 2 || !is_ordinary(e->pair)) return kept(store, node);
    log.rewrote(fmt::format("{} operands in {} contractions", node.operands.size(), node.operands.size() - 1));
    return split(store, {1, node.operands, e->subscripts}, timetable.changes_between_requests(old));
  });
}

}  // namespace tyto::optimize
