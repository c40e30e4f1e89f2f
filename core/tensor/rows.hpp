#pragma once
/// Walking strided arrays row by row, and choosing code by the type of the elements. Knows no storage.
#include <array>
#include <utility>
#include "error/fail.hpp"
#include "tyto/array.hpp"

namespace tyto::tensor {

/// A run of elements along the last axis, for N arrays of equal extents that are walked together.
template <std::size_t N>
struct Row {
  std::int64_t first = 0;                ///< row-major number of its first element
  std::int64_t count = 1;                ///< elements
  std::array<std::int64_t, N> offset{};  ///< of the first element in each array, in elements
  std::array<std::int64_t, N> stride{};  ///< from one element to the next in each array
};

/// Whether an array that has elements is dense and row-major.
inline bool is_row_major(const Extents& extents, const Extents& strides) {
  std::int64_t next = 1;
  for (std::size_t axis = extents.size(); axis-- > 0; next *= extents[axis])
    if (strides[axis] != next) return false;
  return true;
}

/// The rows below one entry of each of the first `axis` axes.
template <std::size_t N, class Body>
void walk_rows(const Extents& extents, const std::array<const Extents*, N>& strides, std::size_t axis, Row<N>& row,
               const Body& body) {
  if (axis + 1 == extents.size()) {
    body(std::as_const(row));
    row.first += row.count;
    return;
  }
  for (std::int64_t k = 0; k < extents[axis]; ++k) {
    walk_rows(extents, strides, axis + 1, row, body);
    for (std::size_t n = 0; n < N; ++n) row.offset[n] += (*strides[n])[axis];
  }
  for (std::size_t n = 0; n < N; ++n) row.offset[n] -= (*strides[n])[axis] * extents[axis];
}

/// Calls `body(row)` for all rows in row-major order; arrays that are all contiguous are one row. Allocates nothing.
template <std::size_t N, class Body>
void for_each_row(const Extents& extents, const std::array<const Extents*, N>& strides, Body&& body) {
  const std::int64_t size = element_count(extents);
  if (size == 0) return;
  Row<N> row;
  bool is_contiguous = true;
  for (const Extents* s : strides) is_contiguous = is_contiguous && is_row_major(extents, *s);
  if (extents.empty() || is_contiguous) {
    row.count = size;
    row.stride.fill(1);
    body(std::as_const(row));
    return;
  }
  const std::size_t last = extents.size() - 1;
  row.count = extents[last];
  for (std::size_t n = 0; n < N; ++n) row.stride[n] = (*strides[n])[last];
  walk_rows(extents, strides, 0, row, body);
}

/// Calls `body(T{})` with the C++ type of the elements.
template <class Body>
decltype(auto) with_type(Dtype type, Body&& body) {
  switch (type) {
    case Dtype::i16: return body(std::int16_t{});
    case Dtype::i32: return body(std::int32_t{});
    case Dtype::i64: return body(std::int64_t{});
    case Dtype::f32: return body(float{});
    case Dtype::f64: return body(double{});
    case Dtype::c64: return body(std::complex<float>{});
    case Dtype::c128: break;
  }
  return body(std::complex<double>{});
}

/// The indices of the element with this row-major number.
inline Extents multi_index(std::int64_t element, const Extents& extents) {
  Extents index(extents.size(), 0);
  for (std::size_t n = extents.size(); n-- > 0;) {
    index[n] = element % extents[n];
    element /= extents[n];
  }
  return index;
}

}  // namespace tyto::tensor
