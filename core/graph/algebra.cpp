/// The functions of tyto/expr.hpp that make expressions from expressions.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "graph/handle.hpp"

namespace tyto::inline v1 {
using namespace graph;
namespace {

bool is_constant(const Expr& e) { return !e.store(); }

std::string described(const Index& label) { return fmt::format("{}={}", label.name(), label.extent()); }

/// A factor under labels whose extents another factor contradicts cannot happen (a label carries its extent); what can is two
/// indices of one name, which are different labels and usually a mistake.
void check_outputs(const Exprs& factors, const Indices& out) {
  const Indices present = united(factors);
  for (const Index& label : out) {
    if (std::count(out.begin(), out.end(), label) > 1)
      fail(Code::label, fmt::format("output label {} is given twice", label.name()),
           "each output label once; identity() makes a diagonal", graph::listed(out));
    if (contains(present, label)) continue;
    const auto namesake = std::find_if(present.begin(), present.end(), [&](const Index& p) { return p.name() == label.name(); });
    std::string operands;
    for (const Expr& f : factors) operands += (operands.empty() ? "" : ", ") + f.text();
    if (namesake != present.end())
      fail({.code = Code::label,
            .where = {.quote = operands},
            .what = fmt::format("output label {} is another index of that name", label.name()),
            .expected = fmt::format("the index of the operands, {}", described(*namesake)),
            .found = described(label),
            .hint = "make the index once and use it for every tensor that shares it"});
    fail({.code = Code::label,
          .where = {.quote = operands},
          .what = fmt::format("output label {} is on no factor", label.name()),
          .expected = graph::listed(present),
          .found = described(label),
          .hint = "expand() repeats values along a new label"});
  }
}

Expr scaled(double factor, const Expr& e) {
  if (is_constant(e)) return Expr(factor * e.constant());
  return Expr(e.store(), graph::scaled(*e.store(), factor, e.id()), e.shape());
}

Expr ones(const std::shared_ptr<Store>& store, const Indices& labels, double value) {
  Shape shape;
  for (const Index& label : labels) shape.push_back(store->dimension(label.dimension()));
  return Expr(store, fill(*store, value, shape), labels);
}

std::string labels_of(const Expr& e) { return e.order() == 0 ? "no labels" : "labels " + graph::listed(e.shape()); }

void check_same(const Expr& a, const Expr& b, const std::string& quote, const std::string& hint) {
  if (same_labels(a.shape(), b.shape())) return;
  Finding finding{.code = Code::label,
                  .where = {.quote = quote},
                  .what = "the two sides have different labels",
                  .expected = labels_of(a),
                  .found = labels_of(b),
                  .hint = hint};
  for (const Index& label : b.shape()) {
    const auto is_namesake = [&](const Index& other) { return other.name() == label.name() && !(other == label); };
    if (contains(a.shape(), label) || std::none_of(a.shape().begin(), a.shape().end(), is_namesake)) continue;
    finding.found += fmt::format(", where {} is another index of that name", label.name());
    finding.hint = "make the index once and use it for every tensor that shares it";
  }
  fail(std::move(finding));
}

/// a + factor * b
Expr added(const Expr& a, double factor, const Expr& b) {
  if (is_constant(a) && is_constant(b)) return Expr(a.constant() + factor * b.constant());
  if (is_constant(a)) return added(ones(b.store(), b.shape(), a.constant().real()), factor, b);
  if (is_constant(b)) return added(a, factor, ones(a.store(), a.shape(), b.constant().real()));
  check_same(a, b, a.text() + (factor < 0 ? " - " : " + ") + b.text(), "expand() repeats values along further labels");
  const Joined both = joined_store({a, b});
  const NodeId second = permuted(*both.store, both.nodes[1], positions(a.shape(), b.shape()));
  return Expr(both.store, combination(*both.store, {{1, both.nodes[0]}, {factor, second}}, (*both.store)[both.nodes[0]].shape),
              a.shape());
}

Expr raised(const Expr& e, double exponent) {
  if (is_constant(e)) return Expr(std::pow(e.constant().real(), exponent));
  return Expr(e.store(), power(*e.store(), e.id(), exponent), e.shape());
}

void check_once(const Indices& labels, const std::string& what, const Expr& e) {
  for (const Index& label : labels)
    if (std::count(labels.begin(), labels.end(), label) > 1)
      fail({.code = Code::label,
            .where = {.quote = e.text()},
            .what = fmt::format("{} {} is given twice", what, label.name()),
            .expected = "each label once",
            .found = graph::listed(labels)});
}

/// The same values under labels that differ from each other; operator() would take the diagonal of those that do not.
Expr relabelled(const Expr& e, const Indices& labels) {
  check_once(labels, "label", e);
  return e(labels);
}

/// Batch, row and column labels of a matrix, and the matrix with its axes in that order.
struct MatrixForm {
  Indices batch, rows, columns;
  NodeId node = -1;
};
MatrixForm matrix_form(Store& store, NodeId node, const Expr& e, const Indices& rows, const Indices& batch) {
  MatrixForm form{batch, rows, {}};
  check_once(rows, "row label", e);
  for (const Index& label : rows)
    if (!contains(e.shape(), label))
      fail({.code = Code::label,
            .where = {.quote = e.text()},
            .what = fmt::format("row label {} is not on the matrix", label.name()),
            .expected = graph::listed(e.shape()),
            .found = label.name()});
  std::int64_t row_count = 1, column_count = 1;
  for (const Index& label : e.shape()) {
    if (contains(batch, label)) continue;
    if (contains(rows, label)) {
      row_count *= label.extent();
    } else {
      form.columns.push_back(label);
      column_count *= label.extent();
    }
  }
  if (row_count != column_count)
    fail({.code = Code::extent,
          .where = {.quote = e.text()},
          .what = "the matrix is not square",
          .expected = fmt::format("{} columns, as many as rows ({})", row_count, graph::listed(rows)),
          .found = fmt::format("{} columns ({})", column_count, graph::listed(form.columns))});
  Indices order = batch;
  order.insert(order.end(), rows.begin(), rows.end());
  order.insert(order.end(), form.columns.begin(), form.columns.end());
  form.node = permuted(store, node, positions(order, e.shape()));
  return form;
}

}  // namespace

Expr einsum(const Exprs& factors, const Indices& out) {
  check_outputs(factors, out);
  double coefficient = 1;
  Exprs tensors;
  for (const Expr& f : factors) {
    if (is_constant(f)) coefficient *= f.constant().real();
    else tensors.push_back(f);
  }
  if (tensors.empty()) return Expr(coefficient);
  const Joined joined = joined_store(tensors);
  const Indices labels = united(tensors);
  einsum::Subscripts subscripts;
  for (const Expr& f : tensors) subscripts.inputs.push_back(positions(f.shape(), labels));
  subscripts.output = positions(out, labels);
  const NodeId product = graph::einsum(*joined.store, joined.nodes, subscripts);
  return scaled(coefficient, Expr(joined.store, product, out));
}

Expr operator*(const Expr& a, const Expr& b) { return einsum({a, b}, united({a, b})); }
Expr operator/(const Expr& a, const Expr& b) { return a * raised(b, -1); }
Expr operator+(const Expr& a, const Expr& b) { return added(a, 1, b); }
Expr operator-(const Expr& a, const Expr& b) { return added(a, -1, b); }
Expr operator-(const Expr& a) { return scaled(-1, a); }

Expr sum(const Expr& e) { return einsum({e}, {}); }
Expr sum(const Expr& e, const Indices& over) {
  Indices kept;
  for (const Index& label : over)
    if (!contains(e.shape(), label))
      fail({.code = Code::label,
            .where = {.quote = e.text()},
            .what = fmt::format("summed label {} is not there", label.name()),
            .expected = graph::listed(e.shape()),
            .found = label.name()});
  for (const Index& label : e.shape())
    if (!contains(over, label)) kept.push_back(label);
  return einsum({e}, kept);
}
Expr inner(const Expr& a, const Expr& b) {
  check_same(a, b, fmt::format("inner({}, {})", a.text(), b.text()), {});
  return einsum({a, b}, {});
}
Expr norm2(const Expr& e) { return inner(e, e); }
Expr norm(const Expr& e) { return raised(norm2(e), 0.5); }
Expr square(const Expr& e) { return e * e; }
Expr pow(const Expr& e, double exponent) { return raised(e, exponent); }
Expr sqrt(const Expr& e) { return raised(e, 0.5); }
Expr conj(const Expr& e) { return e; }
Expr real(const Expr& e) { return e; }
Expr imag(const Expr& e) { return scaled(0, e); }

Expr expand(const Expr& e, const Indices& with) {
  check_once(with, "label", e);
  for (const Index& label : with)
    if (contains(e.shape(), label))
      fail({.code = Code::label, .where = {.quote = e.text()}, .what = fmt::format("label {} is there already", label.name())});
  const std::shared_ptr<Store> store = e.store() ? e.store() : std::make_shared<Store>();
  return e * ones(store, with, 1);
}

Expr permute(const Expr& e, const Indices& order) {
  if (!same_labels(order, e.shape()))
    fail({.code = Code::label,
          .where = {.quote = e.text()},
          .what = "the new order has other labels",
          .expected = graph::listed(e.shape()),
          .found = graph::listed(order)});
  return einsum({e}, order);
}

Expr identity(const Index& row, const Index& column) {
  const auto store = std::make_shared<Store>();
  if (row == column)
    fail(Code::label, fmt::format("identity has label {} twice", row.name()), "two labels", {},
         "i.prime() is a second label over i");
  const NodeId id = graph::identity(*store, store->dimension(row.dimension()), store->dimension(column.dimension()));
  return Expr(store, id, {row, column});
}

Exprs joined(Exprs cores, int right, int left) {
  for (std::size_t k = 1; k < cores.size(); ++k) {
    const Index &from = cores[k - 1].axis(right), &to = cores[k].axis(left);
    if (from.extent() != to.extent())
      fail(Code::extent, fmt::format("cores {} and {} do not fit", k - 1, k),
           fmt::format("{} ends with {}", cores[k - 1].text(), from.extent()),
           fmt::format("{} begins with {}", cores[k].text(), to.extent()));
    Indices labels = cores[k].shape();
    labels[static_cast<std::size_t>(left)] = from;
    cores[k] = relabelled(cores[k], labels);
  }
  return cores;
}

Expr prime(const Expr& e) { return prime(e, e.shape()); }
Expr prime(const Expr& e, const Indices& only) {
  Indices labels = e.shape();
  for (Index& label : labels)
    if (contains(only, label)) label = label.prime();
  return relabelled(e, labels);
}

Expr inverse(const Expr& e, const Indices& rows) {
  if (is_constant(e)) return Expr(1.0 / e.constant().real());
  const MatrixForm form = matrix_form(*e.store(), e.id(), e, rows, {});
  const NodeId inverted = e.store()->insert(Inverse{0, static_cast<std::int32_t>(rows.size())}, {form.node});
  Indices order = form.rows;
  order.insert(order.end(), form.columns.begin(), form.columns.end());
  return permute(Expr(e.store(), inverted, order), e.shape());
}

Expr solve(const Expr& matrix, const Expr& right, const Indices& rows) {
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
  const MatrixForm form = matrix_form(*both.store, both.nodes[0], matrix, rows, batch);
  Indices order = batch, labels = batch;
  order.insert(order.end(), rows.begin(), rows.end());
  order.insert(order.end(), rest.begin(), rest.end());
  const NodeId right_node = permuted(*both.store, both.nodes[1], positions(order, right.shape()));
  labels.insert(labels.end(), form.columns.begin(), form.columns.end());
  labels.insert(labels.end(), rest.begin(), rest.end());
  const Solve operation{static_cast<std::int32_t>(batch.size()), static_cast<std::int32_t>(rows.size()), false};
  return Expr(both.store, both.store->insert(operation, {form.node, right_node}), labels);
}

constexpr const char* later = "powers, products and sums, which this version has";
Expr exp(const Expr&) { fail_unsupported("exp of an expression", later); }
Expr log(const Expr&) { fail_unsupported("log of an expression", later); }
Expr abs(const Expr&) { fail_unsupported("abs of an expression", later); }
Expr tanh(const Expr&) { fail_unsupported("tanh of an expression", later); }
Expr sigmoid(const Expr&) { fail_unsupported("sigmoid of an expression", later); }
Expr relu(const Expr&) { fail_unsupported("relu of an expression", later); }
Expr logsumexp(const Expr&, const Indices&) { fail_unsupported("logsumexp of an expression", later); }
Expr softmax(const Expr&, const Indices&) { fail_unsupported("softmax of an expression", later); }
Expr slice(const Expr&, const Index&, std::int64_t, const Index&) { fail_unsupported("a slice of an expression"); }
Expr concatenate(const Exprs&, const Indices&, const Index&) { fail_unsupported("the concatenation of expressions"); }
Svd svd(const Expr&, const Indices&, const Index&) { fail_unsupported("the SVD of an expression"); }

}  // namespace tyto::inline v1
