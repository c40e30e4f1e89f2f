/// Rules of inverses and linear systems.
#include "derivative/site.hpp"
#include "error/fail.hpp"

namespace tyto::derivative {

using namespace graph;
using einsum::Label;
using einsum::Labels;

namespace {

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

/// -sum a(seeds; batch, r, c) R(batch, R1, C1) R(batch, R2, C2) for R = inverse(M): both rules are this product, with the axes of
/// `a` those of R (backward: R's columns stay with its other factor) or of M.
NodeId between_inverses(Store& store, NodeId a, NodeId r, const Inverse& i, std::size_t seeds, bool is_backward) {
  Label next = 0;
  const Labels seed = counted(seeds, next);
  next += static_cast<Label>(seeds);
  const MatrixLabels inside = matrix_labels(store[r].shape, i.batch, i.rows, next);
  MatrixLabels outside = matrix_labels(store[r].shape, i.batch, i.rows, next);
  outside.batch = inside.batch;
  const Labels& batch = inside.batch;
  const Labels first = is_backward ? joined({batch, inside.rows, outside.columns}) : joined({batch, outside.rows, inside.columns});
  const Labels second = is_backward ? joined({batch, outside.rows, inside.columns}) : joined({batch, inside.rows, outside.columns});
  const NodeId factor = is_backward ? conjugate(store, r) : r;
  const NodeId product = graph::einsum(
      store, {a, factor, factor},
      {{joined({seed, batch, inside.rows, inside.columns}), first, second}, joined({seed, batch, outside.rows, outside.columns})});
  return scaled(store, -1, product);
}

}  // namespace

/// R = inverse(M): adjoint of M(r',c') is -sum R(r,c') adjoint(r,c) R(r',c).
NodeId rule(const Backward& b, const Inverse& i) { return between_inverses(b.store, b.adjoint, b.id, i, b.seeds, true); }
/// R = inverse(M): dR(r,c) = -sum R(r,c') dM(r',c') R(r',c).
NodeId rule(const Forward& f, const Inverse& i) { return between_inverses(f.store, f.tangent, f.id, i, 0, false); }

namespace {

void refuse_bounds(const Solve& s) {
  if (!operation::is_linear(s.system))
    fail_unsupported("the derivative of a solve with non-negative unknowns", "derivatives of other systems");
}

}  // namespace

/// M x = b: the adjoint of b solves with the transposed matrix; that of M(r,c) is -sum adjoint_b(r,rest) x(c,rest).
NodeId rule(const Backward& b, const Solve& s) {
  refuse_bounds(s);
  Store& store = b.store;
  const Node& node = b.node;
  const Shape& matrix = store[node.operands[0]].shape;
  Label next = 0;
  const Labels seed = counted(b.seeds, next);
  next += static_cast<Label>(b.seeds);
  const MatrixLabels m = matrix_labels(matrix, s.batch, s.rows, next);
  const Labels rest = counted(node.shape.size() - m.batch.size() - m.columns.size(), next);
  NodeId matrix_of_adjoint = node.operands[0];  // of a symmetric system itself, so that one factorization serves both
  if (!operation::is_symmetric(s.system))
    matrix_of_adjoint = conjugate(
        store,
        graph::einsum(store, {node.operands[0]}, {{joined({m.batch, m.rows, m.columns})}, joined({m.batch, m.columns, m.rows})}));
  const NodeId right =
      graph::einsum(store, {b.adjoint}, {{joined({seed, m.batch, m.columns, rest})}, joined({m.batch, m.columns, rest, seed})});
  const NodeId solved =
      store.insert(Solve{s.batch, static_cast<std::int32_t>(m.columns.size()), s.system}, {matrix_of_adjoint, right});
  const Labels of_solved = joined({m.batch, m.rows, rest, seed});
  if (b.k == 1) return graph::einsum(store, {solved}, {{of_solved}, joined({seed, m.batch, m.rows, rest})});
  const NodeId product =
      graph::einsum(store, {solved, conjugate(store, b.id)},
                    {{of_solved, joined({m.batch, m.columns, rest})}, joined({seed, m.batch, m.rows, m.columns})});
  return scaled(store, -1, product);
}

/// M x = b: dx = solve(M, db - dM x).
NodeId rule(const Forward& f, const Solve& s) {
  refuse_bounds(s);
  Store& store = f.store;
  const Node& node = f.node;
  if (f.k == 1) return store.insert(s, {node.operands[0], f.tangent});
  const Shape& matrix = store[node.operands[0]].shape;
  Label next = 0;
  const MatrixLabels m = matrix_labels(matrix, s.batch, s.rows, next);
  const Labels rest = counted(node.shape.size() - m.batch.size() - m.columns.size(), next);
  const NodeId product =
      graph::einsum(store, {f.tangent, f.id},
                    {{joined({m.batch, m.rows, m.columns}), joined({m.batch, m.columns, rest})}, joined({m.batch, m.rows, rest})});
  return scaled(store, -1, store.insert(s, {node.operands[0], product}));
}

}  // namespace tyto::derivative
