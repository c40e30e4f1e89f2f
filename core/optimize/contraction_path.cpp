#include "optimize/contraction_path.hpp"
#include <algorithm>
#include <fmt/format.h>
#include "cost/slicing.hpp"
#include "error/fail.hpp"
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

/// The product contracted pair by pair.
NodeId contracted(graph::Store& store, const Product& p, const cost::Path& path) {
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

/// More would make a program that nobody waits for.
constexpr double most_slices = 4096;

/// The product with each of the sliced labels at one position.
Product slice_of(graph::Store& store, Product p, const Labels& labels, const std::vector<std::int64_t>& positions) {
  const auto one = store.dimension(std::make_shared<const Dimension>(Dimension{"one", 1, 1, false}));
  for (std::size_t k = 0; k < p.operands.size(); ++k)
    for (std::size_t axis = 0; axis < p.subscripts.inputs[k].size(); ++axis) {
      const auto at = std::find(labels.begin(), labels.end(), p.subscripts.inputs[k][axis]);
      if (at == labels.end()) continue;
      const std::int64_t position = positions[static_cast<std::size_t>(at - labels.begin())];
      p.operands[k] = graph::slice(store, p.operands[k], {static_cast<std::int32_t>(axis), position, 1, one});
    }
  return p;
}

/// Slices added up one by one, so that the memory of one serves the next.
NodeId contracted_in_slices(graph::Store& store, const Product& p, const cost::Network& network, const cost::Sliced& sliced) {
  std::vector<std::int64_t> positions(sliced.labels.size(), 0);
  NodeId sum = -1;
  for (bool more = true; more;) {
    const NodeId slice = contracted(store, slice_of(store, p, sliced.labels, positions), sliced.path);
    sum = sum < 0 ? slice : graph::nested_combination(store, {{1, sum}, {1, slice}}, store[slice].shape);
    more = false;
    for (std::size_t k = positions.size(); k-- > 0 && !more;) {
      more = ++positions[k] < network.extents[static_cast<std::size_t>(sliced.labels[k])];
      if (!more) positions[k] = 0;
    }
  }
  return sum;
}

bool has_varying_label(const graph::Store& store, const Product& p) {
  return std::any_of(p.operands.begin(), p.operands.end(), [&](NodeId operand) {
    const graph::Shape& shape = store[operand].shape;
    return std::any_of(shape.begin(), shape.end(), [&](graph::DimensionId d) { return store(d).varies; });
  });
}

NodeId split(graph::Store& store, const Product& product, const cost::Changes& changes, double most_elements, Log& log) {
  const Product p = numbered_by_operands(product);
  cost::Network network = network_of(store, p);
  network.changes = changes;
  const cost::Path path = cost::best_path(network);
  if (most_elements > 0 && path.peak > most_elements && !has_varying_label(store, p)) {
    const cost::Sliced sliced = cost::sliced_path(network, most_elements, cost::Limited::peak);
    if (sliced.slices > most_slices)
      fail(Code::memory, "the memory limit cannot be met", fmt::format("products in at most {} slices", most_slices),
           fmt::format("{:.0f} slices", sliced.slices));
    log.rewrote(fmt::format("{} operands in {} slices, {:.3g} elements at once instead of {:.3g}", p.operands.size(), sliced.slices,
                            sliced.path.peak, path.peak));
    return contracted_in_slices(store, p, network, sliced);
  }
  log.rewrote(fmt::format("{} operands in {} contractions", p.operands.size(), p.operands.size() - 1));
  return contracted(store, p, path);
}

}  // namespace

NodeId contracted_in_pairs(graph::Store& store, const Product& product, const cost::Changes& changes) {
  Log unread;
  return split(store, product, changes, 0, unread);
}

graph::Graph contraction_path(const graph::Graph& graph, const Context& context, Log& log) {
  const Timetable timetable(graph, cycle_of(graph, context));
  return rewritten(graph, [&](graph::Store& store, const graph::Node& node, NodeId old) {
    const auto* e = graph::as<graph::Einsum>(node);
    if (e == nullptr || node.operands.size() <= 2 || !is_ordinary(e->pair)) return kept(store, node);
    return split(store, {1, node.operands, e->subscripts}, timetable.changes_between_requests(old), context.most_elements, log);
  });
}

}  // namespace tyto::optimize
