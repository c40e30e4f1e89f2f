/// The elementwise functions of tyto/expr.hpp, and reductions that are no sums.
#include <cmath>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "graph/handle.hpp"
#include "operation/function_value.hpp"

namespace tyto::inline v1 {
using namespace graph;
using operation::Function;
namespace {

/// As for expressions in a store: comparisons and what follows from them have no meaning for complex numbers.
void check_field(Function f, const Expr& constant) {
  if (constant.field() == Field::complex && !operation::takes_complex(f))
    fail_unsupported(operation::name_of(f) + " of complex values", "real(), imag() or abs() of them first");
}

Expr mapped(Function f, const Expr& e) {
  if (is_constant(e)) {
    check_field(f, e);
    std::complex<double> value;
    operation::with_function(f, [&]<Function known>() {
      value = e.constant().imag() == 0 ? std::complex<double>(operation::value_at<known>(e.constant().real()))
                                       : operation::value_at<known>(e.constant());
    });
    return Expr(value);
  }
  return Expr(e.store(), map(*e.store(), f, {e.id()}), e.shape());
}

Expr mapped(Function f, const Expr& a, const Expr& b) {
  if (is_constant(a) && is_constant(b)) {
    check_field(f, a);
    check_field(f, b);
    double value = 0;
    operation::with_function(
        f, [&]<Function known>() { value = operation::value_at<known>(a.constant().real(), b.constant().real()); });
    return Expr(value);
  }
  if (is_constant(a)) return mapped(f, everywhere(b.store(), a.constant(), b.shape()), b);
  if (is_constant(b)) return mapped(f, a, everywhere(a.store(), b.constant(), a.shape()));
  if (!same_labels(a.shape(), b.shape()))
    check_same(a, b, fmt::format("{}({}, {})", operation::name_of(f), a.text(), b.text()),
               "expand() repeats values along further labels");
  const Joined both = joined_store({a, b});
  const NodeId second = permuted(*both.store, both.nodes[1], positions(a.shape(), b.shape()));
  return Expr(both.store, map(*both.store, f, {both.nodes[0], second}), a.shape());
}

/// Labels that are left without `over`, which must all be there.
Indices left_over(const Expr& e, const Indices& over, const char* what) {
  check_once(over, "label", e);
  for (const Index& label : over)
    if (!contains(e.shape(), label))
      fail({.code = Code::label,
            .where = {.quote = e.text()},
            .what = fmt::format("{} over label {}, which is not there", what, label.name()),
            .expected = graph::listed(e.shape()),
            .found = label.name()});
  Indices kept;
  for (const Index& label : e.shape())
    if (!contains(over, label)) kept.push_back(label);
  return kept;
}

Expr extreme(const Expr& e, const Indices& over, einsum::Reduce reduce) {
  const Indices kept = left_over(e, over, reduce == einsum::Reduce::max ? "max" : "min");
  if (over.empty()) return e;
  const einsum::Subscripts subscripts{{counted(e.shape().size())}, positions(kept, e.shape())};
  return Expr(e.store(), graph::einsum(*e.store(), {e.id()}, subscripts, {reduce, einsum::Combine::product}), kept);
}

/// The node with the labels `over` as its last axes.
NodeId with_last(const Expr& e, const Indices& kept, const Indices& over) {
  Indices order = kept;
  order.insert(order.end(), over.begin(), over.end());
  return permuted(*e.store(), e.id(), positions(order, e.shape()));
}

void check_base(double base, bool one_is_fine) {
  if (!(base > 0) || (base == 1 && !one_is_fine))
    fail(Code::out_of_range, "a base is not allowed", one_is_fine ? "a base above 0" : "a base above 0 other than 1",
         fmt::format("{}", base));
}

}  // namespace

Expr exp(const Expr& e) { return mapped(Function::exp, e); }
Expr log(const Expr& e) { return mapped(Function::log, e); }
Expr log(const Expr& e, double base) {
  check_base(base, false);
  return log(e) * Expr(1 / std::log(base));
}
Expr pow(double base, const Expr& exponent) {
  check_base(base, true);
  return exp(Expr(std::log(base)) * exponent);
}
Expr sin(const Expr& e) { return mapped(Function::sin, e); }
Expr cos(const Expr& e) { return mapped(Function::cos, e); }
Expr tanh(const Expr& e) { return mapped(Function::tanh, e); }
Expr sigmoid(const Expr& e) { return mapped(Function::sigmoid, e); }
Expr relu(const Expr& e) { return mapped(Function::relu, e); }
Expr abs(const Expr& e) { return mapped(Function::abs, e); }
Expr sign(const Expr& e) { return mapped(Function::sign, e); }
Expr conj(const Expr& e) { return mapped(Function::conj, e); }
Expr real(const Expr& e) { return mapped(Function::real, e); }
Expr imag(const Expr& e) { return mapped(Function::imag, e); }
Expr maximum(const Expr& a, const Expr& b) { return mapped(Function::maximum, a, b); }
Expr minimum(const Expr& a, const Expr& b) { return mapped(Function::minimum, a, b); }
Expr greater(const Expr& a, const Expr& b) { return mapped(Function::greater, a, b); }
Expr greater_equal(const Expr& a, const Expr& b) { return mapped(Function::greater_equal, a, b); }
Expr equal(const Expr& a, const Expr& b) { return mapped(Function::equal, a, b); }

Expr max(const Expr& e, const Indices& over) { return extreme(e, over, einsum::Reduce::max); }
Expr min(const Expr& e, const Indices& over) { return extreme(e, over, einsum::Reduce::min); }

Expr logsumexp(const Expr& e, const Indices& over) {
  const Indices kept = left_over(e, over, "logsumexp");
  if (is_constant(e)) return e;
  return Expr(e.store(), log_sum_exp(*e.store(), with_last(e, kept, over), static_cast<std::int32_t>(over.size())), kept);
}
Expr softmax(const Expr& e, const Indices& over) {
  const Indices kept = left_over(e, over, "softmax");
  if (is_constant(e)) return Expr(1);
  const NodeId node = softmax(*e.store(), with_last(e, kept, over), static_cast<std::int32_t>(over.size()));
  Indices labels = kept;
  labels.insert(labels.end(), over.begin(), over.end());
  return permute(Expr(e.store(), node, labels), e.shape());
}

}  // namespace tyto::inline v1
