#include "verify/verified.hpp"
#include <algorithm>
#include <map>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "graph/text.hpp"
#include "verify/compare.hpp"

namespace tyto::verify {

using graph::NodeId;
using optimize::Context;

namespace {

constexpr double most_points = 2e7;  // of all loop nests together: about a second of plain loops

/// Order of the matrices that a node inverts or factorizes; 0 for other nodes.
double matrix_order(const graph::Store& store, const graph::Node& node) {
  std::int32_t batch = -1, rows = 1;
  if (const auto* solve = graph::as<graph::Solve>(node)) batch = solve->batch, rows = solve->rows;
  if (const auto* inverse = graph::as<graph::Inverse>(node)) batch = inverse->batch, rows = inverse->rows;
  if (const auto* factorization = graph::as<graph::Factorization>(node)) batch = factorization->batch;
  if (batch < 0) return 0;
  double order = 1;
  for (std::int32_t axis = batch; axis < batch + rows; ++axis)
    order *= static_cast<double>(store.extent(store[node.operands[0]].shape[static_cast<std::size_t>(axis)]));
  return order;
}

double points(const graph::Graph& graph) {
  double total = 0;
  const graph::Store& store = *graph.store;
  for (const NodeId id : reachable(graph)) {
    double own = static_cast<double>(store.element_count(id));
    if (const auto* e = graph::as<graph::Einsum>(store[id])) {
      std::map<einsum::Label, std::int64_t> extents;
      for (std::size_t k = 0; k < store[id].operands.size(); ++k)
        for (std::size_t axis = 0; axis < e->subscripts.inputs[k].size(); ++axis)
          extents[e->subscripts.inputs[k][axis]] = store.extent(store[store[id].operands[k]].shape[axis]);
      own = 1;
      for (const auto& [label, extent] : extents) own *= static_cast<double>(extent);
    }
    const double order = matrix_order(store, store[id]);
    total += own + 20 * order * order * order;
  }
  return total;
}

/// Extents are tied to each other beyond being equal or not: by reshapes, positions, bonds.
bool has_tied_extents(const graph::Graph& graph) {
  const std::vector<NodeId> nodes = reachable(graph);
  const auto has_other_columns = [&](const graph::Node& node) {  // rows and columns agree in their product only
    const auto* solve = graph::as<graph::Solve>(node);
    const auto* inverse = graph::as<graph::Inverse>(node);
    if (solve == nullptr && inverse == nullptr) return false;
    const auto batch = static_cast<std::size_t>(solve != nullptr ? solve->batch : inverse->batch);
    const auto rows = static_cast<std::size_t>(solve != nullptr ? solve->rows : inverse->rows);
    const graph::Shape& shape = (*graph.store)[node.operands[0]].shape;
    if (shape.size() != batch + 2 * rows) return true;
    for (std::size_t m = batch; m < batch + rows; ++m)
      if (graph.store->extent(shape[m]) != graph.store->extent(shape[m + rows])) return true;
    return false;
  };
  return std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) {
    const graph::Node& node = (*graph.store)[id];
    return graph::is<graph::Reshape>(node) || graph::is<graph::Slice>(node) || graph::is<graph::Pad>(node) ||
           graph::is<graph::Concatenate>(node) || graph::is<graph::Factorization>(node) || has_other_columns(node);
  });
}

