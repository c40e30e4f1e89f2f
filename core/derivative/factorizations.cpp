/// Cholesky: Murray, Differentiation of the Cholesky decomposition (2016). QR: Walter and Lehmann, Algorithmic differentiation of
/// linear algebra functions (2018). SVD and eigenpairs: Giles, Collected matrix derivative results (2008); the phases of complex
/// singular vectors: Wan and Zhang, Automatic differentiation for complex valued SVD (2019).
#include "derivative/factorizations.hpp"
#include "derivative/matrices.hpp"
#include "error/fail.hpp"

namespace tyto::derivative {

using namespace graph;
using operation::Part;

namespace {

/// A factorization with all of its parts as nodes, and the algebra to combine them.
class Rule {
 public:
  Rule(Store& store, NodeId id, std::size_t seeds)
      : store_(store),
        f_(*as<Factorization>(store[id])),
        matrix_(store[id].operands[0]),
        m_(store, seeds, static_cast<std::size_t>(f_.batch)) {}

  NodeId backward(NodeId adjoint) const {
    const Seeded y{adjoint, true};
    switch (f_.part) {
      case Part::cholesky: return cholesky_backward(y).node;
      case Part::q: return qr_backward(y, m_.scaled(-1, m_.product(m_.adjoint(y), part(Part::q)))).node;
      case Part::r: return qr_backward({}, m_.product(part(Part::r), m_.adjoint(y))).node;
      case Part::u: return u_backward(y).node;
      case Part::s: return m_.product(m_.scaled_columns(part(Part::u), y), m_.adjoint(part(Part::v))).node;
      case Part::v: return v_backward(y).node;
      case Part::values: return m_.product(m_.scaled_columns(part(Part::vectors), y), m_.adjoint(part(Part::vectors))).node;
      case Part::vectors: return vectors_backward(y).node;
    }
    return -1;
  }

  NodeId forward(NodeId tangent) const {
    const Seeded t{tangent, false};
    switch (f_.part) {
      case Part::cholesky: return cholesky_forward(t).node;
      case Part::q:
      case Part::r: return qr_forward(t).node;
      case Part::u: return u_forward(t).node;
      case Part::s: return real(m_.diagonal(m_.product(m_.adjoint(part(Part::u)), t, part(Part::v)))).node;
      case Part::v: return v_forward(t).node;
      case Part::values: return real(m_.diagonal(rotated(t, Part::vectors, Part::vectors))).node;
      case Part::vectors: {
        const Seeded mixed = m_.hadamard(reciprocal_differences(part(Part::values)), rotated(t, Part::vectors, Part::vectors));
        return m_.product(part(Part::vectors), mixed).node;
      }
    }
    return -1;
  }

 private:
  Seeded part(Part which) const { return {store_.insert(Factorization{which, f_.batch, f_.bond}, {matrix_}), false}; }
  Seeded real(Seeded m) const { return {map(store_, operation::Function::real, {m.node}), m.seeded}; }
  Seeded reciprocal(Seeded v) const { return {store_.insert(Reciprocal{false}, {v.node}), v.seeded}; }
  /// 1 / (v(c) - v(r)), 0 where both agree
  Seeded reciprocal_differences(Seeded v) const { return {store_.insert(Reciprocal{true}, {v.node}), v.seeded}; }
  /// 1 / (s(c)^2 - s(r)^2) as 1 / (s(c) - s(r)) over s(c) + s(r), so that small values are told apart as well as large ones
  Seeded reciprocal_square_differences(Seeded s) const {
    const Shape& shape = store_[s.node].shape;
    const auto n = static_cast<einsum::Label>(shape.size());
    const einsum::Labels all = counted(shape.size() + 1), of_row(all.begin(), all.end() - 1);
    einsum::Labels of_column = of_row;
    of_column.back() = n;
    const NodeId ones = fill(store_, 1, {shape.back()});
    const NodeId row = graph::einsum(store_, {s.node, ones}, {{of_row, {n}}, all});
    const NodeId column = graph::einsum(store_, {s.node, ones}, {{of_column, {of_row.back()}}, all});
    const NodeId sums = combination(store_, {{1, row}, {1, column}}, store_[row].shape);
    const Seeded inverted{power(store_, sums, -1), s.seeded};
    return m_.hadamard(reciprocal_differences(s), inverted);
  }
  /// L^H t R
  Seeded rotated(Seeded t, Part left, Part right) const { return m_.product(m_.adjoint(part(left)), t, part(right)); }
  Seeded with_adjoint(Seeded m) const { return m_.sum(m, m_.adjoint(m)); }
  /// Without what lies in the columns of an orthonormal q: m - q q^H m
  Seeded outside(Seeded q, Seeded m) const { return m_.difference(m, m_.product(q, m_.product(m_.adjoint(q), m))); }
  /// m x^-H and m x^-1
  Seeded over_adjoint(Seeded m, Seeded x) const { return m_.adjoint(m_.solved(x, m_.adjoint(m))); }
  Seeded over(Seeded m, Seeded x) const { return m_.adjoint(m_.solved(m_.adjoint(x), m_.adjoint(m))); }

