#pragma once
/// How the sums of a block come from memory to an output whose rows do not all follow each other, for a vector width. Included
/// where it is compiled for each instruction set.
#include <algorithm>
#include "arithmetic/product_block.hpp"
#include "arithmetic/vector.hpp"

namespace tyto::arithmetic::loops {

/// One by one: rows [first_row, last_row) of columns [first_column, last_column).
template <class T>
TYTO_ALWAYS_INLINE void write_apart(const Sums<T>& sums, std::int64_t first_row, std::int64_t last_row, std::int64_t first_column,
                                    std::int64_t last_column) {
  for (std::int64_t j = first_column; j < last_column; ++j) {
    T* out = sums.out + sums.out_columns[j];
    const T* addend = sums.addend == nullptr ? nullptr : sums.addend + sums.out_columns[j];
    const T* from = sums.from + j * sums.column_size;
    for (std::int64_t i = first_row; i < last_row; ++i) {
      T value = from[i];
      if constexpr (is_complex_type<T>) {
        using R = typename T::value_type;
        const R* parts = reinterpret_cast<const R*>(from);
        if (sums.parts_are_apart) value = T(parts[i], parts[sums.column_size + i]);
      }
      out[sums.out_rows[i]] = addend == nullptr ? value : addend[sums.out_rows[i]] + value;
    }
  }
}

/// Rows that follow each other in the output, vector by vector.
template <class T, int Bytes>
TYTO_ALWAYS_INLINE void write_vectors(const Sums<T>& sums, std::int64_t row) {
  using V = Vector<T, Bytes>;
  for (std::int64_t j = 0; j < sums.columns; ++j) {
    const std::int64_t at = sums.out_rows[row] + sums.out_columns[j];
    V value = vector_at<V>(sums.from + j * sums.column_size + row);
    if (sums.addend != nullptr) value = vector_at<V>(sums.addend + at) + value;
    vector_at<V>(sums.out + at) = value;
  }
}

/// Four columns that follow each other in the output, of four rows.
template <class T>
TYTO_ALWAYS_INLINE void write_transposed(const Sums<T>& sums, std::int64_t row, std::int64_t column) {
  using V = Vector<T, 4 * static_cast<int>(sizeof(T))>;
  const T* from = sums.from + column * sums.column_size + row;
  V rows[4];
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) rows[k] = vector_at<V>(from + k * sums.column_size);
  transpose(rows[0], rows[1], rows[2], rows[3]);
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) {
    const std::int64_t at = sums.out_rows[row + k] + sums.out_columns[column];
    if (sums.addend != nullptr) rows[k] = vector_at<V>(sums.addend + at) + rows[k];
    vector_at<V>(sums.out + at) = rows[k];
  }
}

/// Four rows of one column, one by one.
template <class T>
TYTO_ALWAYS_INLINE void write_four(const Sums<T>& sums, std::int64_t row, std::int64_t column) {
  const std::int64_t* rows = sums.out_rows + row;
  const std::int64_t a = rows[0], b = rows[1], c = rows[2], d = rows[3];
  const T* from = sums.from + column * sums.column_size + row;
  T* out = sums.out + sums.out_columns[column];
  T values[4] = {from[0], from[1], from[2], from[3]};
  if (sums.addend != nullptr) {
    const T* addend = sums.addend + sums.out_columns[column];
    values[0] = addend[a] + values[0], values[1] = addend[b] + values[1];
    values[2] = addend[c] + values[2], values[3] = addend[d] + values[3];
  }
  out[a] = values[0], out[b] = values[1], out[c] = values[2], out[d] = values[3];
}

/// Four rows: of columns that follow each other in the output four at a time, of the others one by one.
template <class T>
TYTO_ALWAYS_INLINE void write_four_rows(const Sums<T>& sums, std::int64_t row) {
  const std::int64_t* columns = sums.out_columns;
  for (std::int64_t j = 0; j < sums.columns;) {
    const bool begins = j + 4 <= sums.columns && columns[j + 1] == columns[j] + 1;
    if (begins && are_adjacent(columns + j + 1, 3)) {
      write_transposed(sums, row, j);
      j += 4;
    } else {
      write_four(sums, row, j);
      ++j;
    }
  }
}

/// Whatever lies side by side in the output is written so.
template <class T, int Bytes>
TYTO_ALWAYS_INLINE void write(const Sums<T>& sums) {
  std::int64_t row = 0;
  if constexpr (!is_complex_type<T>) {
    constexpr std::int64_t w = lanes<T, Bytes>;
    while (row < sums.rows) {
      if (row + w <= sums.rows && are_adjacent(sums.out_rows + row, w)) {
        write_vectors<T, Bytes>(sums, row);
        row += w;
      } else if (row + 4 <= sums.rows) {
        if (w > 4 && are_adjacent(sums.out_rows + row, 4)) write_vectors<T, 4 * static_cast<int>(sizeof(T))>(sums, row);
        else write_four_rows(sums, row);
        row += 4;
      } else {
        break;
      }
    }
  }
  write_apart(sums, row, sums.rows, 0, sums.columns);
}

}  // namespace tyto::arithmetic::loops
