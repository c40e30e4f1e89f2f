#include "optimize/definiteness.hpp"
#include <algorithm>

namespace tyto::optimize {

using einsum::contains;
using einsum::Label;
using einsum::Labels;
using graph::NodeId;
using graph::Store;

namespace {

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

/// Splits a product into two halves, of the rows and of the columns, that are conjugate to each other: then it is sum v conj(v)'
/// over the labels that both have.
class Halves {
 public:
  Halves(const Store& store, const Product& p, const Labels& rows, const Labels& columns)
      : store_(store), p_(p), partner_(static_cast<std::size_t>(einsum::label_count(p.subscripts)), -1), side_(partner_.size(), 0) {
    for (std::size_t m = 0; m < rows.size(); ++m) tie(rows[m], columns[m]);
    is_done_.assign(p.operands.size(), 0);
  }

  bool find() {
    for (bool again = true; again;) {
      again = false;
      for (std::size_t k = 0; k < p_.operands.size(); ++k) {
        if (is_done_[k] != 0 || !(has_side(k, 1) || has_side(k, 2))) continue;
        if (!(has_side(k, 1) && has_side(k, 2) ? is_semidefinite(k) : has_twin(k))) return false;
        is_done_[k] = 1, again = true;
      }
    }
    for (std::size_t k = 0; k < p_.operands.size(); ++k)
      if (is_done_[k] == 0 && !is_positive(store_, p_.operands[k]) && !has_twin(k)) return false;
    return true;
  }

 private:
  static std::size_t at(Label label) { return static_cast<std::size_t>(label); }
  void tie(Label row, Label column) {
    partner_[at(row)] = column, partner_[at(column)] = row;
    side_[at(row)] = 1, side_[at(column)] = 2;
  }
  /// 1: rows, and what is summed with them alone; 2: columns.
  bool has_side(std::size_t k, int side) const {
    const Labels& labels = p_.subscripts.inputs[k];
    return std::any_of(labels.begin(), labels.end(), [&](Label label) { return side_[at(label)] == side; });
  }
  /// An operand of both sides: a matrix of some rows by their columns.
  bool is_semidefinite(std::size_t k) const {
    const Labels& labels = p_.subscripts.inputs[k];
    Labels rows, columns;
    for (const Label label : labels) {
      if (side_[at(label)] == 0 || !contains(labels, partner_[at(label)])) return false;
      if (side_[at(label)] == 1) rows.push_back(label), columns.push_back(partner_[at(label)]);
    }
    return labels.size() == 2 * rows.size() && is_semidefinite_matrix(store_, p_.operands[k], labels, rows, columns);
  }
  /// Whether an operand stands once more on the other side, conjugate; labels that it has there instead of its own are partners.
  bool has_twin(std::size_t k) {
    for (std::size_t m = 0; m < p_.operands.size(); ++m) {
      if (m == k || is_done_[m] != 0 || !are_conjugate(store_, p_.operands[k], p_.operands[m])) continue;
      const std::vector<Label> partner = partner_;
      const std::vector<int> side = side_;
      if (ties(p_.subscripts.inputs[k], p_.subscripts.inputs[m], has_side(k, 2))) {
        is_done_[k] = is_done_[m] = 1;
        return true;
      }
      partner_ = partner, side_ = side;
    }
    return false;
  }
  bool ties(const Labels& own, const Labels& other, bool is_column_side) {
    for (std::size_t axis = 0; axis < own.size(); ++axis) {
      const Label a = own[axis], b = other[axis];
      if (partner_[at(a)] < 0 && partner_[at(b)] < 0) {
        if (a == b) partner_[at(a)] = a;  // common to both halves
        else if (is_column_side) tie(b, a);
        else tie(a, b);
      }
      if (partner_[at(a)] != b || partner_[at(b)] != a) return false;
      if (a != b && side_[at(a)] != (is_column_side ? 2 : 1)) return false;
    }
    return true;
  }

  const Store& store_;
  const Product& p_;
  std::vector<Label> partner_;  // by label: the one that it becomes on the other side; itself, if both sides have it
  std::vector<int> side_;
  std::vector<char> is_done_;
};

}  // namespace

bool is_seen_semidefinite(const Store& store, const Product& p, const Labels& rows, const Labels& columns) {
  return Halves(store, p, rows, columns).find();
}

}  // namespace tyto::optimize
