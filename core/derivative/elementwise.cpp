/// Rules of elementwise functions and of the soft maximum.
#include "derivative/site.hpp"

namespace tyto::derivative {

using namespace graph;
using operation::Function;

namespace {

NodeId one_minus(Store& store, NodeId a) { return plus(store, fill(store, 1, store[a].shape), -1, a); }

/// The derivative of f by operand k, for functions that have one (conj, real, imag and abs of complex values do not).
NodeId slope(Store& store, const Node& node, NodeId y, Function f, std::size_t k) {
  const NodeId x = node.operands[0];
  switch (f) {
    case Function::exp: return y;
    case Function::log: return power(store, x, -1);
    case Function::sin: return map(store, Function::cos, {x});
    case Function::cos: return scaled(store, -1, map(store, Function::sin, {x}));
    case Function::tanh: return one_minus(store, elementwise_product(store, {y, y}));
    case Function::sigmoid: return elementwise_product(store, {y, one_minus(store, y)});
    case Function::relu: return map(store, Function::greater, {x, fill(store, 0, store[x].shape)});
    case Function::abs: return map(store, Function::sign, {x});
    case Function::maximum:
    case Function::minimum: {  // to the operand that is the result; by half where both are
      const NodeId own = node.operands[k], other = node.operands[1 - k];
      const NodeId wins = map(store, Function::greater, f == Function::maximum ? std::vector{own, other} : std::vector{other, own});
      return plus(store, wins, 0.5, map(store, Function::equal, {x, node.operands[1]}));
    }
    default: return fill(store, 0, node.shape);
  }
}

/// Steps have derivative 0; the direction of a complex number is none.
bool is_flat(const Store& store, const Node& node, Function f) {
  return operation::is_step(f) && !(f == Function::sign && store[node.operands[0]].field == Field::complex);
}

/// y = z / |z|: dy = (dz - y Re(conj(y) dz)) / |z|, the same in both directions.
NodeId turned(Store& store, const Node& node, NodeId y, NodeId change, std::size_t seeds) {
  const NodeId along = map(store, Function::real, {times(store, change, seeds, conjugate(store, y))});
  const NodeId across = plus(store, change, -1, times(store, along, seeds, y));
  return times(store, across, seeds, power(store, map(store, Function::abs, {node.operands[0]}), -1));
}

NodeId imaginary(Store& store, double factor, NodeId node) {
  const einsum::Labels axes = counted(store[node].shape.size());
  return scaled(store, factor, graph::einsum(store, {store.insert_source(ImaginaryUnit{}, {}), node}, {{{}, axes}, axes}));
}

/// sum over the reduced axes, which come last, of a * b; a has seeds.
NodeId summed(Store& store, NodeId a, std::size_t seeds, NodeId b, std::int32_t reduced) {
  const einsum::Labels all = counted(store[a].shape.size());
  const einsum::Labels axes(all.begin() + static_cast<std::ptrdiff_t>(seeds), all.end());
  return graph::einsum(store, {a, b}, {{all, axes}, einsum::Labels(all.begin(), all.end() - reduced)});
}

/// a, which lacks the last axes, times b, which has them.
NodeId spread(Store& store, NodeId a, std::size_t seeds, NodeId b, std::int32_t reduced) {
  const einsum::Labels all = counted(seeds + store[b].shape.size());
  const einsum::Labels axes(all.begin() + static_cast<std::ptrdiff_t>(seeds), all.end());
  return graph::einsum(store, {a, b}, {{einsum::Labels(all.begin(), all.end() - reduced), axes}, all});
}

/// The conjugate of an adjoint, formed of conjugate factors: where it is a product with conjugates, that is a holomorphic function,
/// which a Jacobian can go through.
NodeId conjugate_adjoint(Store& store, NodeId adjoint) {
  const Node node = store[adjoint];
  if (const auto* sum = as<Combination>(node)) {
    std::vector<Term> terms;
    for (std::size_t k = 0; k < node.operands.size(); ++k)
      terms.push_back({sum->coefficients[k], conjugate_adjoint(store, node.operands[k])});
    return combination(store, terms, node.shape);
  }
  const auto* e = as<Einsum>(node);
  if (e == nullptr || !is_ordinary(e->pair)) return conjugate(store, adjoint);
  std::vector<NodeId> operands;
  for (const NodeId operand : node.operands) operands.push_back(conjugate(store, operand));
  return graph::einsum(store, operands, e->subscripts);
}

}  // namespace

NodeId rule(const Backward& b, const Map& m) {
  if (is_flat(b.store, b.node, m.function)) return fill(b.store, 0, b.store[b.adjoint].shape);
  switch (m.function) {
    case Function::conj: return conjugate_adjoint(b.store, b.adjoint);
    case Function::complex: return b.adjoint;  // of which the real operand takes the real part
    case Function::real: return map(b.store, Function::real, {b.adjoint});
    case Function::imag: return imaginary(b.store, 1, map(b.store, Function::real, {b.adjoint}));
    case Function::sign: return turned(b.store, b.node, b.id, b.adjoint, b.seeds);
    case Function::abs: return times(b.store, b.adjoint, b.seeds, map(b.store, Function::sign, {b.node.operands[0]}));
    default: return times(b.store, b.adjoint, b.seeds, conjugate(b.store, slope(b.store, b.node, b.id, m.function, b.k)));
  }
}

NodeId rule(const Forward& f, const Map& m) {
  if (is_flat(f.store, f.node, m.function)) return fill(f.store, 0, f.node.shape);
  switch (m.function) {
    case Function::conj:
    case Function::complex:
    case Function::real:
    case Function::imag: return map(f.store, m.function, {f.tangent});
    case Function::sign: return turned(f.store, f.node, f.id, f.tangent, 0);
    case Function::abs: {
      const NodeId direction = map(f.store, Function::sign, {f.node.operands[0]});
      return map(f.store, Function::real, {times(f.store, f.tangent, 0, conjugate(f.store, direction))});
    }
    default: return times(f.store, f.tangent, 0, slope(f.store, f.node, f.id, m.function, f.k));
  }
}

/// d log sum exp x = sum softmax(x) dx
NodeId rule(const Backward& b, const LogSumExp& l) {
  return spread(b.store, b.adjoint, b.seeds, softmax(b.store, b.node.operands[0], l.reduced), l.reduced);
}
NodeId rule(const Forward& f, const LogSumExp& l) {
  return summed(f.store, f.tangent, 0, softmax(f.store, f.node.operands[0], l.reduced), l.reduced);
}

/// y = softmax(x): dy = y (dx - sum y dx), the same in both directions
NodeId rule(const Backward& b, const Softmax& s) {
  const NodeId mean = summed(b.store, b.adjoint, b.seeds, b.id, s.reduced);
  return plus(b.store, times(b.store, b.adjoint, b.seeds, b.id), -1, spread(b.store, mean, b.seeds, b.id, s.reduced));
}
NodeId rule(const Forward& f, const Softmax& s) {
  const NodeId mean = summed(f.store, f.tangent, 0, f.id, s.reduced);
  return plus(f.store, times(f.store, f.tangent, 0, f.id), -1, spread(f.store, mean, 0, f.id, s.reduced));
}

/// r = 1/v: dr = -r^2 dv. F(i,j) = 1 / (v(j) - v(i)): dF = -F^2 (dv(j) - dv(i)).
NodeId rule(const Backward& b, const Reciprocal& r) {
  const NodeId change = times(b.store, b.adjoint, b.seeds, elementwise_product(b.store, {b.id, b.id}));
  if (!r.pairs) return scaled(b.store, -1, change);
  const einsum::Labels all = counted(b.store[change].shape.size());
  einsum::Labels without_column(all.begin(), all.end() - 1), without_row = without_column;
  without_row.back() = all.back();
  return plus(b.store, graph::einsum(b.store, {change}, {{all}, without_column}), -1,
              graph::einsum(b.store, {change}, {{all}, without_row}));
}
NodeId rule(const Forward& f, const Reciprocal& r) {
  const NodeId square = elementwise_product(f.store, {f.id, f.id});
  if (!r.pairs) return scaled(f.store, -1, times(f.store, f.tangent, 0, square));
  const einsum::Labels all = counted(f.node.shape.size());
  einsum::Labels without_column(all.begin(), all.end() - 1), without_row = without_column;
  without_row.back() = all.back();
  return plus(f.store, graph::einsum(f.store, {square, f.tangent}, {{all, without_column}, all}), -1,
              graph::einsum(f.store, {square, f.tangent}, {{all, without_row}, all}));
}

}  // namespace tyto::derivative
