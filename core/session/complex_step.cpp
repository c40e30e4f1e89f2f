#include "session/complex_step.hpp"
#include <algorithm>
#include <cmath>
#include <complex>
#include "graph/build.hpp"

namespace tyto::session {

namespace {

using graph::NodeId;

/// Steps are this part of the numbers: its square vanishes beside 1, and nothing underflows that matters.
constexpr double part_of_step = 0x1p-60;
constexpr double deviations = 20;  // as for differences: ten times what wavers is no accident

bool has_complex_derivative(const graph::Node& node) {
  if (const auto* e = graph::as<graph::Einsum>(node)) return einsum::is_ordinary(e->pair);
  if (const auto* m = graph::as<graph::Map>(node)) return operation::is_holomorphic(m->function);
  if (const auto* s = graph::as<graph::Solve>(node)) return s->system == operation::System::general;
  return graph::is<graph::Combination>(node) || graph::is<graph::Power>(node) || graph::is<graph::Inverse>(node) ||
         graph::is<graph::Reshape>(node) || graph::is<graph::Slice>(node) || graph::is<graph::Pad>(node) ||
         graph::is<graph::Concatenate>(node);
}

/// z^n for an integer n as z^(n mod 2) (z z)^(n div 2): a complex power goes by the angle of its base, in which a tiny imaginary
/// part is lost where the real part is negative. That of z z is not negative where z is nearly real.
NodeId integer_power(graph::Store& store, NodeId z, double exponent) {
  const double half = std::floor(exponent / 2);
  std::vector<NodeId> factors;
  if (exponent - 2 * half == 1) factors.push_back(z);
  if (half != 0) factors.push_back(graph::power(store, graph::elementwise_product(store, {z, z}), half));
  return graph::elementwise_product(store, factors);
}

/// The expression with z in the place of x.
Expr continued(const Expr& y, const Expr& x, const Expr& z) {
  graph::Store& store = *y.store();
  const NodeId from = store.import(*x.store(), x.id()), to = store.import(*z.store(), z.id());
  const graph::Graph graph{y.store(), {{"", y.id()}}};
  const NodeId node = graph::rewritten(graph,
                                       [&](graph::Store& s, const graph::Node& n, NodeId old) {
                                         if (old == from) return to;
                                         const auto* power = graph::as<graph::Power>(n);
                                         const bool is_complex = power != nullptr && s[n.operands[0]].field == Field::complex;
                                         if (is_complex && std::floor(power->exponent) == power->exponent && power->exponent != 0)
                                           return integer_power(s, n.operands[0], power->exponent);
                                         return kept(s, n);
                                       })
                          .outputs[0]
                          .node;
  return Expr(y.store(), node, y.shape());
}

/// y with a complex x: values of Im y / h while one element of x has the imaginary part h.
class Continuation {
 public:
  Continuation(const Expr& y, const Expr& x, Point& point)
      : z_(v1::tensor(x.name(), x.shape(), Field::complex)),
        value_(continued(y, x, z_)),
        // Like terms and small powers stay as they are written: see integer_power().
        program_({value_}, {.switched_off = {"algebra"}}),
        numbers_(tensor::Dense::zeros(Dtype::c128, extents_of(x))) {
    point.bind_to(program_, value_);
    program_.bind(z_, numbers_.view());
    std::copy_n(point.numbers_of(x), numbers_.size(), at());
  }

  Numbers slopes(std::size_t element, double moved_by, double h) {
    const std::complex<double> start = at()[element];
    at()[element] = {start.real() + moved_by, h};
    program_.run();
    at()[element] = start;
    const tensor::Dense values = tensor::Dense::copy(program_.output(0), Dtype::c128);
    const auto* first = values.view().as<std::complex<double>>();
    Numbers result(static_cast<std::size_t>(values.size()));
    for (std::size_t k = 0; k < result.size(); ++k) result[k] = first[k].imag() / h;
    return result;
  }

 private:
  std::complex<double>* at() { return numbers_.view().as<std::complex<double>>(); }

  Expr z_, value_;
  Program program_;
  tensor::Dense numbers_;
};

/// Slopes by one element, with bounds by their rounding as the element moves by parts of `scale`.
Slopes by_element(Continuation& y, std::size_t element, double scale) {
  const double h = part_of_step * scale;
  Slopes result{y.slopes(element, 0, h), rounding_of([&](double t) { return y.slopes(element, t, h); }, scale)};
  for (double& bound : result.bound) bound *= deviations;
  return result;
}

}  // namespace

bool is_analytic(const Expr& y, const Expr& x) {
  if (y.field() != Field::real || x.field() != Field::real || !y.store()) return false;
  const graph::Store& store = *y.store();
  const NodeId leaf = y.store()->import(*x.store(), x.id());
  for (const NodeId id : graph::reachable(store, {y.id()}))
    if (id != leaf && graph::depends_on(store, id, leaf) && !has_complex_derivative(store[id])) return false;
  return true;
}

Slopes complex_slopes(const Expr& y, const Expr& x, Point& point) {
  Continuation continuation(y, x, point);
  const double* const numbers = point.numbers_of(x);
  const Numbers start(numbers, numbers + element_count(extents_of(x)));
  const double usual = size_of_step(start);
  const auto rows = static_cast<std::size_t>(element_count(extents_of(y)));
  Slopes all{Numbers(rows * start.size()), Numbers(rows * start.size())};
  for (std::size_t column = 0; column < start.size(); ++column) {
    Slopes slopes = by_element(continuation, column, usual);
    const double own = std::abs(start[column]);  // a small number may stand where the usual step leads out of the domain
    if (own > 0 && own < usual / 10) improve(slopes, by_element(continuation, column, own));
    for (std::size_t row = 0; row < rows; ++row)
      all.value[row * start.size() + column] = slopes.value[row], all.bound[row * start.size() + column] = slopes.bound[row];
  }
  return all;
}

}  // namespace tyto::session
