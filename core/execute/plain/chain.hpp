#pragma once
/// A chain of elementwise operations, point by point: every instruction of one point, then the next point.
#include <cstddef>
#include <vector>
#include "program/program.hpp"

namespace tyto::execute::plain {

/// Loops over output labels, then over summed labels. Prepared at load, so that running allocates nothing.
class Chain {
 public:
  Chain(const program::Elementwise&, const std::vector<program::Buffer>&);
  /// Writes all of the output; returns flops, counted as they happen. `inputs` are the addresses of the inputs.
  template <class T>
  std::int64_t run(T* out, const void* const* inputs);

 private:
  struct Loop {
    std::int64_t extent = 1;
    std::vector<std::int64_t> stride;  ///< of each input, then of the output
  };
  using Instruction = program::Elementwise::Instruction;

  bool advance(std::size_t first, std::size_t last);
  /// The result of an instruction; adds its operations to `flops`.
  template <class T, class W>
  static W value_of(const Instruction&, const W* values, std::int64_t& flops);

  std::vector<Loop> loops_;
  std::size_t kept_ = 0;  ///< the first so many loops are over output labels
  std::size_t inputs_ = 0;
  std::vector<Instruction> instructions_;
  double scale_ = 1;
  std::vector<std::int64_t> index_, offset_;
  std::vector<std::byte> values_;  ///< memory for the values of one point, of whatever type they are computed in
};

}  // namespace tyto::execute::plain
