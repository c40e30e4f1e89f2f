#pragma once
/// What an expression is made of. Nodes are positional: axes have dimensions, not labels; labels live in the handles (Expr) and,
/// as local integers, inside an einsum. So equal mathematics under different labels is one node.
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>
#include "einsum/subscripts.hpp"
#include "tyto/expr.hpp"

namespace tyto::inline v1 {
/// A size that labels share. Identity is the object; the name is for people.
struct Dimension {
  std::string name;
  std::int64_t extent = 1, capacity = 1;
  bool varies = false;
};
}  // namespace tyto::inline v1

namespace tyto::graph {

using NodeId = std::int32_t;
using DimensionId = std::int32_t;
using Shape = std::vector<DimensionId>;

/// What a leaf is to the run; only unknowns, states and parameters change while it runs.
enum class Role : std::int8_t { data, weights, unknown, state, parameter, constant, input };
const char* name_of(Role);

/// A named input. Two leaves are the same when they have one identity object, whatever their names.
struct Leaf {
  std::string name;
  Role role = Role::input;
  std::shared_ptr<const char> identity;  // shared by the copies of a leaf in several stores
  friend bool operator==(const Leaf& a, const Leaf& b) { return a.identity == b.identity; }
};
/// One value everywhere. No operands.
struct Fill {
  double value = 0;
  friend bool operator==(const Fill&, const Fill&) = default;
};
/// I(a, a') of two axes with equal extents. No operands.
struct Identity {
  friend bool operator==(const Identity&, const Identity&) = default;
};
/// The one multilinear node, see einsum::Subscripts. Every output label is on some operand, none twice in the output.
struct Einsum {
  einsum::Subscripts subscripts;
  einsum::Pair pair = {};
  friend bool operator==(const Einsum&, const Einsum&) = default;
};
/// Sum of coefficients[k] * operand k; all operands have one shape.
struct Combination {
  std::vector<double> coefficients;
  friend bool operator==(const Combination&, const Combination&) = default;
};
/// operand ^ exponent, elementwise.
struct Power {
  double exponent = 1;
  friend bool operator==(const Power&, const Power&) = default;
};
/// Operand (batch, rows, columns), result the transposed inverse (batch, rows, columns): sum[columns] M(rows,columns) *
/// result(rows',columns) = I(rows,rows'). `batch` and `rows` count axes.
struct Inverse {
  std::int32_t batch = 0, rows = 1;
  friend bool operator==(const Inverse&, const Inverse&) = default;
};
/// Operands matrix (batch, rows, columns) and right (batch, rows, rest); result x (batch, columns, rest) with
/// sum[columns] matrix * x = right. semidefinite: symmetric positive semidefinite and consistent, minimum norm is meant.
struct Solve {
  std::int32_t batch = 0, rows = 1;
  bool semidefinite = false;
  friend bool operator==(const Solve&, const Solve&) = default;
};

using Operation = std::variant<Leaf, Fill, Identity, Einsum, Combination, Power, Inverse, Solve>;

struct Node {
  Operation operation;
  std::vector<NodeId> operands;
  Shape shape;
  std::uint64_t hash = 0;  // of the structure: equal for equal structure on every run, independent of ids and addresses
};

template <class T>
const T* as(const Node& node) {
  return std::get_if<T>(&node.operation);
}
template <class T>
bool is(const Node& node) {
  return std::holds_alternative<T>(node.operation);
}

}  // namespace tyto::graph
