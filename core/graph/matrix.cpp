/// Linear algebra of tyto/expr.hpp: inverse, solve, and factorizations, which act on matrices with one row and one column axis;
/// several labels are fused into one and split again around them.
#include <algorithm>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "graph/handle.hpp"

namespace tyto::inline v1 {
using namespace graph;
using operation::Part;
using operation::System;
namespace {

std::int64_t count(const Indices& labels) {
  std::int64_t product = 1;
  for (const Index& label : labels) product *= label.extent();
  return product;
}

Indices joined_labels(std::initializer_list<Indices> lists) {
  Indices all;
  for (const Indices& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

/// Batch, row and column labels of a matrix, and the matrix with its axes in that order.
struct MatrixForm {
  Indices batch, rows, columns;
  NodeId node = -1;
};
MatrixForm matrix_form(Store& store, NodeId node, const Expr& e, const Indices& rows, const Indices& batch) {
  Indices all = rows;
  all.insert(all.end(), batch.begin(), batch.end());
  MatrixForm form{batch, rows, {}};
  check_once(all, "row label", e);
  for (const Index& label : all)
    if (!contains(e.shape(), label))
      fail({.code = Code::label,
            .where = {.quote = e.text()},
            .what = fmt::format("{} label {} is not on the matrix", contains(rows, label) ? "row" : "batch", label.name()),
            .expected = graph::listed(e.shape()),
            .found = label.name()});
  for (const Index& label : e.shape())
    if (!contains(all, label)) form.columns.push_back(label);
  Indices order = batch;
  order.insert(order.end(), rows.begin(), rows.end());
  order.insert(order.end(), form.columns.begin(), form.columns.end());
  form.node = permuted(store, node, positions(order, e.shape()));
  return form;
}

void check_square(const MatrixForm& form, const Expr& e) {
  const std::int64_t row_count = count(form.rows), column_count = count(form.columns);
  if (row_count != column_count)
    fail({.code = Code::extent,
          .where = {.quote = e.text()},
          .what = "the matrix is not square",
          .expected = fmt::format("{} columns, as many as rows ({})", row_count, graph::listed(form.rows)),
          .found = fmt::format("{} columns ({})", column_count, graph::listed(form.columns))});
}

/// The symmetric part, (M + M^H) / 2, of a matrix whose row and column labels agree one by one.
NodeId symmetric_part(Store& store, const MatrixForm& form, const Expr& e) {
  check_square(form, e);
  for (std::size_t k = 0; k < form.rows.size(); ++k)
    if (form.rows.size() != form.columns.size() || form.rows[k].extent() != form.columns[k].extent())
      fail({.code = Code::extent,
            .where = {.quote = e.text()},
            .what = "row and column labels of a symmetric matrix agree one by one",
            .expected = graph::listed(form.rows),
            .found = graph::listed(form.columns)});
  std::vector<std::int32_t> order;
  const auto batch = static_cast<std::int32_t>(form.batch.size()), rows = static_cast<std::int32_t>(form.rows.size());
  for (std::int32_t k = 0; k < batch; ++k) order.push_back(k);
  for (std::int32_t k = 0; k < rows; ++k) order.push_back(batch + rows + k);
  for (std::int32_t k = 0; k < rows; ++k) order.push_back(batch + k);
  const NodeId adjoint = conjugate(store, permuted(store, form.node, order));
  return nested_combination(store, {{0.5, form.node}, {0.5, adjoint}}, store[form.node].shape);
}

/// The labels as one dimension: their own, if they are one.
DimensionId fused(Store& store, const Indices& labels) {
  if (labels.size() == 1) return store.dimension(labels[0].dimension());
  std::string name;
  for (const Index& label : labels) {
    if (label.varies()) fail_unsupported(fmt::format("a factorization over {}, whose extents vary,", graph::listed(labels)));
    name += label.name();
  }
  return store.dimension(Index(name.empty() ? "one" : name, count(labels)).dimension());
}

/// A matrix with axes (batch, row, column), and how to give a part of it its labels.
struct Factorized {
  std::shared_ptr<Store> store;
  MatrixForm form;
  NodeId matrix = -1;
  DimensionId bond = -1;

  Expr part(Part which, const Indices& labels) const {
    const NodeId node = store->insert(Factorization{which, static_cast<std::int32_t>(form.batch.size()), bond}, {matrix});
    return labelled(node, labels);
  }
  Expr labelled(NodeId node, const Indices& labels) const {
    return Expr(store, graph::reshape(*store, node, shape_of_labels(*store, labels)), labels);
  }
};

Factorized factorized(const Expr& given, const Indices& rows, const Indices& batch, const Index* bond, bool is_symmetric) {
  const Expr e = is_constant(given) ? everywhere(std::make_shared<Store>(), given.constant(), {}) : given;
  Factorized f{e.store(), matrix_form(*e.store(), e.id(), e, rows, batch)};
  Store& store = *f.store;
  const NodeId matrix = is_symmetric ? symmetric_part(store, f.form, e) : f.form.node;
  Shape shape = shape_of_labels(store, f.form.batch);
  shape.push_back(fused(store, f.form.rows));
  shape.push_back(fused(store, f.form.columns));
  f.matrix = graph::reshape(store, matrix, shape);
  if (bond == nullptr) {
    f.bond = shape.back();
    return f;
  }
  const std::int64_t smaller = std::min(count(f.form.rows), count(f.form.columns));
  if (bond->varies() || bond->extent() != smaller)
    fail({.code = Code::extent,
          .where = {.quote = e.text()},
          .what = "the bond has another extent than the factorization gives",
          .expected = fmt::format("{}={}, the smaller of rows and columns", bond->name(), smaller),
          .found = fmt::format("{}={}", bond->name(), bond->extent())});
  if (contains(e.shape(), *bond))
    fail({.code = Code::label,
          .where = {.quote = e.text()},
          .what = fmt::format("bond label {} is on the matrix already", bond->name()),
          .expected = "a label of its own",
          .found = graph::listed(e.shape())});
  f.bond = store.dimension(bond->dimension());
  return f;
}

System system_of(Matrix matrix) {
  switch (matrix) {
    case Matrix::general: return System::general;
    case Matrix::symmetric: return System::symmetric;
    case Matrix::positive_definite: return System::positive_definite;
  }
  return System::general;
}

}  // namespace

Expr inverse(const Expr& e, const Indices& rows) {
  if (is_constant(e)) return Expr(1.0 / e.constant());
  const MatrixForm form = matrix_form(*e.store(), e.id(), e, rows, {});
  check_square(form, e);
  const NodeId inverted = e.store()->insert(Inverse{0, static_cast<std::int32_t>(rows.size())}, {form.node});
  Indices order = form.rows;
  order.insert(order.end(), form.columns.begin(), form.columns.end());
  return permute(Expr(e.store(), inverted, order), e.shape());
}

Expr solve(const Expr& matrix, const Expr& right, const Indices& rows, Matrix structure) {
  const Joined both = joined_store({matrix, right});
  Indices batch, rest;
  for (const Index& label : rows)
    if (!contains(right.shape(), label))
      fail({.code = Code::label,
            .where = {.quote = right.text()},
            .what = fmt::format("row label {} is not on the right side", label.name()),
            .expected = graph::listed(right.shape()),
            .found = label.name()});
  for (const Index& label : right.shape()) {
    if (contains(rows, label)) continue;
    (contains(matrix.shape(), label) ? batch : rest).push_back(label);
  }
  MatrixForm form = matrix_form(*both.store, both.nodes[0], matrix, rows, batch);
  check_square(form, matrix);
  if (structure != Matrix::general) form.node = symmetric_part(*both.store, form, matrix);
  Indices order = batch, labels = batch;
  order.insert(order.end(), rows.begin(), rows.end());
  order.insert(order.end(), rest.begin(), rest.end());
  const NodeId right_node = permuted(*both.store, both.nodes[1], positions(order, right.shape()));
  labels.insert(labels.end(), form.columns.begin(), form.columns.end());
  labels.insert(labels.end(), rest.begin(), rest.end());
  const Solve operation{static_cast<std::int32_t>(batch.size()), static_cast<std::int32_t>(rows.size()), system_of(structure)};
  return Expr(both.store, both.store->insert(operation, {form.node, right_node}), labels);
}

Expr cholesky(const Expr& e, const Indices& rows, const Indices& batch) {
  const Factorized f = factorized(e, rows, batch, nullptr, true);
  return permute(f.part(Part::cholesky, joined_labels({f.form.batch, f.form.rows, f.form.columns})), e.shape());
}

/// With fewer rows than columns, A = [X Y], Q and the first columns of R are those of X, the others are Q^H Y.
Qr qr(const Expr& e, const Indices& rows, const Index& bond, const Indices& batch) {
  Factorized f = factorized(e, rows, batch, &bond, false);
  const Indices of_q = joined_labels({f.form.batch, f.form.rows, {bond}}),
                of_r = joined_labels({f.form.batch, {bond}, f.form.columns});
  const std::int64_t n = count(f.form.rows), m = count(f.form.columns);
  if (n >= m) return {f.part(Part::q, of_q), f.part(Part::r, of_r)};
  Store& store = *f.store;
  const auto column_axis = static_cast<std::int32_t>(batch.size()) + 1;
  const DimensionId left = store.dimension(Index("left", n).dimension()),
                    right = store.dimension(Index("right", m - n).dimension());
  const DimensionId all = store[f.matrix].shape.back();
  const NodeId x = graph::slice(store, f.matrix, {column_axis, 0, 1, left});
  const NodeId y = graph::slice(store, f.matrix, {column_axis, n, 1, right});
  const Factorization of_x{Part::q, static_cast<std::int32_t>(batch.size()), f.bond};
  const NodeId q = store.insert(of_x, {x}), u = store.insert(Factorization{Part::r, of_x.batch, f.bond}, {x});
  const NodeId v = matrix_product(store, conjugate(store, transposed(store, q)), y);
  return {f.labelled(q, of_q), f.labelled(graph::concatenate(store, {u, v}, {column_axis, all}), of_r)};
}

Svd svd(const Expr& e, const Indices& rows, const Index& bond, const Indices& batch) {
  const Factorized f = factorized(e, rows, batch, &bond, false);
  return {f.part(Part::u, joined_labels({batch, f.form.rows, {bond}})), f.part(Part::s, joined_labels({batch, {bond}})),
          permute(f.part(Part::v, joined_labels({batch, f.form.columns, {bond}})), joined_labels({batch, {bond}, f.form.columns}))};
}

Eigen symmetric_eigen(const Expr& e, const Indices& rows, const Index& bond, const Indices& batch) {
  const Factorized f = factorized(e, rows, batch, &bond, true);
  return {f.part(Part::values, joined_labels({batch, {bond}})), f.part(Part::vectors, joined_labels({batch, f.form.rows, {bond}}))};
}

}  // namespace tyto::inline v1
