#include "derivative/rules.hpp"
#include <algorithm>
#include "error/fail.hpp"

namespace tyto::derivative {
namespace {

using namespace graph;
using einsum::Label;
using einsum::Labels;

Labels joined(std::initializer_list<Labels> parts) {
  Labels all;
  for (const Labels& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

void check_pair(const Einsum& e) {
  if (!is_ordinary(e.pair))
    fail_unsupported("the derivative of an einsum over another pair than (sum, product)",
                     "only sums of products are differentiable here");
}

/// Consecutive label lists for the axes of matrices: batch, rows, columns and what is left of a tensor.
struct MatrixLabels {
  Labels batch, rows, columns;
};
MatrixLabels matrix_labels(const Shape& matrix, std::int32_t batch, std::int32_t rows, Label& next) {
  const auto take = [&](std::size_t n) {
    Labels labels = counted(n, next);
    next += static_cast<Label>(n);
    return labels;
  };
  const auto b = static_cast<std::size_t>(batch), r = static_cast<std::size_t>(rows);
  MatrixLabels labels;
  labels.batch = take(b);
  labels.rows = take(r);
  labels.columns = take(matrix.size() - b - r);
  return labels;
}

struct Backward {
  Store& store;
  const Node& node;
  NodeId id;
  std::size_t k;
  NodeId adjoint;
  std::size_t seeds;

  NodeId operator()(const Leaf&) const {
    TYTO_ASSERT(false);
    return -1;
  }
  NodeId operator()(const Fill&) const {
    TYTO_ASSERT(false);
    return -1;
  }
  NodeId operator()(const Identity&) const {
    TYTO_ASSERT(false);
    return -1;
  }
  NodeId operator()(const Combination& c) const { return scaled(store, c.coefficients[k], adjoint); }

  /// d/dx x^p = p x^(p-1)
  NodeId operator()(const Power& p) const {
    const NodeId slope = power(store, node.operands[0], p.exponent - 1);
    const Labels seed = counted(seeds), axes = counted(node.shape.size(), static_cast<Label>(seeds));
    return scaled(store, p.exponent, graph::einsum(store, {adjoint, slope}, {{joined({seed, axes}), axes}, joined({seed, axes})}));
  }

  /// The einsum of the adjoint and the other operands. A label that the operand has twice is its diagonal and becomes an
  /// identity; one that only the operand has was summed alone, so the adjoint is repeated along it.
  NodeId operator()(const Einsum& e) const {
    check_pair(e);
    const einsum::Subscripts& s = e.subscripts;
    Label next = einsum::label_count(s);
    const Labels seed = counted(seeds, next);
    next += static_cast<Label>(seeds);
    std::vector<NodeId> operands{adjoint};
    einsum::Subscripts result{{joined({seed, s.output})}, seed};
    for (std::size_t other = 0; other < node.operands.size(); ++other)
      if (other != k) operands.push_back(node.operands[other]), result.inputs.push_back(s.inputs[other]);
    const Labels& own = s.inputs[k];
    for (std::size_t axis = 0; axis < own.size(); ++axis) {
      const DimensionId dimension = store[node.operands[k]].shape[axis];
      Label label = own[axis];
      const bool is_repeated = std::find(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(axis), label) !=
                               own.begin() + static_cast<std::ptrdiff_t>(axis);
      if (is_repeated) {
        operands.push_back(identity(store, dimension, dimension));
        result.inputs.push_back({label, next});
        label = next++;
      } else if (std::none_of(result.inputs.begin(), result.inputs.end(),
                              [&](const Labels& in) { return einsum::contains(in, label); })) {
        operands.push_back(fill(store, 1, {dimension}));
        result.inputs.push_back({label});
      }
      result.output.push_back(label);
    }
    return graph::einsum(store, operands, result);
  }

  /// R = inverse(M): adjoint of M(r',c') is -sum R(r,c') adjoint(r,c) R(r',c).
  NodeId operator()(const Inverse& i) const {
    Label next = 0;
    const Labels seed = counted(seeds, next);
    next += static_cast<Label>(seeds);
    const MatrixLabels of_result = matrix_labels(node.shape, i.batch, i.rows, next);
    MatrixLabels of_operand = matrix_labels(node.shape, i.batch, i.rows, next);
    of_operand.batch = of_result.batch;
    const Labels& batch = of_result.batch;
    const NodeId product =
        graph::einsum(store, {adjoint, id, id},
                      {{joined({seed, batch, of_result.rows, of_result.columns}),
                        joined({batch, of_result.rows, of_operand.columns}), joined({batch, of_operand.rows, of_result.columns})},
                       joined({seed, batch, of_operand.rows, of_operand.columns})});
    return scaled(store, -1, product);
  }

  /// M x = b: the adjoint of b solves with the transposed matrix; that of M(r,c) is -sum adjoint_b(r,rest) x(c,rest).
  NodeId operator()(const Solve& s) const {
    const Shape& matrix = store[node.operands[0]].shape;
    Label next = 0;
    const Labels seed = counted(seeds, next);
    next += static_cast<Label>(seeds);
    const MatrixLabels m = matrix_labels(matrix, s.batch, s.rows, next);
    const Labels rest = counted(node.shape.size() - m.batch.size() - m.columns.size(), next);
    const NodeId transposed =
        graph::einsum(store, {node.operands[0]}, {{joined({m.batch, m.rows, m.columns})}, joined({m.batch, m.columns, m.rows})});
    const NodeId right =
        graph::einsum(store, {adjoint}, {{joined({seed, m.batch, m.columns, rest})}, joined({m.batch, m.columns, rest, seed})});
    const NodeId solved =
        store.insert(Solve{s.batch, static_cast<std::int32_t>(m.columns.size()), s.semidefinite}, {transposed, right});
    const Labels of_solved = joined({m.batch, m.rows, rest, seed});
    if (k == 1) return graph::einsum(store, {solved}, {{of_solved}, joined({seed, m.batch, m.rows, rest})});
    const NodeId product = graph::einsum(
        store, {solved, id}, {{of_solved, joined({m.batch, m.columns, rest})}, joined({seed, m.batch, m.rows, m.columns})});
    return scaled(store, -1, product);
  }
};

struct Forward {
  Store& store;
  const Node& node;
  NodeId id;
  std::size_t k;
  NodeId tangent;

  NodeId operator()(const Leaf&) const {
    TYTO_ASSERT(false);
    return -1;
  }
  NodeId operator()(const Fill&) const {
    TYTO_ASSERT(false);
    return -1;
  }
  NodeId operator()(const Identity&) const {
    TYTO_ASSERT(false);
    return -1;
  }
  NodeId operator()(const Combination& c) const { return scaled(store, c.coefficients[k], tangent); }
  NodeId operator()(const Power& p) const {
    return scaled(store, p.exponent, elementwise_product(store, {tangent, power(store, node.operands[0], p.exponent - 1)}));
  }
  NodeId operator()(const Einsum& e) const {
    check_pair(e);
    std::vector<NodeId> operands = node.operands;
    operands[k] = tangent;
    return graph::einsum(store, operands, e.subscripts);
  }
  /// R = inverse(M): dR(r,c) = -sum R(r,c') dM(r',c') R(r',c).
  NodeId operator()(const Inverse& i) const {
    Label next = 0;
    const MatrixLabels a = matrix_labels(node.shape, i.batch, i.rows, next), b = matrix_labels(node.shape, i.batch, i.rows, next);
    const NodeId product = graph::einsum(
        store, {id, tangent, id},
        {{joined({a.batch, a.rows, b.columns}), joined({a.batch, b.rows, b.columns}), joined({a.batch, b.rows, a.columns})},
         joined({a.batch, a.rows, a.columns})});
    return scaled(store, -1, product);
  }
  /// M x = b: dx = solve(M, db - dM x).
  NodeId operator()(const Solve& s) const {
    if (k == 1) return store.insert(s, {node.operands[0], tangent});
    const Shape& matrix = store[node.operands[0]].shape;
    Label next = 0;
    const MatrixLabels m = matrix_labels(matrix, s.batch, s.rows, next);
    const Labels rest = counted(node.shape.size() - m.batch.size() - m.columns.size(), next);
    const NodeId product = graph::einsum(
        store, {tangent, id},
        {{joined({m.batch, m.rows, m.columns}), joined({m.batch, m.columns, rest})}, joined({m.batch, m.rows, rest})});
    return scaled(store, -1, store.insert(s, {node.operands[0], product}));
  }
};

}  // namespace

NodeId backward(Store& store, NodeId node, std::size_t k, NodeId adjoint, std::size_t seeds) {
  return std::visit(Backward{store, store[node], node, k, adjoint, seeds}, store[node].operation);
}

NodeId forward(Store& store, NodeId node, std::size_t k, NodeId tangent) {
  return std::visit(Forward{store, store[node], node, k, tangent}, store[node].operation);
}

}  // namespace tyto::derivative
