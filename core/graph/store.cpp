#include "graph/store.hpp"
#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "graph/infer.hpp"

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
    return mixed(state, static_cast<std::uint64_t>((s.batch * 64 + s.rows) * 4 + static_cast<int>(s.system)));
  }
  std::uint64_t operator()(const ImaginaryUnit&) const { return state; }
  std::uint64_t operator()(const Triangle& t) const { return mixed(state, t.diagonal); }
  std::uint64_t operator()(const Map& m) const { return mixed(state, static_cast<std::uint64_t>(m.function)); }
  std::uint64_t operator()(const LogSumExp& l) const { return mixed(state, static_cast<std::uint64_t>(l.reduced)); }
  std::uint64_t operator()(const Softmax& s) const { return mixed(state, static_cast<std::uint64_t>(s.reduced)); }
  std::uint64_t operator()(const Reshape&) const { return state; }
  std::uint64_t operator()(const Slice& s) const { return placed(s.axis, s.first, s.step); }
  std::uint64_t operator()(const Pad& p) const { return placed(p.axis, p.first, p.step); }
  std::uint64_t operator()(const Concatenate& c) const { return mixed(state, static_cast<std::uint64_t>(c.axis)); }
  std::uint64_t operator()(const Factorization& f) const {
    return mixed(state, static_cast<std::uint64_t>(f.batch * 16 + static_cast<int>(f.part)));
  }
  std::uint64_t operator()(const Reciprocal& r) const { return mixed(state, static_cast<std::uint64_t>(r.pairs ? 1 : 0)); }
  std::uint64_t placed(std::int32_t axis, std::int64_t first, std::int64_t step) const {
    return mixed(mixed(mixed(state, static_cast<std::uint64_t>(axis)), static_cast<std::uint64_t>(first)),
                 static_cast<std::uint64_t>(step));
  }
};

}  // namespace

std::vector<DimensionId*> dimensions_in(Operation& operation) {
  std::vector<DimensionId*> all;
  if (auto* reshape = std::get_if<Reshape>(&operation))
    for (DimensionId& d : reshape->shape) all.push_back(&d);
  if (auto* slice = std::get_if<Slice>(&operation)) all.push_back(&slice->part);
  if (auto* pad = std::get_if<Pad>(&operation)) all.push_back(&pad->whole);
  if (auto* concatenate = std::get_if<Concatenate>(&operation)) all.push_back(&concatenate->whole);
  if (auto* factorization = std::get_if<Factorization>(&operation)) all.push_back(&factorization->bond);
  return all;
}

bool is_source(const Operation& operation) {
  return std::holds_alternative<Leaf>(operation) || std::holds_alternative<Fill>(operation) ||
         std::holds_alternative<Identity>(operation) || std::holds_alternative<ImaginaryUnit>(operation) ||
         std::holds_alternative<Triangle>(operation);
}

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
  Shape shape = shape_of(*this, operation, operands);
  const Field field = field_of(*this, operation, operands);
  return intern({std::move(operation), std::move(operands), std::move(shape), field});
}

NodeId Store::insert_source(Operation operation, Shape shape) {
  if (std::holds_alternative<Identity>(operation)) {
    TYTO_ASSERT(shape.size() == 2);
    if (!fits(shape[0], shape[1]))
      fail(Code::extent, "an identity joins axes of different extents",
           fmt::format("{}={}", (*this)(shape[0]).name, extent(shape[0])),
           fmt::format("{}={}", (*this)(shape[1]).name, extent(shape[1])));
  } else if (std::holds_alternative<Triangle>(operation)) {
    TYTO_ASSERT(shape.size() == 2 && fits(shape[0], shape[1]));
  } else {
    TYTO_ASSERT(is_source(operation));
  }
  const Field field = field_of(*this, operation, {});
  return intern({std::move(operation), {}, std::move(shape), field});
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
    for (DimensionId* d : dimensions_in(node.operation)) *d = dimension(other.shared_dimension(*d));
    here[static_cast<std::size_t>(k)] = intern(std::move(node));
  }
  return here.back();
}

}  // namespace tyto::graph
