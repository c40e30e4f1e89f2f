#pragma once
/// A contraction as the loops it needs: one for each label, with the strides of output, left and right operand. Repeated labels,
/// extents 1 and neighbouring axes that chain are gone; what is left is what a kernel has to walk.
#include <array>
#include <span>
#include <vector>
#include "program/program.hpp"

namespace tyto::execute::cpu {

/// The role of a loop in out = sum left * right.
enum class Role : std::int8_t { batch, left, right, contracted, left_summed, right_summed, repeated };
/// True if the loop adds up: the output does not move along it.
constexpr bool is_reduction(Role role) {
  return role == Role::contracted || role == Role::left_summed || role == Role::right_summed;
}

enum Place : std::int8_t { out = 0, left = 1, right = 2 };
using Offsets = std::array<std::int64_t, 3>;  ///< in elements, by Place

struct Loop {
  std::int64_t extent = 1;
  Offsets stride = {0, 0, 0};
  Role role = Role::batch;
};

/// The loops of a contraction of one or two operands; of one, the right operand is the constant one and never moves.
struct Nest {
  std::vector<Loop> loops;
  std::int64_t flops_per_point = 0;
  bool is_empty = false;       ///< some extent is 0: there is no point to walk
  bool clears_output = false;  ///< the loops do not reach all of the output: it is zero elsewhere
};
Nest nest_of(const program::Contraction&, const std::vector<program::Buffer>&);

/// A loop with its stride in each tensor of a contraction: output, then the inputs; and which of them have the label at all.
struct OperandLoop {
  std::int64_t extent = 1;
  std::vector<std::int64_t> stride;
  std::vector<bool> present;
};
/// One for each label that has not extent 1, for any number of operands; labels that chain in all tensors are one loop.
std::vector<OperandLoop> operand_loops(const program::Contraction&, const std::vector<program::Buffer>&);

/// Merges loops of one role whose strides chain in all three places; the result walks the same points.
std::vector<Loop> fused(std::vector<Loop>);

/// Sum of the three strides: how far a step of the loop goes.
std::int64_t movement(const Loop&);
/// Orders loops that enclose a kernel, slowest first: those that move far before those that stay near, reductions last, so that the
/// same part of the output is written again while it is near.
void order_outer(std::vector<Loop>&);

/// Calls body(offsets, is_first) for every point of the loops, the last loop fastest; is_first tells that no reduction among them
/// has moved yet, so that the output is written for the first time. `index` has room for one number per loop.
template <class Body>
void for_each_point(std::span<const Loop> loops, std::int64_t* index, Body&& body) {
  const std::size_t depth = loops.size();
  for (std::size_t d = 0; d < depth; ++d) index[d] = 0;
  Offsets offset = {0, 0, 0};
  std::int64_t moved = 0;  // reductions that are past their first point
  for (;;) {
    body(offset, moved == 0);
    std::size_t d = depth;
    for (; d > 0; --d) {
      const Loop& loop = loops[d - 1];
      std::int64_t& at = index[d - 1];
      if (++at == 1 && is_reduction(loop.role)) ++moved;
      for (std::size_t place = 0; place < 3; ++place) offset[place] += loop.stride[place];
      if (at < loop.extent) break;
      for (std::size_t place = 0; place < 3; ++place) offset[place] -= loop.extent * loop.stride[place];
      if (is_reduction(loop.role)) --moved;
      at = 0;
    }
    if (d == 0) return;
  }
}

}  // namespace tyto::execute::cpu
