#include "graph/store.hpp"
#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include "error/fail.hpp"

namespace tyto::graph {
namespace {

constexpr std::uint64_t hash_seed = 0x9e3779b97f4a7c15ULL;

/// One round of a 64-bit finalizer; order matters.
std::uint64_t mixed(std::uint64_t state, std::uint64_t value) {
  std::uint64_t x = state ^ (value + hash_seed + (state << 6) + (state >> 2));
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  return x;
}
std::uint64_t mixed(std::uint64_t state, double value) { return mixed(state, std::bit_cast<std::uint64_t>(value + 0.0)); }
std::uint64_t mixed(std::uint64_t state, const std::string& text) {
  for (const char c : text) state = mixed(state, static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  return mixed(state, static_cast<std::uint64_t>(text.size()));
}
std::uint64_t mixed(std::uint64_t state, const einsum::Labels& labels) {
  for (const einsum::Label label : labels) state = mixed(state, static_cast<std::uint64_t>(label));
  return mixed(state, static_cast<std::uint64_t>(labels.size()));
}

struct HashOperation {
  std::uint64_t state;
  std::uint64_t operator()(const Leaf& leaf) const { return mixed(state, leaf.name); }
  std::uint64_t operator()(const Fill& fill) const { return mixed(state, fill.value); }
  std::uint64_t operator()(const Identity&) const { return state; }
  std::uint64_t operator()(const Einsum& e) const {
    std::uint64_t h = mixed(state, e.subscripts.output);
    for (const einsum::Labels& input : e.subscripts.inputs) h = mixed(h, input);
    return mixed(h, static_cast<std::uint64_t>(e.pair.reduce) * 16 + static_cast<std::uint64_t>(e.pair.combine));
  }
  std::uint64_t operator()(const Combination& c) const {
    std::uint64_t h = state;
    for (const double k : c.coefficients) h = mixed(h, k);
    return h;
  }
  std::uint64_t operator()(const Power& p) const { return mixed(state, p.exponent); }
  std::uint64_t operator()(const Inverse& i) const { return mixed(state, static_cast<std::uint64_t>(i.batch * 64 + i.rows)); }
  std::uint64_t operator()(const Solve& s) const {
    return mixed(state, static_cast<std::uint64_t>((s.batch * 64 + s.rows) * 2 + (s.semidefinite ? 1 : 0)));
  }
};

/// Infers the shape of an operation with operands, or says why they do not fit.
class ShapeOf {
 public:
  ShapeOf(const Store& store, const std::vector<NodeId>& operands) : store_(store), operands_(operands) {}

  Shape operator()(const Leaf&) const { refuse("a leaf has no operands"); }
  Shape operator()(const Fill&) const { refuse("a fill has no operands"); }
  Shape operator()(const Identity&) const { refuse("an identity has no operands"); }
  Shape operator()(const Power&) const { return operand(0); }
  Shape operator()(const Einsum& e) const {
    const einsum::Subscripts& s = e.subscripts;
    if (s.inputs.size() != operands_.size()) refuse("an einsum has one list of labels per operand");
    Shape of_label(static_cast<std::size_t>(einsum::label_count(s)), -1);
    for (std::size_t k = 0; k < operands_.size(); ++k) {
      const Shape& shape = operand(k);
      if (shape.size() != s.inputs[k].size()) refuse("an einsum labels every axis of every operand");
      for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        DimensionId& known = of_label[static_cast<std::size_t>(s.inputs[k][axis])];
        if (known < 0) known = shape[axis];
        if (!store_.fits(known, shape[axis])) refuse_extents(known, shape[axis]);
      }
    }
    Shape result;
    for (const einsum::Label label : s.output) {
      if (of_label[static_cast<std::size_t>(label)] < 0) refuse("an output label of an einsum is on no operand");
      if (std::count(s.output.begin(), s.output.end(), label) > 1) refuse("an output label of an einsum is given twice");
      result.push_back(of_label[static_cast<std::size_t>(label)]);
    }
    return result;
  }
  Shape operator()(const Combination& c) const {
    if (operands_.empty() || c.coefficients.size() != operands_.size()) refuse("a combination has one coefficient per operand");
    for (std::size_t k = 1; k < operands_.size(); ++k)
      if (!store_.fits(operand(0), operand(k))) refuse("the operands of a combination have one shape");
    return operand(0);
  }
  Shape operator()(const Inverse& i) const {
    const Shape& shape = operand(0);
    check_square(shape, i.batch, i.rows);
    return shape;
  }
  Shape operator()(const Solve& s) const {
    const Shape &matrix = operand(0), &right = operand(1);
    check_square(matrix, s.batch, s.rows);
    const auto leading = static_cast<std::size_t>(s.batch + s.rows);
    if (right.size() < leading || !store_.fits(Shape(matrix.begin(), matrix.begin() + static_cast<std::ptrdiff_t>(leading)),
                                               Shape(right.begin(), right.begin() + static_cast<std::ptrdiff_t>(leading))))
      refuse("the right side of a solve begins with the batch and row axes of its matrix");
    Shape result(matrix.begin(), matrix.begin() + s.batch);
    result.insert(result.end(), matrix.begin() + static_cast<std::ptrdiff_t>(leading), matrix.end());
    result.insert(result.end(), right.begin() + static_cast<std::ptrdiff_t>(leading), right.end());
    return result;
  }

 private:
  const Shape& operand(std::size_t k) const {
    if (k >= operands_.size()) refuse("an operand is missing");
    return store_[operands_[k]].shape;
  }
  void check_square(const Shape& matrix, std::int32_t batch, std::int32_t rows) const {
    if (batch < 0 || rows < 0 || batch + rows > static_cast<std::int32_t>(matrix.size()))
      refuse("a matrix has batch, row and column axes");
    std::int64_t row_count = 1, column_count = 1;
    for (std::size_t axis = static_cast<std::size_t>(batch); axis < matrix.size(); ++axis)
      (axis < static_cast<std::size_t>(batch + rows) ? row_count : column_count) *= store_.extent(matrix[axis]);
    if (row_count != column_count)
      fail(Code::shape, "the matrix to invert is not square", fmt::format("{} columns", row_count),
           fmt::format("{} columns", column_count));
  }
  [[noreturn]] static void refuse(const std::string& rule) { fail(Code::shape, rule); }
  [[noreturn]] void refuse_extents(DimensionId a, DimensionId b) const {
    const Dimension &first = store_(a), &second = store_(b);
    fail(Code::extent, "a label joins axes of different extents", fmt::format("{}={}", first.name, first.extent),
         fmt::format("{}={}", second.name, second.extent));
  }

  const Store& store_;
  const std::vector<NodeId>& operands_;
};

}  // namespace

const char* name_of(Role role) {
  switch (role) {
    case Role::data: return "data";
    case Role::weights: return "weights";
    case Role::unknown: return "unknown";
    case Role::state: return "state";
    case Role::parameter: return "parameter";
    case Role::constant: return "constant";
    case Role::input: return "input";
  }
  return "";
}

NodeId Store::insert(Operation operation, std::vector<NodeId> operands) {
  if (auto* e = std::get_if<Einsum>(&operation)) e->subscripts = einsum::renumbered(e->subscripts);
  Shape shape = std::visit(ShapeOf(*this, operands), operation);
  return intern({std::move(operation), std::move(operands), std::move(shape)});
}

NodeId Store::insert_source(Operation operation, Shape shape) {
  if (std::holds_alternative<Identity>(operation)) {
    TYTO_ASSERT(shape.size() == 2);
    if (!fits(shape[0], shape[1]))
      fail(Code::extent, "an identity joins axes of different extents",
           fmt::format("{}={}", (*this)(shape[0]).name, extent(shape[0])),
           fmt::format("{}={}", (*this)(shape[1]).name, extent(shape[1])));
  } else {
    TYTO_ASSERT(std::holds_alternative<Leaf>(operation) || std::holds_alternative<Fill>(operation));
  }
  return intern({std::move(operation), {}, std::move(shape)});
}

NodeId Store::intern(Node node) {
  std::uint64_t hash =
      std::visit(HashOperation{mixed(hash_seed, static_cast<std::uint64_t>(node.operation.index()))}, node.operation);
  for (const NodeId operand : node.operands) hash = mixed(hash, (*this)[operand].hash);
  for (const DimensionId d : node.shape) hash = mixed(mixed(hash, (*this)(d).name), static_cast<std::uint64_t>(extent(d)));
  node.hash = hash;
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    const Node& known = (*this)[it->second];
    if (known.operation == node.operation && known.operands == node.operands && known.shape == node.shape) return it->second;
  }
  nodes_.push_back(std::move(node));
  by_hash_.emplace(hash, size() - 1);
  return size() - 1;
}

