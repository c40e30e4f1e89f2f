#pragma once
/// Systems of a step whose matrix is small enough to be formed: solved within a trust region by Cholesky factorizations.
#include <span>
#include <vector>
#include "solve/setup.hpp"

namespace tyto::solve {

/// A x = b in the coordinates y = L^T x of M = L L^T, where M has the diagonal blocks of A. There |x|_M = |y|, the blocks on the
/// diagonal are the identity, and eigenvalues lie between 0 and the number of blocks.
class DenseSystem {
 public:
  /// Rows and columns begin...end; a block that is not scaled has the identity in M.
  struct Block {
    std::int64_t begin = 0, end = 0;
    bool is_scaled = true;
  };
  /// A is symmetric positive semidefinite, by columns; the blocks on the diagonal and what is below them are read. The blocks
  /// follow each other without gaps. One that is singular to rounding is lifted until it is not.
  DenseSystem(std::vector<double> a, std::vector<Block> blocks);

  struct Solution {
    double length = 0;  ///< |x|_M; not a number where the matrix is none
    bool on_boundary = false;
    std::int64_t factorizations = 0;
  };
  /// The x that makes x.A x / 2 - b.x least within |x|_M <= radius, to a tenth of the radius where that binds: (A + shift M) x = b,
  /// the shift found by Newton's method on 1/radius - 1/|x|. More and Sorensen, Computing a trust region step, SIAM J. Sci. Stat.
  /// Comput. 4 (1983), algorithm 3.2; the hard case needs a negative eigenvalue. Directions in which A is zero stay as they are:
  /// the shift is never below the square root of the rounding unit.
  Solution solve(std::span<const double> b, double radius, std::span<double> x) const;

 private:
  struct Shifted;
  std::int64_t size() const { return blocks_.empty() ? 0 : blocks_.back().end; }
  double* at(std::int64_t row, std::int64_t column) { return a_.data() + column * size() + row; }
  void factor_block(std::size_t k);
  void scale_blocks();
  /// y = L^-1 y, or L^-T y.
  void apply_inverse_root(bool is_transposed, double* y) const;

  std::vector<double> a_;  // L^-1 A L^-T, by columns, the lower triangle
  std::vector<Block> blocks_;
  std::vector<std::vector<double>> roots_;  // by block: its L, by columns
};

}  // namespace tyto::solve
