#pragma once
/// What runs, free of graphs: steps over buffers, grouped into kernels. A plan makes it, an executor runs it, nothing else
/// knows how it came about. Everything here is decided before the first step: extents, layouts, places in the arena.
#include <string>
#include <variant>
#include <vector>
#include "einsum/subscripts.hpp"
#include "operation/factorization.hpp"
#include "operation/function.hpp"
#include "tyto/array.hpp"

namespace tyto::program {

using BufferId = std::int32_t;
using LeafId = std::int32_t;
using StepId = std::int32_t;

enum class Storage : std::int8_t {
  leaf,      ///< memory that the caller binds
  constant,  ///< in the arena, written once before the first kernel
  arena,     ///< in the arena, written by one step; may share its place with buffers that live at other times
};

/// A dense strided tensor. Strides count elements and are never negative; 0 repeats values.
struct Buffer {
  std::string name;  ///< for people: "X", "T1"
  Storage storage = Storage::arena;
  Dtype dtype = Dtype::f64;
  Extents extents, strides;
  std::vector<std::string> labels;      ///< names of the axes, for people
  LeafId leaf = -1;                     ///< of a leaf; buffers may view one leaf with its axes in several orders
  std::int64_t offset = 0;              ///< bytes into the arena, a multiple of 64; not of a leaf
  std::vector<LeafId> depends_on = {};  ///< sorted: the leaves its value is a function of
  std::vector<BufferId> overlaps = {};  ///< other arena buffers that share memory with it
};

/// A buffer used under labels, one for each axis; a repeated label takes the diagonal.
struct Operand {
  BufferId buffer = -1;
  einsum::Labels labels;
};

/// out = scale * einsum of the operands + addend_scale * addend. An output label found on no operand repeats values along it; off
/// the diagonal of a repeated one the einsum is zero.
/// Scale and addend go with the ordinary pair only.
struct Contraction {
  std::vector<Operand> inputs;
  Operand out;
  einsum::Pair pair = {};
  double scale = 1;
  BufferId addend = -1;  ///< -1: none. Axis by axis as the output; may lie exactly where the output lies, see can_take_place,
                         ///< or be the output: sums go on then
  double addend_scale = 1;
  std::int32_t factors = 0;  ///< so many of the last operands (none, or at least 2) form one: their product without sums
};
/// out = sum of coefficients[k] * inputs[k], axis by axis.
struct Combination {
  std::vector<double> coefficients;
  std::vector<BufferId> inputs;
  BufferId out = -1;
};
/// out = in ^ exponent, elementwise.
struct Power {
  double exponent = 1;
  BufferId input = -1, out = -1;
};
/// out = scale * sum of the last value over all labels that the output lacks. Values are numbered: the inputs, then the results of
/// the instructions in their order. All of them range over all labels; an input that lacks a label repeats along it.
struct Elementwise {
  enum class Kind : std::int8_t { combination, product, power, function };
  struct Instruction {
    Kind kind = Kind::combination;
    std::vector<std::int32_t> arguments;    ///< earlier values
    std::vector<double> coefficients = {};  ///< of a combination: constant + sum of coefficients[k] * arguments[k]
    double constant = 0;                    ///< of a combination
    double exponent = 1;                    ///< of a power
    operation::Function function = operation::Function::exp;
  };
  std::vector<Operand> inputs;
  std::vector<Instruction> instructions;
  Operand out;
  double scale = 1;
};
/// x with sum[columns] matrix(batch, rows, columns) x(batch, columns, rest) = right(batch, rows, rest). The axes come in that
/// order; `batch` and `rows` count axes, and there are as many column axes as make the matrix square.
/// A semidefinite system (normal equations) is consistent and its solution of minimum norm is meant. Otherwise a singular matrix
/// is reported as trouble and gives the least-squares solution of minimum norm.
struct Solve {
  BufferId matrix = -1, right = -1, out = -1;
  std::int32_t batch = 0, rows = 0;
  operation::System system = operation::System::general;
};
/// out(rows, columns) = transposed inverse of in(rows, columns), batch axes first; see tyto::inverse.
struct Inverse {
  BufferId input = -1, out = -1;
  std::int32_t batch = 0, rows = 0;
};
/// out(i, i') = 1 if i == i', else 0. Two axes. Only constants are made this way.
struct Identity {
  BufferId out = -1;
};
/// out = value everywhere, or that times i if the output is complex and `imaginary`. Only constants are made this way.
struct Fill {
  double value = 0;
  BufferId out = -1;
  bool imaginary = false;
};
/// out(i, i') = 1 for i > i', `diagonal` for i == i', else 0. Only constants are made this way.
struct Triangle {
  double diagonal = 1;
  BufferId out = -1;
};
/// out = f(inputs), elementwise; real functions of complex inputs have real outputs.
struct Map {
  operation::Function function = operation::Function::exp;
  std::vector<BufferId> inputs;
  BufferId out = -1;
};
/// Real values as complex ones.
struct Convert {
  BufferId input = -1, out = -1;
};
/// out = log sum exp in, over the last `reduced` axes.
struct LogSumExp {
  BufferId input = -1, out = -1;
  std::int32_t reduced = 0;
};
/// out = exp(in - log sum exp in), over the last `reduced` axes.
struct Softmax {
  BufferId input = -1, out = -1;
  std::int32_t reduced = 0;
};
/// The elements in row-major order under other extents.
struct Reshape {
  BufferId input = -1, out = -1;
};
/// Positions first, first + step, ... of one axis.
struct Slice {
  BufferId input = -1, out = -1;
  std::int32_t axis = 0;
  std::int64_t first = 0, step = 1;
};
/// Input k at positions first[k], first[k] + step, ... of one axis; 0 where nothing lies.
struct Assemble {
  std::vector<BufferId> inputs;
  BufferId out = -1;
  std::int32_t axis = 0;
  std::vector<std::int64_t> first;
  std::int64_t step = 1;
};
/// All parts of a factorization of in(batch, n, m), row-major one behind the other in the order of operation::parts_of: out(batch,
/// elements). The parts have the type of the matrix.
struct Factorization {
  operation::Decomposition decomposition = operation::Decomposition::cholesky;
  BufferId input = -1, out = -1;
};
/// out(batch, rest) = in(batch, first + row-major position within rest).
struct Part {
  BufferId input = -1, out = -1;
  std::int32_t batch = 0;
  std::int64_t first = 0;
};
/// 1 / in(batch, n), or the matrix 1 / (in(batch, c) - in(batch, r)) if out has an axis more; 0 for what is at most n eps max|in|.
struct Reciprocal {
  BufferId input = -1, out = -1;
};

using Operation = std::variant<Contraction, Combination, Power, Solve, Inverse, Identity, Fill, Triangle, Map, Convert, LogSumExp,
                               Softmax, Reshape, Slice, Assemble, Factorization, Part, Reciprocal, Elementwise>;

struct Step {
  Operation operation;
  std::int64_t flops = 0;           ///< multiply 1, add 1; see flops_of
  std::int64_t bytes = 0;           ///< read and written, each element once
  std::int64_t scratch_offset = 0;  ///< bytes into the arena
  std::int64_t scratch_bytes = 0;   ///< as the device model asked for
};

/// An output that can be asked for: its steps in an order that respects dependencies, all of them, including those whose values
/// other kernels usually leave behind.
struct Kernel {
  std::string name;
  std::vector<StepId> steps;
  BufferId output = -1;
};

/// Steps that follow each other in the order of the program and may go through what they share slab by slab: `block` positions of
/// a label at a time pass all of the steps before the next ones do, so that they are read from memory once. The steps one after the
/// other give the same values, but for the order of sums over the label. See slabs.hpp.
struct Slabs {
  std::vector<StepId> steps;
  std::vector<einsum::Label> labels;  ///< the label of the slabs, as each step calls it
  std::int64_t extent = 0, block = 0;
};

/// Kernels that are asked for together, as one run of steps: what slabs of several of them need. Sorted, each once.
struct Joined {
  std::vector<std::int32_t> kernels;
  std::vector<StepId> steps;
};

struct Leaf {
  std::string name;
  Dtype dtype = Dtype::f64;
  Extents extents, strides;  ///< what is bound must have these
};

/// Immutable once made; several executors may hold it.
struct Program {
  std::vector<Leaf> leaves;
  std::vector<Buffer> buffers;
  std::vector<Step> steps;
  std::vector<StepId> constants;  ///< steps to run once, in order, before anything else
  std::vector<Kernel> kernels;
  std::vector<Slabs> slabs;  ///< a step is in one of them at most
  std::vector<Joined> joined;
  std::int64_t arena_bytes = 0;
};

BufferId output_of(const Operation&);
std::vector<BufferId> inputs_of(const Operation&);
/// Each buffer that the operation names becomes renamed[buffer].
void rename_buffers(Operation&, const std::vector<BufferId>& renamed);
/// Whether the step stays right if its output has the place of this input, element for element, so that nothing is copied where the
/// old value is not needed any more: every element of the output is made from the element of the input that lay there, or adds to
/// it.
bool can_take_place(const Operation&, BufferId input, const std::vector<Buffer>&);
/// Whether two buffers lie over each other from the first element on, or are one.
bool share_place(BufferId, BufferId, const std::vector<Buffer>&);
/// The labels of output and inputs, in this order and each once, and their extents.
struct Space {
  einsum::Labels labels;
  Extents extents;
  std::int64_t points() const;
  std::int64_t extent(einsum::Label) const;
};
Space space_of(const std::vector<Operand>& inputs, const Operand& out, const std::vector<Buffer>&);
/// Flops of a step by its formula: a contraction counts einsum::loop_flops (pure transposition and repetition 0), its factors as
/// the product of theirs that is formed first; a combination, and so the scale and addend of a contraction, one per element and
/// coefficient other than 1, and one per addition, but nothing where a sum goes on; elementwise instructions as they would by
/// themselves; a power one per element; a solve of n equations with m right sides, per system, n(n+1)(2n+1)/6 + 2 n^2 m (definite)
/// or 2n^3/3 (rounded down) + 2 n^2 m, nothing if m is 0; an inverse 2 n^3; a function, reciprocal or soft reduction one per
/// element read; a factorization n^3/3 (Cholesky), 4 n m^2 (QR and Q), 14 n m min(n, m) (SVD), 9 n^3 (eigen), rounded down; moving
/// elements nothing. Operations on complex numbers count four times.
std::int64_t flops_of(const Operation&, const std::vector<Buffer>&);
/// Flops of one instruction at one point.
std::int64_t point_flops(const Elementwise::Instruction&);
std::int64_t bytes_of(const Operation&, const std::vector<Buffer>&);
/// Order of the matrix, right sides and number of systems of a Solve or Inverse (right sides 0).
struct SystemSize {
  std::int64_t order = 1, right_sides = 1, systems = 1;
};
SystemSize size_of(const Solve&, const std::vector<Buffer>&);
SystemSize size_of(const Inverse&, const std::vector<Buffer>&);
/// Rows, columns and number of matrices.
struct MatrixSize {
  std::int64_t rows = 1, columns = 1, matrices = 1;
};
MatrixSize size_of(const Factorization&, const std::vector<Buffer>&);
/// Elements of each part of a factorization of one n x m matrix, in the order of operation::parts_of.
std::vector<std::int64_t> part_sizes(operation::Decomposition, std::int64_t n, std::int64_t m);
constexpr bool is_complex(Dtype type) { return type == Dtype::c64 || type == Dtype::c128; }
constexpr Dtype real_type(Dtype type) { return type == Dtype::c64 ? Dtype::f32 : type == Dtype::c128 ? Dtype::f64 : type; }
constexpr Dtype complex_type(Dtype type) { return type == Dtype::f32 ? Dtype::c64 : type == Dtype::f64 ? Dtype::c128 : type; }

}  // namespace tyto::program
