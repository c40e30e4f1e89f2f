#include "derivative/matrices.hpp"
#include "error/fail.hpp"

namespace tyto::derivative {

using namespace graph;
using einsum::Label;

einsum::Labels Matrices::leading(Seeded m) const {
  Labels all = m.seeded ? counted(seeds_) : Labels{};
  const Labels batch = counted(batch_, static_cast<Label>(seeds_));
  all.insert(all.end(), batch.begin(), batch.end());
  return all;
}

einsum::Labels Matrices::labels(Seeded m, std::initializer_list<Label> own) const {
  Labels all = leading(m);
  all.insert(all.end(), own);
  return all;
}

Seeded Matrices::product(Seeded a, Seeded b) const {
  const Seeded out{-1, a.seeded || b.seeded};
  return {graph::einsum(store_, {a.node, b.node},
                        {{labels(a, {row(), inner()}), labels(b, {inner(), column()})}, labels(out, {row(), column()})}),
          out.seeded};
}

Seeded Matrices::adjoint(Seeded m) const { return {conjugate(store_, transposed(store_, m.node)), m.seeded}; }

Seeded Matrices::hadamard(Seeded a, Seeded b) const {
  const Seeded out{-1, a.seeded || b.seeded};
  return {graph::einsum(store_, {a.node, b.node},
                        {{labels(a, {row(), column()}), labels(b, {row(), column()})}, labels(out, {row(), column()})}),
          out.seeded};
}

Seeded Matrices::scaled_columns(Seeded m, Seeded v) const {
  const Seeded out{-1, m.seeded || v.seeded};
  return {graph::einsum(store_, {m.node, v.node},
                        {{labels(m, {row(), column()}), labels(v, {column()})}, labels(out, {row(), column()})}),
          out.seeded};
}

Seeded Matrices::scaled_rows(Seeded m, Seeded v) const {
  const Seeded out{-1, m.seeded || v.seeded};
  return {
      graph::einsum(store_, {m.node, v.node}, {{labels(m, {row(), column()}), labels(v, {row()})}, labels(out, {row(), column()})}),
      out.seeded};
}

Seeded Matrices::diagonal(Seeded m) const {
  return {graph::einsum(store_, {m.node}, {{labels(m, {row(), row()})}, labels(m, {row()})}), m.seeded};
}

Seeded Matrices::from_diagonal(Seeded v) const {
  const DimensionId d = store_[v.node].shape.back();
  return {graph::einsum(store_, {v.node, identity(store_, d, d)},
                        {{labels(v, {row()}), {row(), column()}}, labels(v, {row(), column()})}),
          v.seeded};
}

Seeded Matrices::scaled(double factor, Seeded m) const { return {graph::scaled(store_, factor, m.node), m.seeded}; }

Seeded Matrices::sum(Seeded a, Seeded b) const {
  TYTO_ASSERT(a.seeded == b.seeded);
  return {combination(store_, {{1, a.node}, {1, b.node}}, store_[a.node].shape), a.seeded};
}

Seeded Matrices::solved(Seeded matrix, Seeded right) const {
  TYTO_ASSERT(!matrix.seeded);
  Labels seeds_last = labels({-1, false}, {row(), column()});
  if (right.seeded)
    for (const Label seed : counted(seeds_)) seeds_last.push_back(seed);
  const NodeId ordered = graph::einsum(store_, {right.node}, {{labels(right, {row(), column()})}, seeds_last});
  const NodeId x = store_.insert(Solve{static_cast<std::int32_t>(batch_), 1, operation::System::general}, {matrix.node, ordered});
  return {graph::einsum(store_, {x}, {{seeds_last}, labels(right, {row(), column()})}), right.seeded};
}

Seeded Matrices::lower_half(Seeded m) const {
  const Shape& shape = store_[m.node].shape;
  const NodeId triangle = store_.insert_source(Triangle{0.5}, {shape[shape.size() - 2], shape.back()});
  return {
      graph::einsum(store_, {m.node, triangle}, {{labels(m, {row(), column()}), {row(), column()}}, labels(m, {row(), column()})}),
      m.seeded};
}

}  // namespace tyto::derivative
