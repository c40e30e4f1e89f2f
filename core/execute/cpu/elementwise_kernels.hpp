#pragma once
/// Instructions of elementwise chains on blocks of elements that lie one after another. Compiled for several instruction sets.
#include <cstdint>
#include "arithmetic/isa.hpp"

namespace tyto::execute::cpu {

/// Each reads all of its operands at an element before it writes there, so that a result may take the place of an operand.
template <class T>
struct BlockKernels {
  /// out = constant + sum of coefficients[k] * in[k], over `count` operands.
  void (*combine)(std::int64_t n, T* out, const T* const* in, const T* coefficients, std::int64_t count, T constant);
  /// out = product of in[k], over `count` operands.
  void (*multiply)(std::int64_t n, T* out, const T* const* in, std::int64_t count);
  /// out = in ^ 2.
  void (*square)(std::int64_t n, T* out, const T* in);
  /// out = sqrt(in).
  void (*square_root)(std::int64_t n, T* out, const T* in);
  /// out = 1 / in.
  void (*invert)(std::int64_t n, T* out, const T* in);
  /// Sum of in.
  T (*sum)(std::int64_t n, const T* in);
  /// out += in.
  void (*add)(std::int64_t n, T* out, const T* in);
};

template <class T>
const BlockKernels<T>& block_kernels(arithmetic::Isa);

}  // namespace tyto::execute::cpu
