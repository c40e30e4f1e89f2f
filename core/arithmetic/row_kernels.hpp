#pragma once
/// The two innermost loops of a loop nest, vectorized: out(row, column) = or += left(row, column) * right(row, column), where
/// either loop may be kept or summed. Chosen by the strides along columns and compiled for several instruction sets.
#include <cstdint>
#include "arithmetic/isa.hpp"

namespace tyto::arithmetic {

/// Named by what happens along columns, with the strides of output, left and right. `any` takes every stride.
enum class RowKernel : std::int8_t {
  multiply,      ///< columns kept: out 1, left 1, right 1; rows kept
  scale,         ///< columns kept: out 1, left 1, right 0; rows kept
  multiply_add,  ///< columns kept: out 1, left 1, right 1; rows summed
  scale_add,     ///< columns kept: out 1, left 1, right 0; rows summed
  dot,           ///< columns summed: left 1, right 1
  sum,           ///< columns summed: left 1, right 0
  any,
};

/// Strides in elements. With rows_summed the output does not move along rows; accumulate adds to what is there.
template <class T>
struct Rows {
  std::int64_t rows = 1, columns = 1;
  T* out = nullptr;
  const T* left = nullptr;
  const T* right = nullptr;
  std::int64_t out_row = 0, left_row = 0, right_row = 0;
  std::int64_t out_column = 0, left_column = 0, right_column = 0;
  bool rows_summed = false, columns_summed = false, accumulate = false;
};

template <class T>
using RowFunction = void (*)(const Rows<T>&);
/// Of double and float.
template <class T>
RowFunction<T> row_function(Isa, RowKernel);

}  // namespace tyto::arithmetic
