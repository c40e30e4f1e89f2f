#pragma once
/// An array as a matrix: one axis numbers the rows, all others together the columns. The order of columns is of no consequence to
/// what is computed here, so an array is read as it lies in memory wherever BLAS can.
#include <vector>
#include "tyto/array.hpp"

namespace tyto::solve {

class Unfolding {
 public:
  /// Views the array, which outlives this. Real, on the host, any strides.
  Unfolding(const ConstArray&, std::int32_t axis);

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  /// Y Y^T, rows x rows, row-major, both triangles.
  std::vector<double> gram() const;
  /// The matrix itself, row-major.
  std::vector<double> by_rows() const;

 private:
  /// Where one axis, or several that lie one behind the other, lead.
  struct Walk {
    std::int64_t extent = 1, stride = 1;
  };
  void add_gram(const double* first, std::size_t walk, std::vector<double>& gram) const;
  bool is_in_place() const;

  ConstArray array_;
  std::int32_t axis_ = 0;
  std::int64_t rows_ = 0, columns_ = 1, row_stride_ = 1;
  std::vector<Walk> walks_;  ///< over the columns, the longest stride first
};

}  // namespace tyto::solve
