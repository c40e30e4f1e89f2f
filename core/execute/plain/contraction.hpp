#pragma once
/// A contraction as one loop nest over all of its labels, for any number of operands; factors are multiplied by a nest before it.
#include <cstddef>
#include <vector>
#include "program/program.hpp"

namespace tyto::execute::plain {

/// Loops over output labels, then over summed labels. Prepared at load, so that running allocates nothing.
class LoopNest {
 public:
  LoopNest(const program::Contraction&, const std::vector<program::Buffer>&);
  /// Writes all of the output; returns flops, counted as they happen. `inputs` are the addresses of the operands, then of the
  /// addend if there is one.
  template <class T>
  std::int64_t run(T* out, const void* const* inputs);

 private:
  struct Loop {
    std::int64_t extent = 1;
    std::vector<std::int64_t> stride;  ///< of each operand, then of the output, then of the addend
  };
  /// An axis of the output, with strides.
  struct WholeAxis {
    std::int64_t extent = 1, out = 1, addend = 0;
  };
  void form_factors(const program::Contraction&, const std::vector<program::Buffer>&);
  template <class T>
  std::int64_t run_nest(T* out, const void* const* operands, const T* addend);
  bool advance(std::size_t first, std::size_t last);
  /// Every element of the output = value(offset into the addend).
  template <class T, class Value>
  void fill_whole(T* out, const Value& value);

  std::vector<Loop> loops_;
  std::size_t kept_ = 0;  ///< the first so many loops are over output labels
  std::size_t operands_ = 0;
  einsum::Pair pair_;
  double scale_ = 1, addend_scale_ = 1;
  bool has_addend_ = false;
  std::vector<LoopNest> factors_;            ///< none, or the one that multiplies the factors
  std::vector<std::byte> formed_;            ///< memory for their product
  std::vector<const void*> operands_given_;  ///< scratch of run(): the operands, the product in place of its factors
  bool diagonal_output_ = false;             ///< some elements of the output are off the loops
  std::vector<WholeAxis> whole_;
  std::vector<std::int64_t> index_, offset_;
};

}  // namespace tyto::execute::plain
