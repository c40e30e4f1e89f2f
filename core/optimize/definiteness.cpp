#include "optimize/definiteness.hpp"
#include <algorithm>

namespace tyto::optimize {

using einsum::contains;
using einsum::Label;
using einsum::Labels;
using graph::NodeId;
using graph::Store;

namespace {

bool any_of(const Labels& labels, const Labels& set) {
  return std::any_of(labels.begin(), labels.end(), [&](Label label) { return contains(set, label); });
}

/// The node that this one is the conjugate of: itself, if it is real; -1 if it is written as no conjugate.
NodeId conjugate_of(const Store& store, NodeId id) {
  const auto* map = graph::as<graph::Map>(store[id]);
  if (map != nullptr && map->function == operation::Function::conj) return store[id].operands[0];
  return store[id].field == Field::real ? id : -1;
}
bool are_conjugate(const Store& store, NodeId a, NodeId b) { return conjugate_of(store, a) == b || conjugate_of(store, b) == a; }

bool is_positive(const Store& store, NodeId id) {
  const auto* leaf = graph::as<graph::Leaf>(store[id]);
  const auto* value = graph::as<graph::Fill>(store[id]);
  return (leaf != nullptr && leaf->role == graph::Role::weights) || (value != nullptr && value->value >= 0);
}

/// A node whose axes are these rows and columns, in any order.
bool is_semidefinite_matrix(const Store& store, NodeId id, const Labels& axes, const Labels& rows, const Labels& columns) {
  const graph::Node& node = store[id];
  if (graph::is<graph::Identity>(node)) return true;
  if (const auto* sum = graph::as<graph::Combination>(node)) {
    for (std::size_t k = 0; k < node.operands.size(); ++k)
      if (sum->coefficients[k] < 0 || !is_semidefinite_matrix(store, node.operands[k], axes, rows, columns)) return false;
    return true;
  }
  const auto* e = graph::as<graph::Einsum>(node);
  if (e == nullptr || !is_ordinary(e->pair)) return false;
  const Product p = fused(store, as_product(store, id));
  const auto inside = [&](const Labels& outside) {  // the same axes in the labels of the node's own product
    Labels own;
    for (const Label label : outside)
      own.push_back(p.subscripts.output[static_cast<std::size_t>(std::find(axes.begin(), axes.end(), label) - axes.begin())]);
    return own;
  };
  return p.coefficient >= 0 && is_seen_semidefinite(store, p, inside(rows), inside(columns));
}

/// An operand with rows and columns: each row it has comes with its column, and it has nothing else.
bool is_semidefinite_operand(const Store& store, const Product& p, std::size_t k, const Labels& rows, const Labels& columns) {
  const Labels& labels = p.subscripts.inputs[k];
  Labels own_rows, own_columns;
  for (std::size_t m = 0; m < rows.size(); ++m) {
    if (contains(labels, rows[m]) != contains(labels, columns[m])) return false;
    if (contains(labels, rows[m])) own_rows.push_back(rows[m]), own_columns.push_back(columns[m]);
  }
  return labels.size() == 2 * own_rows.size() && is_semidefinite_matrix(store, p.operands[k], labels, own_rows, own_columns);
}

/// Rows for columns and columns for rows.
Labels exchanged_sides(Labels labels, const Labels& rows, const Labels& columns) {
  for (Label& label : labels) {
    const auto row = std::find(rows.begin(), rows.end(), label), column = std::find(columns.begin(), columns.end(), label);
    if (row != rows.end()) label = columns[static_cast<std::size_t>(row - rows.begin())];
    else if (column != columns.end()) label = rows[static_cast<std::size_t>(column - columns.begin())];
  }
  return labels;
}

}  // namespace

bool is_seen_semidefinite(const Store& store, const Product& p, const Labels& rows, const Labels& columns) {
  std::vector<char> is_paired(p.operands.size(), 0);
  for (std::size_t k = 0; k < p.operands.size(); ++k) {
    if (is_paired[k] != 0) continue;
    const Labels& labels = p.subscripts.inputs[k];
    const bool has_row = any_of(labels, rows), has_column = any_of(labels, columns);
    if (has_row && has_column) {
      if (!is_semidefinite_operand(store, p, k, rows, columns)) return false;
      continue;
    }
    if (!has_row && !has_column && is_positive(store, p.operands[k])) continue;
    const Labels wanted = exchanged_sides(labels, rows, columns);
    std::size_t twin = k + 1;
    while (twin < p.operands.size() &&
           (is_paired[twin] != 0 || p.subscripts.inputs[twin] != wanted || !are_conjugate(store, p.operands[k], p.operands[twin])))
      ++twin;
    if (twin == p.operands.size()) return false;
    is_paired[twin] = 1;
  }
  return true;
}

}  // namespace tyto::optimize
