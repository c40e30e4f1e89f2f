#pragma once
/// Copies of strided arrays: transposition, gathering, repetition. Prepared once, then run without allocating.
#include <vector>
#include "arithmetic/copy.hpp"
#include "execute/cpu/workers.hpp"
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
  /// Elements of any type of 2, 4, 8 or 16 bytes. The arrays must not overlap.
  template <class T>
  void run(T* to, const T* from, Workers& workers) const {
    run_bytes(to, from, static_cast<std::int64_t>(sizeof(T)), workers);
  }
  /// Elements written.
  std::int64_t count() const { return count_; }
  /// What each costs something to begin: runs that are copied or filled, tiles that are transposed.
  std::int64_t rows() const { return kind_ == Kind::turn ? tiles_ : count_ / run_; }
  /// True if neither side walks elements one after another in the same order: a transposition proper.
  bool is_transposition() const { return kind_ == Kind::turn; }
  /// The axes, merged where they chain, as they are walked, slowest first; of a transposition the last two in tiles.
  const std::vector<CopyAxis>& axes() const { return axes_; }

 private:
  /// What a tile does: copies runs that are contiguous on both sides, repeats an element over each run, or turns rows contiguous in
  /// `from` into columns contiguous in `to`.
  enum class Kind : std::int8_t { copy, fill, turn };
  /// Rows or columns of tiles: the axes that are fastest on one side, as one sequence of positions. The slowest of them may be cut
  /// into chunks, which are then a loop around the tile.
  struct Side {
    std::vector<std::int64_t> to, from;  ///< offset of each position of a chunk
    CopyAxis chunks;
    std::int64_t last = 1;  ///< positions of the last chunk
  };
  static Side side_of(const std::vector<CopyAxis>& axes, std::int64_t length);
  void choose_sides(std::vector<CopyAxis> axes);
  void run_bytes(void* to, const void* from, std::int64_t unit, Workers&) const;
  void run_tiles(char* to, const char* from, arithmetic::CopyTile tile, arithmetic::CopyFunction, std::int64_t first,
                 std::int64_t last) const;

  std::vector<CopyAxis> axes_;
  Kind kind_ = Kind::copy;
  std::int64_t count_ = 0;
  std::int64_t run_ = 1;         ///< elements of a run, of a piece of it where runs are long
  Side rows_, columns_;          ///< fastest in `to` and in `from`
  Side runs_;                    ///< its chunks only: the pieces of long runs
  std::vector<CopyAxis> outer_;  ///< loops around tiles, slowest first; the chunks of runs, columns and rows are the last
  std::int64_t tiles_ = 1;
};

}  // namespace tyto::execute::cpu