/// The same expressions over other extents: 2, 3, ... in the order of size, equal where they were equal.
class SmallCopy {
 public:
  SmallCopy(const graph::Graph& graph, const Context& context) : from_(*graph.store) {
    copy.store = std::make_shared<graph::Store>();
    std::vector<std::int64_t> extents;
    const std::vector<NodeId> nodes = reachable(graph);
    for (const NodeId id : nodes)
      for (const graph::DimensionId d : from_[id].shape) extents.push_back(from_.extent(d));
    std::sort(extents.begin(), extents.end());
    extents.erase(std::unique(extents.begin(), extents.end()), extents.end());
    for (const std::int64_t extent : extents)
      small_[extent] = extent <= 1 ? extent : std::min<std::int64_t>(extent, 2 + static_cast<std::int64_t>(small_.size()));
    for (const NodeId id : nodes) add(id);
    for (const graph::Output& output : graph.outputs) copy.outputs.push_back({output.name, node_.at(output.node)});
    for (const optimize::Event& event : context.cycle) small_context.cycle.push_back({event.outputs, mapped(event.changes)});
    for (const NodeId objective : context.objectives)
      if (node_.contains(objective)) small_context.objectives.push_back(node_.at(objective));
    small_context.changes = [changes = context.changes, leaves = leaves_](NodeId id) {
      const auto known = leaves.find(id);
      return known == leaves.end() || changes(known->second);
    };
  }

  graph::Graph copy;
  Context small_context;

 private:
  NodeId mapped(NodeId leaf) const {
    const auto known = node_.find(leaf);
    return known == node_.end() ? -1 : known->second;
  }
  graph::DimensionId dimension(graph::DimensionId d) {
    const auto known = dimension_.find(d);
    if (known != dimension_.end()) return known->second;
    const Dimension& old = from_(d);
    const std::int64_t extent = small_.at(old.extent);
    const auto made = std::make_shared<const Dimension>(Dimension{old.name, extent, extent, false});
    return dimension_[d] = copy.store->dimension(made);
  }
  void add(NodeId id) {
    graph::Node node = from_[id];
    for (NodeId& operand : node.operands) operand = node_.at(operand);
    for (graph::DimensionId& d : node.shape) d = dimension(d);
    const bool is_leaf = graph::is<graph::Leaf>(node);
    node_[id] = graph::kept(*copy.store, node);
    if (is_leaf) leaves_[node_[id]] = id;
  }

  const graph::Store& from_;
  std::map<std::int64_t, std::int64_t> small_;
  std::map<graph::DimensionId, graph::DimensionId> dimension_;
  std::map<NodeId, NodeId> node_, leaves_;
};

/// Throws on the first pass that changes a value.
class Check {
 public:
  explicit Check(Summary& summary) : summary_(summary) {}

  void operator()(const graph::Graph& before, const graph::Graph& after, const std::string& pass) {
    if (before.outputs == after.outputs) return;
    const Comparison comparison = compare(before, after, seed);
    ++(comparison.verdict == Verdict::skipped ? summary_.skipped : summary_.compared);
    if (comparison.verdict != Verdict::different) return;
    fail({.code = Code::defect,
          .what = fmt::format("the pass {} has changed a value: {}", pass, comparison.text),
          .expected = fmt::format("\n{}", graph::print(before)),
          .found = fmt::format("\n{}", graph::print(after)),
          .hint = fmt::format("plan.switched_off: [{}], and reporting this text", pass)});
  }

 private:
  static constexpr std::uint64_t seed = 20261130;
  Summary& summary_;
};

}  // namespace

std::string Summary::text() const {
  return fmt::format("{} passes compared on random values{}, {} skipped", compared,
                     on_small_copy ? " in a copy with small extents" : "", skipped == 0 ? "none" : fmt::format("{}", skipped));
}

optimize::Optimized verified(const graph::Graph& graph, const Context& context, const std::vector<std::string>& switched_off,
                             Summary& summary) {
  Check check(summary);
  if (points(graph) > most_points && has_tied_extents(graph)) {
    ++summary.skipped;
    return optimize::optimize(graph, context, switched_off);
  }
  if (points(graph) <= most_points) {
    Context checked = context;
    checked.check = std::ref(check);
    return optimize::optimize(graph, checked, switched_off);
  }
  summary.on_small_copy = true;
  SmallCopy small(graph, context);
  small.small_context.check = std::ref(check);
  optimize::optimize(small.copy, small.small_context, switched_off);
  return optimize::optimize(graph, context, switched_off);
}

}  // namespace tyto::verify