DimensionId Store::dimension(const std::shared_ptr<const Dimension>& dimension) {
  if (!dimension) fail(Code::label, "an index that was never made is used", "Index(name, extent)", "Index()");
  const auto [it, is_new] = dimension_ids_.try_emplace(dimension.get(), static_cast<DimensionId>(dimensions_.size()));
  if (is_new) dimensions_.push_back(dimension);
  return it->second;
}

Extents Store::extents(NodeId id) const {
  Extents result;
  for (const DimensionId d : (*this)[id].shape) result.push_back(extent(d));
  return result;
}

std::int64_t Store::element_count(NodeId id) const { return tyto::element_count(extents(id)); }

bool Store::fits(DimensionId a, DimensionId b) const {
  const Dimension &first = (*this)(a), &second = (*this)(b);
  return a == b || (!first.varies && !second.varies && first.extent == second.extent);
}

bool Store::fits(const Shape& a, const Shape& b) const {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [this](DimensionId x, DimensionId y) { return fits(x, y); });
}

NodeId Store::import(const Store& other, NodeId id) {
  if (&other == this) return id;
  std::vector<char> needed(static_cast<std::size_t>(id) + 1, 0);
  needed.back() = 1;
  for (NodeId k = id; k >= 0; --k)
    if (needed[static_cast<std::size_t>(k)] != 0)
      for (const NodeId operand : other[k].operands) needed[static_cast<std::size_t>(operand)] = 1;
  std::vector<NodeId> here(needed.size(), -1);
  for (NodeId k = 0; k <= id; ++k) {
    if (needed[static_cast<std::size_t>(k)] == 0) continue;
    Node node = other[k];
    for (NodeId& operand : node.operands) operand = here[static_cast<std::size_t>(operand)];
    for (DimensionId& d : node.shape) d = dimension(other.shared_dimension(d));
    here[static_cast<std::size_t>(k)] = intern(std::move(node));
  }
  return here.back();
}

}  // namespace tyto::graph