  /// (S + S^H) / 2 with S = L^-H lower_half(L^H y) L^-1
  Seeded cholesky_backward(Seeded y) const {
    const Seeded l = part(Part::cholesky), half = m_.lower_half(m_.product(m_.adjoint(l), y));
    return m_.scaled(0.5, with_adjoint(over(m_.solved(m_.adjoint(l), half), l)));
  }
  /// L lower_half(L^-1 t L^-H)
  Seeded cholesky_forward(Seeded t) const {
    const Seeded l = part(Part::cholesky);
    return m_.product(l, m_.lower_half(over_adjoint(m_.solved(l, t), l)));
  }
  /// (y + Q (H + H^H)) R^-H with H = lower_half(m); no y for the part R
  Seeded qr_backward(Seeded y, Seeded m) const {
    const Seeded along = m_.product(part(Part::q), with_adjoint(m_.lower_half(m)));
    return over_adjoint(y.node < 0 ? along : m_.sum(y, along), part(Part::r));
  }
  /// With C = Q^H t R^-1 and W = H - H^H, H = lower_half(C): dR = (C - W) R, dQ = Q W + t R^-1 - Q C
  Seeded qr_forward(Seeded t) const {
    const Seeded q = part(Part::q), r = part(Part::r), scaled = over(t, r), c = m_.product(m_.adjoint(q), scaled);
    const Seeded half = m_.lower_half(c), w = m_.difference(half, m_.adjoint(half));
    if (f_.part == Part::r) return m_.product(m_.difference(c, w), r);
    return m_.sum(m_.product(q, m_.difference(w, c)), scaled);
  }
  /// U (J + J^H) S V^H + (1 - U U^H) y S^-1 V^H with J(r,c) = (U^H y)(r,c) / (s(c)^2 - s(r)^2)
  Seeded u_backward(Seeded y) const {
    const Seeded u = part(Part::u), s = part(Part::s), v = part(Part::v);
    const Seeded j = m_.hadamard(m_.product(m_.adjoint(u), y), reciprocal_square_differences(s));
    const Seeded inside = m_.product(u, m_.scaled_columns(with_adjoint(j), s));
    const Seeded beyond = m_.scaled_columns(outside(u, y), reciprocal(s));
    return m_.product(m_.sum(inside, beyond), m_.adjoint(v));
  }
  /// U S (K + K^H) V^H + U S^-1 y^H (1 - V V^H), K from V as J from U; of complex values also U S^-1 D V^H, where D is the
  /// anti-Hermitian part of the diagonal of y^H V: the phases of U are kept, those of V follow.
  Seeded v_backward(Seeded y) const {
    const Seeded u = part(Part::u), s = part(Part::s), v = part(Part::v), overlap = m_.product(m_.adjoint(v), y);
    const Seeded k = m_.hadamard(overlap, reciprocal_square_differences(s));
    Seeded inside = m_.scaled_rows(with_adjoint(k), s);
    if (store_[overlap.node].field == Field::complex) {
      const Seeded diagonal = m_.from_diagonal(m_.diagonal(overlap));
      const Seeded phases = m_.scaled(0.5, m_.difference(m_.adjoint(diagonal), diagonal));
      inside = m_.sum(inside, m_.scaled_rows(phases, reciprocal(s)));
    }
    const Seeded beyond = m_.scaled_rows(m_.adjoint(outside(v, y)), reciprocal(s));
    return m_.product(u, m_.sum(m_.product(inside, m_.adjoint(v)), beyond));
  }
  /// With P = U^H t V: U (F o (P S + S P^H)) + (1 - U U^H) t V S^-1
  Seeded u_forward(Seeded t) const {
    const Seeded u = part(Part::u), s = part(Part::s), p = rotated(t, Part::u, Part::v);
    const Seeded mixed = m_.hadamard(reciprocal_square_differences(s), with_adjoint(m_.scaled_columns(p, s)));
    return m_.sum(m_.product(u, mixed), m_.scaled_columns(outside(u, m_.product(t, part(Part::v))), reciprocal(s)));
  }
  /// V (F o (S P + P^H S)) + (1 - V V^H) t^H U S^-1; of complex values also V S^-1 (conj(diagonal P) - diagonal P) / 2
  Seeded v_forward(Seeded t) const {
    const Seeded s = part(Part::s), v = part(Part::v), p = rotated(t, Part::u, Part::v);
    Seeded mixed = m_.hadamard(reciprocal_square_differences(s), with_adjoint(m_.scaled_rows(p, s)));
    if (store_[p.node].field == Field::complex) {
      const Seeded diagonal = m_.from_diagonal(m_.diagonal(p));
      mixed = m_.sum(mixed, m_.scaled_rows(m_.scaled(0.5, m_.difference(m_.adjoint(diagonal), diagonal)), reciprocal(s)));
    }
    const Seeded beyond = m_.scaled_columns(outside(v, m_.product(m_.adjoint(t), part(Part::u))), reciprocal(s));
    return m_.sum(m_.product(v, mixed), beyond);
  }
  /// V (F o (V^H y)) V^H, its Hermitian part
  Seeded vectors_backward(Seeded y) const {
    const Seeded v = part(Part::vectors);
    const Seeded mixed = m_.hadamard(m_.product(m_.adjoint(v), y), reciprocal_differences(part(Part::values)));
    return m_.scaled(0.5, with_adjoint(m_.product(v, mixed, m_.adjoint(v))));
  }

  Store& store_;
  const Factorization f_;
  NodeId matrix_;
  Matrices m_;
};

}  // namespace

NodeId backward_factorization(Store& store, NodeId id, NodeId adjoint, std::size_t seeds) {
  return Rule(store, id, seeds).backward(adjoint);
}
NodeId forward_factorization(Store& store, NodeId id, NodeId tangent) { return Rule(store, id, 0).forward(tangent); }

}  // namespace tyto::derivative
