/// The functions of tyto/expr.hpp that make expressions from expressions.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "graph/handle.hpp"

namespace tyto::inline v1 {
using namespace graph;
namespace {

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

Expr scaled(std::complex<double> factor, const Expr& e) {
  if (is_constant(e)) return Expr(factor * e.constant());
  Store& store = *e.store();
  const double real_factor = factor.imag() == 0 ? factor.real() : 1;
  NodeId node = nested_combination(store, {{real_factor, e.id()}}, store[e.id()].shape);
  if (factor.imag() != 0) {
    const einsum::Labels axes = counted(e.shape().size());
    node = graph::einsum(store, {complex_fill(store, factor, {}), node}, {{{}, axes}, axes});
  }
  return Expr(e.store(), node, e.shape());
}

/// a + factor * b
Expr added(const Expr& a, double factor, const Expr& b) {
  if (is_constant(a) && is_constant(b)) return Expr(a.constant() + factor * b.constant());
  if (is_constant(a)) return added(everywhere(b.store(), a.constant(), b.shape()), factor, b);
  if (is_constant(b)) return added(a, factor, everywhere(a.store(), b.constant(), a.shape()));
  if (!same_labels(a.shape(), b.shape()))  // the text is for the error alone
    check_same(a, b, a.text() + (factor < 0 ? " - " : " + ") + b.text(), "expand() repeats values along further labels");
  const Joined both = joined_store({a, b});
  const NodeId second = permuted(*both.store, both.nodes[1], positions(a.shape(), b.shape()));
  const NodeId total = nested_combination(*both.store, {{1, both.nodes[0]}, {factor, second}}, (*both.store)[both.nodes[0]].shape);
  return Expr(both.store, total, a.shape());
}

Expr raised(const Expr& e, double exponent) {
  if (is_constant(e))
    return e.constant().imag() == 0 ? Expr(std::pow(e.constant().real(), exponent)) : Expr(std::pow(e.constant(), exponent));
  return Expr(e.store(), power(*e.store(), e.id(), exponent), e.shape());
}

/// The same values under labels that differ from each other; operator() would take the diagonal of those that do not.
Expr relabelled(const Expr& e, const Indices& labels) {
  check_once(labels, "label", e);
  return e(labels);
}

}  // namespace

Expr einsum(const Exprs& factors, const Indices& out) {
  check_outputs(factors, out);
  std::complex<double> coefficient = 1;
  Exprs tensors;
  for (const Expr& f : factors) {
    if (is_constant(f)) coefficient *= f.constant();
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
Expr mean(const Expr& e) { return mean(e, e.shape()); }
Expr mean(const Expr& e, const Indices& over) {
  check_once(over, "label", e);
  const Expr total = sum(e, over);
  std::int64_t count = 1;
  for (const Index& label : over) {
    if (label.varies())
      fail_unsupported(fmt::format("the mean over {}, whose extent varies", label.name()), "sum() and a parameter for the count");
    count *= label.extent();
  }
  if (count == 0)
    fail({.code = Code::extent,
          .where = {.quote = e.text()},
          .what = "the mean of no values is not defined",
          .expected = "labels of extent 1 or more",
          .found = graph::listed(over)});
  return scaled(1.0 / static_cast<double>(count), total);
}
Expr inner(const Expr& a, const Expr& b) {
  check_same(a, b, fmt::format("inner({}, {})", a.text(), b.text()), {});
  return einsum({conj(a), b}, {});
}
Expr norm2(const Expr& e) { return real(inner(e, e)); }
Expr norm(const Expr& e) { return raised(norm2(e), 0.5); }
Expr norm(const Expr& e, const Indices& over) { return raised(sum(square(e), over), 0.5); }
Expr square(const Expr& e) { return real(conj(e) * e); }
Expr pow(const Expr& e, double exponent) { return raised(e, exponent); }
Expr sqrt(const Expr& e) { return raised(e, 0.5); }
Expr expand(const Expr& e, const Indices& with) {
  check_once(with, "label", e);
  for (const Index& label : with)
    if (contains(e.shape(), label))
      fail({.code = Code::label, .where = {.quote = e.text()}, .what = fmt::format("label {} is there already", label.name())});
  const std::shared_ptr<Store> store = e.store() ? e.store() : std::make_shared<Store>();
  return e * everywhere(store, 1, with);
}
Expr constant(double value, const Indices& shape) {
  const auto store = std::make_shared<Store>();
  check_once(shape, "label", Expr(value));
  return everywhere(store, value, shape);
}
Expr ones(const Indices& shape) { return constant(1, shape); }
Expr zeros(const Indices& shape) { return constant(0, shape); }

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

}  // namespace tyto::inline v1
