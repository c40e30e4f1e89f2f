#pragma once
/// Which two loops of a contraction run innermost in a row kernel, and what the whole nest is expected to cost.
#include "arithmetic/row_kernels.hpp"
#include "execute/cpu/loops.hpp"
#include "execute/cpu/rates.hpp"

namespace tyto::execute::cpu {

using arithmetic::RowKernel;

struct NestChoice {
  Loop rows, columns;  ///< extent 1 where there is none
  RowKernel kernel = RowKernel::any;
  bool swapped = false;     ///< the kernel takes the right operand as its left
  std::vector<Loop> outer;  ///< slowest first
  std::int64_t calls = 1;
};
/// Seconds of all calls, the arithmetic and the moving of operands.
double seconds_of(const NestChoice&, std::int64_t element_bytes, const Rates&);

/// Always finds one.
NestChoice choose_nest(const std::vector<Loop>& loops, std::int64_t element_bytes, const Rates&);

}  // namespace tyto::execute::cpu
