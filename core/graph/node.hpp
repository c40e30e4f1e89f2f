#pragma once
/// What an expression is made of. Nodes are positional: axes have dimensions, not labels; labels live in the handles (Expr) and,
/// as local integers, inside an einsum. So equal mathematics under different labels is one node.
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>
#include "einsum/subscripts.hpp"
#include "operation/factorization.hpp"
#include "operation/function.hpp"
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

/// What is known of the values of a leaf, by axis; see tyto::Facts.
struct LeafFacts {
  std::vector<std::vector<std::int32_t>> symmetric;  // groups of axes that may be exchanged
  std::vector<std::int32_t> orthonormal;             // summed over all other axes, conj(Q) Q is the identity in these
  double nonzeros = -1;
};

/// A named input. Two leaves are the same when they have one identity object, whatever their names.
struct Leaf {
  std::string name;
  Role role = Role::input;
  std::shared_ptr<const char> identity;  // shared by the copies of a leaf in several stores
  Field field = Field::real;
  LeafFacts facts = {};
  friend bool operator==(const Leaf& a, const Leaf& b) { return a.identity == b.identity; }
};
/// One value everywhere. No operands.
struct Fill {
  double value = 0;
  friend bool operator==(const Fill&, const Fill&) = default;
};
/// The scalar i. Coefficients elsewhere are real; this makes them complex. No operands.
struct ImaginaryUnit {
  friend bool operator==(const ImaginaryUnit&, const ImaginaryUnit&) = default;
};
/// I(a, a') of two axes with equal extents. No operands.
struct Identity {
  friend bool operator==(const Identity&, const Identity&) = default;
};
/// A square matrix: 1 below the diagonal, `diagonal` on it, 0 above. No operands.
struct Triangle {
  double diagonal = 1;
  friend bool operator==(const Triangle&, const Triangle&) = default;
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
/// An elementwise function of one or two operands of one shape.
struct Map {
  operation::Function function = operation::Function::exp;
  friend bool operator==(const Map&, const Map&) = default;
};
/// log(sum(exp(operand))) over the last `reduced` axes, which the result does not have.
struct LogSumExp {
  std::int32_t reduced = 1;
  friend bool operator==(const LogSumExp&, const LogSumExp&) = default;
};
/// exp(operand - LogSumExp(operand)); the result has all axes.
struct Softmax {
  std::int32_t reduced = 1;
  friend bool operator==(const Softmax&, const Softmax&) = default;
};
/// The elements in row-major order under another shape.
struct Reshape {
  Shape shape;
  friend bool operator==(const Reshape&, const Reshape&) = default;
};
/// Positions first, first + step, ... of one axis, as many as `part` has.
struct Slice {
  std::int32_t axis = 0;
  std::int64_t first = 0, step = 1;
  DimensionId part = -1;
  friend bool operator==(const Slice&, const Slice&) = default;
};
/// The operand at positions first, first + step, ... of an axis as long as `whole`, 0 elsewhere.
struct Pad {
  std::int32_t axis = 0;
  std::int64_t first = 0, step = 1;
  DimensionId whole = -1;
  friend bool operator==(const Pad&, const Pad&) = default;
};
/// The operands one behind the other along an axis, which becomes `whole`.
struct Concatenate {
  std::int32_t axis = 0;
  DimensionId whole = -1;
  friend bool operator==(const Concatenate&, const Concatenate&) = default;
};
/// Operand (batch, rows, columns), result the transposed inverse (batch, rows, columns): sum[columns] M(rows,columns) *
/// result(rows',columns) = I(rows,rows'). `batch` and `rows` count axes.
struct Inverse {
  std::int32_t batch = 0, rows = 1;
  friend bool operator==(const Inverse&, const Inverse&) = default;
};
/// Operands matrix (batch, rows, columns) and right (batch, rows, rest); result x (batch, columns, rest) with
/// sum[columns] matrix * x = right.
struct Solve {
  std::int32_t batch = 0, rows = 1;
  operation::System system = operation::System::general;
  friend bool operator==(const Solve&, const Solve&) = default;
};

/// One part of a factorization of the operand (batch, n, m), see operation::Part; `bond` is the axis that the parts share, for
/// cholesky the last axis of the operand.
struct Factorization {
  operation::Part part = operation::Part::cholesky;
  std::int32_t batch = 0;
  DimensionId bond = -1;
  friend bool operator==(const Factorization&, const Factorization&) = default;
};
/// Of values v (batch, n) that may agree: 1 / v(i) or, `pairs`, the matrix 1 / (v(j) - v(i)). What is at most n eps max|v| in size,
/// rounding that is, counts as 0 and gives 0.
struct Reciprocal {
  bool pairs = false;
  friend bool operator==(const Reciprocal&, const Reciprocal&) = default;
};

using Operation = std::variant<Leaf, Fill, Identity, Einsum, Combination, Power, Inverse, Solve, ImaginaryUnit, Triangle, Map,
                               LogSumExp, Softmax, Reshape, Slice, Pad, Concatenate, Factorization, Reciprocal>;

/// Whether nodes of this operation have no operands.
bool is_source(const Operation&);

struct Node {
  Operation operation;
  std::vector<NodeId> operands;
  Shape shape;
  Field field = Field::real;
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
