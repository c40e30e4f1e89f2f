#pragma once
/// A contraction as one loop nest over all of its labels, for any number of operands.
#include <vector>
#include "program/program.hpp"

namespace tyto::execute::plain {

/// Loops over output labels, then over summed labels. Prepared at load, so that running allocates nothing.
class LoopNest {
 public:
  LoopNest(const program::Contraction&, const std::vector<program::Buffer>&);
  /// Writes all of the output; returns flops, counted as they happen. `inputs` are the addresses of the operands.
  template <class T>
  std::int64_t run(T* out, const void* const* inputs);

 private:
  struct Loop {
    std::int64_t extent = 1;
    std::vector<std::int64_t> stride;  ///< of each input, then of the output
  };
  bool advance(std::size_t first, std::size_t last);
  template <class T>
  void clear(T* out);

  std::vector<Loop> loops_;
  std::size_t kept_ = 0;  ///< the first so many loops are over output labels
  std::size_t operands_ = 0;
  einsum::Pair pair_;
  bool diagonal_output_ = false;  ///< some elements of the output are off the loops
  Extents out_extents_, out_strides_;
  std::vector<std::int64_t> index_, offset_;
};

}  // namespace tyto::execute::plain
