#pragma once
/// A batch of linear systems, or inverses, prepared: copies into and out of scratch, places of the workspace.
#include <vector>
#include "execute/cpu/blas.hpp"
#include "execute/cpu/loops.hpp"
#include "execute/cpu/strided_copy.hpp"

namespace tyto::execute::cpu {

/// How the unknowns of one system, x(column, right side), lie in memory while they are worked on.
enum class Layout : std::int8_t {
  by_columns,  ///< each right side contiguous: column-major n x m
  by_rows,     ///< right sides side by side: column-major m x n
};

struct SystemPlan {
  std::int64_t order = 0, right_sides = 0;
  bool semidefinite = false, is_inverse = false;
  std::vector<Loop> systems;  ///< batch; strides of out, matrix (as left), right
  StridedCopy matrix_in;      ///< matrix -> n x n, column-major, m(row, column)
  StridedCopy right_in;       ///< right -> x
  bool in_place = false;      ///< x is the output itself
  StridedCopy solution_out;   ///< x -> out, where it is not
  Layout layout = Layout::by_columns;
  std::int64_t leading = 1;  ///< of x
  std::int64_t flops = 0;    ///< per system
  /// Bytes into the scratch of the step: the matrix; x where it is not in place; a copy of x; diagonal scales or singular values;
  /// workspace; integers of workspace; pivots.
  std::int64_t matrix = 0, solution = 0, copy = 0, values = 0, work = 0, integers = 0, pivots = 0;
  blas::Work minimum_norm, inverse;  ///< sizes of workspace
  std::int64_t scratch_bytes = 0;
  std::vector<std::int64_t> index;  ///< loop counters
};

SystemPlan plan_of(const program::Solve&, const std::vector<program::Buffer>&);
SystemPlan plan_of(const program::Inverse&, const std::vector<program::Buffer>&);

}  // namespace tyto::execute::cpu
