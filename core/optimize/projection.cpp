#include "optimize/projection.hpp"
#include <algorithm>
#include "optimize/least_squares.hpp"

namespace tyto::optimize {

using einsum::contains;
using einsum::Label;
using einsum::Labels;
using graph::NodeId;
using graph::Store;

namespace {

/// The axis of an orthonormal matrix that numbers its vectors; -1 for any other node.
std::int32_t vector_axis(const Store& store, NodeId node) {
  const auto* leaf = graph::as<graph::Leaf>(store[node]);
  const bool is_basis = leaf != nullptr && leaf->role == graph::Role::unknown && leaf->facts.orthonormal.size() == 1;
  return is_basis && store[node].shape.size() == 2 ? leaf->facts.orthonormal[0] : -1;
}

/// How often a label stands among the operands and in the output.
std::int64_t occurrences(const Product& p, Label label) {
  std::int64_t count = std::count(p.subscripts.output.begin(), p.subscripts.output.end(), label);
  for (const Labels& labels : p.subscripts.inputs) count += std::count(labels.begin(), labels.end(), label);
  return count;
}

/// Each label of the data is summed with a basis or comes out; each vector label of a basis comes out.
bool is_projection(const Product& p, std::size_t data, const std::vector<std::int32_t>& axes) {
  const Labels& of_data = p.subscripts.inputs[data];
  const auto comes_out = [&](Label l) { return contains(p.subscripts.output, l); };
  for (std::size_t k = 0; k < p.operands.size(); ++k)
    for (std::size_t axis = 0; axis < p.subscripts.inputs[k].size(); ++axis) {
      const Label label = p.subscripts.inputs[k][axis];
      if (occurrences(p, label) != 2) return false;
      const bool is_vector = k != data && static_cast<std::int32_t>(axis) == axes[k];
      if (k != data && (is_vector ? !comes_out(label) : !contains(of_data, label))) return false;
    }
  return true;
}

NodeId squared(Store& store, double coefficient, NodeId node) {
  const Labels labels = graph::counted(store[node].shape.size());
  return graph::scaled(store, coefficient, graph::einsum(store, {node, node}, {{labels, labels}, {}}));
}

}  // namespace

std::optional<Projection> projection(Store& store, NodeId scalar) {
  const auto squares = squared_terms(store, graph::scaled(store, -1, scalar));
  if (!squares || squares->size() != 1 || !squares->front().weights.empty()) return std::nullopt;
  const Product p = as_product(store, squares->front().residual);
  std::vector<std::int32_t> axes;
  std::optional<std::size_t> data;
  for (std::size_t k = 0; k < p.operands.size(); ++k) {
    axes.push_back(vector_axis(store, p.operands[k]));
    if (axes.back() >= 0) continue;
    if (data) return std::nullopt;
    data = k;
  }
  if (!data || p.operands.size() < 2 || !is_projection(p, *data, axes)) return std::nullopt;
  Projection found{.coefficient = squares->front().coefficient * p.coefficient * p.coefficient,
                   .data = p.operands[*data],
                   .data_labels = p.subscripts.inputs[*data],
                   .core_labels = p.subscripts.output};
  for (std::size_t k = 0; k < p.operands.size(); ++k) {
    if (k == *data) continue;
    found.bases.push_back(p.operands[k]);
    found.labels.push_back(p.subscripts.inputs[k]);
  }
  Product core = p;
  core.coefficient = 1;
  found.core = graph::einsum(store, core.operands, core.subscripts);
  return found;
}

NodeId whole(Store& store, const Projection& p) { return squared(store, p.coefficient, p.data); }

NodeId left_out(Store& store, const Projection& p, NodeId core) {
  std::vector<NodeId> operands{core};
  einsum::Subscripts subscripts{{p.core_labels}, p.data_labels};
  operands.insert(operands.end(), p.bases.begin(), p.bases.end());
  subscripts.inputs.insert(subscripts.inputs.end(), p.labels.begin(), p.labels.end());
  const NodeId approximation = graph::einsum(store, operands, subscripts);
  return squared(store, p.coefficient, graph::combination(store, {{1, p.data}, {-1, approximation}}, store[p.data].shape));
}

namespace {

std::int32_t carried_through(const Store& store, const graph::Node& node, const graph::Einsum& e, NodeId leaf, std::int32_t axis) {
  std::optional<std::size_t> from;
  for (std::size_t k = 0; k < node.operands.size(); ++k) {
    if (!graph::depends_on(store, node.operands[k], leaf)) continue;
    if (from) return -1;
    from = k;
  }
  const std::int32_t inner = from && is_ordinary(e.pair) ? carried_axis(store, node.operands[*from], leaf, axis) : -1;
  if (inner < 0) return -1;
  const Label label = e.subscripts.inputs[*from][static_cast<std::size_t>(inner)];
  if (occurrences({1, node.operands, e.subscripts}, label) != 2 || !contains(e.subscripts.output, label)) return -1;
  return static_cast<std::int32_t>(std::find(e.subscripts.output.begin(), e.subscripts.output.end(), label) -
                                   e.subscripts.output.begin());
}

}  // namespace

std::int32_t carried_axis(const Store& store, NodeId node, NodeId leaf, std::int32_t axis) {
  if (node == leaf) return axis;
  const graph::Node& n = store[node];
  if (const auto* e = graph::as<graph::Einsum>(n)) return carried_through(store, n, *e, leaf, axis);
  if (!graph::is<graph::Combination>(n) || n.operands.empty()) return -1;
  const std::int32_t first = carried_axis(store, n.operands[0], leaf, axis);
  const bool agree = std::all_of(n.operands.begin(), n.operands.end(),
                                 [&](NodeId operand) { return carried_axis(store, operand, leaf, axis) == first; });
  return agree ? first : -1;
}

}  // namespace tyto::optimize
