/// Rules of operations that move elements: each is linear, and its adjoint is the one that moves them back.
#include "derivative/site.hpp"

namespace tyto::derivative {

using namespace graph;

namespace {

const Shape& operand_shape(const Backward& b) { return b.store[b.node.operands[b.k]].shape; }
std::int32_t behind_seeds(const Backward& b, std::int32_t axis) { return axis + static_cast<std::int32_t>(b.seeds); }
std::size_t at(std::int32_t axis) { return static_cast<std::size_t>(axis); }

/// Where operand k of a concatenation begins.
std::int64_t start_of(const Store& store, const Node& node, const Concatenate& c, std::size_t k) {
  std::int64_t first = 0;
  for (std::size_t other = 0; other < k; ++other) first += store.extent(store[node.operands[other]].shape[at(c.axis)]);
  return first;
}

}  // namespace

NodeId rule(const Backward& b, const Reshape&) {
  const Shape& adjoint = b.store[b.adjoint].shape;
  Shape shape(adjoint.begin(), adjoint.begin() + static_cast<std::ptrdiff_t>(b.seeds));
  shape.insert(shape.end(), operand_shape(b).begin(), operand_shape(b).end());
  return reshape(b.store, b.adjoint, shape);
}
NodeId rule(const Forward& f, const Reshape& r) { return reshape(f.store, f.tangent, r.shape); }

NodeId rule(const Backward& b, const Slice& s) {
  return pad(b.store, b.adjoint, {behind_seeds(b, s.axis), s.first, s.step, operand_shape(b)[at(s.axis)]});
}
NodeId rule(const Forward& f, const Slice& s) { return slice(f.store, f.tangent, s); }

NodeId rule(const Backward& b, const Pad& p) {
  return slice(b.store, b.adjoint, {behind_seeds(b, p.axis), p.first, p.step, operand_shape(b)[at(p.axis)]});
}
NodeId rule(const Forward& f, const Pad& p) { return pad(f.store, f.tangent, p); }

NodeId rule(const Backward& b, const Concatenate& c) {
  return slice(b.store, b.adjoint, {behind_seeds(b, c.axis), start_of(b.store, b.node, c, b.k), 1, operand_shape(b)[at(c.axis)]});
}
NodeId rule(const Forward& f, const Concatenate& c) {
  return pad(f.store, f.tangent, {c.axis, start_of(f.store, f.node, c, f.k), 1, c.whole});
}

}  // namespace tyto::derivative
