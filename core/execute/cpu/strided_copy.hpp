#pragma once
/// Copies of strided arrays: transposition, gathering, repetition. Prepared once, then run without allocating.
#include <algorithm>
#include <vector>
#include "tyto/array.hpp"

namespace tyto::execute::cpu {

/// One axis: extent and the two strides in elements.
struct CopyAxis {
  std::int64_t extent = 1, to = 0, from = 0;
};

class StridedCopy {
 public:
  StridedCopy() = default;
  /// to(axes) = from(axes); stride 0 of `from` repeats. No axis has stride 0 in `to` unless its extent is 1.
  explicit StridedCopy(std::vector<CopyAxis> axes);
  /// The arrays must not overlap.
  template <class T>
  void run(T* to, const T* from);
  /// Elements written.
  std::int64_t count() const { return count_; }
  /// True if neither side walks elements one after another in the same order: a transposition proper.
  bool is_transposition() const { return block_.extent > 1; }
  /// Runs of elements that one loop walks.
  std::int64_t rows() const { return count_ / std::max<std::int64_t>(row_.extent, 1); }
  /// The axes as they are walked, slowest first; of a transposition the last two in tiles.
  std::vector<CopyAxis> axes() const;

 private:
  std::vector<CopyAxis> outer_;  ///< slowest first
  std::vector<std::int64_t> index_;
  CopyAxis block_, row_;  ///< innermost two; `row_` has the unit stride of `to` where there is one
  std::int64_t count_ = 0;
};

}  // namespace tyto::execute::cpu
