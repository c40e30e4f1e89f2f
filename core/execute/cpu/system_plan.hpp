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

/// Places in the spare room, in bytes: what a system needs on top once its matrix has turned out singular.
struct MinimumNormPlan {
  std::int64_t solution = 0;  ///< x by columns: of an inverse, and for singular values where x lies by rows
  std::int64_t copy = 0;      ///< of the right sides, for eigenpairs
  std::int64_t work = 0, integers = 0;
  blas::Work sizes;
  std::int64_t bytes = 0;
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
  /// Bytes into the scratch of the step: the matrix, and over it x of an inverse; x of other systems where it is not in place;
  /// diagonal scales or singular values; workspace; integers of workspace; pivots.
  std::int64_t matrix = 0, solution = 0, values = 0, work = 0, integers = 0, pivots = 0;
  blas::Work inverse;  ///< sizes of workspace
  std::int64_t scratch_bytes = 0;
  MinimumNormPlan minimum_norm;
  std::vector<std::int64_t> index;  ///< loop counters
};

SystemPlan plan_of(const program::Solve&, const std::vector<program::Buffer>&);
SystemPlan plan_of(const program::Inverse&, const std::vector<program::Buffer>&);

}  // namespace tyto::execute::cpu
