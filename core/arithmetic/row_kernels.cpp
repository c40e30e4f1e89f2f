// The bodies are written once with vectors of a given width and compiled for each instruction set.
#include "arithmetic/row_kernels.hpp"
#include <algorithm>
#include "arithmetic/vector.hpp"

namespace tyto::arithmetic {
namespace {

/// One row: out = or += left * right.
template <class T, int Bytes, bool RightMoves, bool Accumulate>
TYTO_ALWAYS_INLINE void multiply_row(std::int64_t columns, T* __restrict out, const T* __restrict left, const T* __restrict right) {
  using V = Vector<T, Bytes>;
  constexpr std::int64_t w = lanes<T, Bytes>;
  const T factor = RightMoves ? T{0} : right[0];
  std::int64_t c = 0;
  for (; c + w <= columns; c += w) {
    V value = vector_at<V>(left + c);
    if constexpr (RightMoves) {
      value = value * vector_at<V>(right + c);
    } else {
      value = value * factor;
    }
    if constexpr (Accumulate) value = value + vector_at<V>(out + c);
    vector_at<V>(out + c) = value;
  }
  for (; c < columns; ++c) {
    const T value = left[c] * (RightMoves ? right[c] : factor);
    out[c] = Accumulate ? out[c] + value : value;
  }
}

template <class T, int Bytes, bool RightMoves>
TYTO_ALWAYS_INLINE void multiply_rows(const Rows<T>& r) {
  for (std::int64_t j = 0; j < r.rows; ++j) {
    T* out = r.out + j * r.out_row;
    const T *left = r.left + j * r.left_row, *right = r.right + j * r.right_row;
    if (r.accumulate) {
      multiply_row<T, Bytes, RightMoves, true>(r.columns, out, left, right);
    } else {
      multiply_row<T, Bytes, RightMoves, false>(r.columns, out, left, right);
    }
  }
}

/// A few vectors of columns, all rows [first, last) added up in registers.
template <class T, int Bytes, std::size_t Count, bool RightMoves>
TYTO_ALWAYS_INLINE void add_tile(const Rows<T>& r, std::int64_t column, std::int64_t first, std::int64_t last, bool accumulate) {
  using V = Vector<T, Bytes>;
  constexpr std::int64_t w = lanes<T, Bytes>;
  V sum[Count] = {};
  const T* left = r.left + first * r.left_row + column;
  const T* right = r.right + first * r.right_row + (RightMoves ? column : 0);
  for (std::int64_t j = first; j < last; ++j, left += r.left_row, right += r.right_row) {
#pragma GCC unroll 8
    for (std::size_t v = 0; v < Count; ++v) {
      const std::int64_t place = static_cast<std::int64_t>(v) * w;
      if constexpr (RightMoves) {
        sum[v] = sum[v] + vector_at<V>(left + place) * vector_at<V>(right + place);
      } else {
        sum[v] = sum[v] + vector_at<V>(left + place) * right[0];
      }
    }
  }
#pragma GCC unroll 8
  for (std::size_t v = 0; v < Count; ++v) {
    T* out = r.out + column + static_cast<std::int64_t>(v) * w;
    if (accumulate) sum[v] = sum[v] + vector_at<V>(out);
    vector_at<V>(out) = sum[v];
  }
}

/// Rows are taken in chunks that stay in the first-level cache, so that wide operands are read in their order.
template <class T, int Bytes, bool RightMoves>
TYTO_ALWAYS_INLINE void add_rows(const Rows<T>& r) {
  constexpr std::int64_t w = lanes<T, Bytes>;
  const std::int64_t chunk =
      std::max<std::int64_t>(8, 16384 / static_cast<std::int64_t>(sizeof(T)) / std::max<std::int64_t>(r.columns, 1));
  for (std::int64_t first = 0; first < r.rows; first += chunk) {
    const std::int64_t last = std::min(r.rows, first + chunk);
    const bool accumulate = r.accumulate || first > 0;
    std::int64_t c = 0;
    for (; c + 8 * w <= r.columns; c += 8 * w) add_tile<T, Bytes, 8, RightMoves>(r, c, first, last, accumulate);
    if (c + 4 * w <= r.columns) add_tile<T, Bytes, 4, RightMoves>(r, c, first, last, accumulate), c += 4 * w;
    if (c + 2 * w <= r.columns) add_tile<T, Bytes, 2, RightMoves>(r, c, first, last, accumulate), c += 2 * w;
    if (c + w <= r.columns) add_tile<T, Bytes, 1, RightMoves>(r, c, first, last, accumulate), c += w;
    for (; c < r.columns; ++c) {
      T sum = 0;
      for (std::int64_t j = first; j < last; ++j)
        sum += r.left[j * r.left_row + c] * r.right[j * r.right_row + (RightMoves ? c : 0)];
      r.out[c] = accumulate ? r.out[c] + sum : sum;
    }
  }
}

template <class T, int Bytes, bool RightMoves>
TYTO_ALWAYS_INLINE T dot_row(std::int64_t columns, const T* __restrict left, const T* __restrict right) {
  using V = Vector<T, Bytes>;
  constexpr std::int64_t w = lanes<T, Bytes>;
  V sum[4] = {};
  std::int64_t c = 0;
  for (; c + 4 * w <= columns; c += 4 * w) {
#pragma GCC unroll 4
    for (int v = 0; v < 4; ++v) {
      if constexpr (RightMoves) {
        sum[v] = sum[v] + vector_at<V>(left + c + v * w) * vector_at<V>(right + c + v * w);
      } else {
        sum[v] = sum[v] + vector_at<V>(left + c + v * w);
      }
    }
  }
  for (; c + w <= columns; c += w) {
    if constexpr (RightMoves) {
      sum[0] = sum[0] + vector_at<V>(left + c) * vector_at<V>(right + c);
    } else {
      sum[0] = sum[0] + vector_at<V>(left + c);
    }
  }
  const V all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  T total = 0;
  for (int lane = 0; lane < w; ++lane) total += all[lane];
  for (; c < columns; ++c) total += RightMoves ? left[c] * right[c] : left[c];
  return RightMoves ? total : total * right[0];
}

template <class T, int Bytes, bool RightMoves>
TYTO_ALWAYS_INLINE void dot_rows(const Rows<T>& r) {
  T total = 0;
  for (std::int64_t j = 0; j < r.rows; ++j) {
    const T value = dot_row<T, Bytes, RightMoves>(r.columns, r.left + j * r.left_row, r.right + j * r.right_row);
    total += value;
    if (r.rows_summed) continue;
    T& out = r.out[j * r.out_row];
    out = r.accumulate ? out + value : value;
  }
  if (r.rows_summed) r.out[0] = r.accumulate ? r.out[0] + total : total;
}

template <class T>
TYTO_ALWAYS_INLINE void any_rows(const Rows<T>& r) {
  for (std::int64_t j = 0; j < r.rows; ++j) {
    T* out = r.out + j * r.out_row;
    const T *left = r.left + j * r.left_row, *right = r.right + j * r.right_row;
    const bool add = r.accumulate || (r.rows_summed && j > 0);
    if (r.columns_summed) {
      T sum = 0;
      for (std::int64_t c = 0; c < r.columns; ++c) sum += left[c * r.left_column] * right[c * r.right_column];
      *out = add ? *out + sum : sum;
    } else {
      for (std::int64_t c = 0; c < r.columns; ++c) {
        const T value = left[c * r.left_column] * right[c * r.right_column];
        out[c * r.out_column] = add ? out[c * r.out_column] + value : value;
      }
    }
  }
}

template <class T, int Bytes>
TYTO_ALWAYS_INLINE void run(RowKernel kernel, const Rows<T>& r) {
  switch (kernel) {
    case RowKernel::multiply: return multiply_rows<T, Bytes, true>(r);
    case RowKernel::scale: return multiply_rows<T, Bytes, false>(r);
    case RowKernel::multiply_add: return add_rows<T, Bytes, true>(r);
    case RowKernel::scale_add: return add_rows<T, Bytes, false>(r);
    case RowKernel::dot: return dot_rows<T, Bytes, true>(r);
    case RowKernel::sum: return dot_rows<T, Bytes, false>(r);
    case RowKernel::any: return any_rows<T>(r);
  }
}

template <class T, RowKernel Kernel>
void portable(const Rows<T>& r) {
  run<T, 16>(Kernel, r);
}
#if defined(TYTO_HAS_X86)
template <class T, RowKernel Kernel>
TYTO_TARGET_AVX2 void with_avx2(const Rows<T>& r) {
  run<T, 32>(Kernel, r);
}
template <class T, RowKernel Kernel>
TYTO_TARGET_AVX512 void with_avx512(const Rows<T>& r) {
  run<T, 64>(Kernel, r);
}
#endif

template <class T, RowKernel Kernel>
RowFunction<T> function_for(Isa isa) {
#if defined(TYTO_HAS_X86)
  if (isa == Isa::avx512) return with_avx512<T, Kernel>;
  if (isa == Isa::avx2) return with_avx2<T, Kernel>;
#endif
  return portable<T, Kernel>;
}

}  // namespace

template <class T>
RowFunction<T> row_function(Isa isa, RowKernel kernel) {
  switch (kernel) {
    case RowKernel::multiply: return function_for<T, RowKernel::multiply>(isa);
    case RowKernel::scale: return function_for<T, RowKernel::scale>(isa);
    case RowKernel::multiply_add: return function_for<T, RowKernel::multiply_add>(isa);
    case RowKernel::scale_add: return function_for<T, RowKernel::scale_add>(isa);
    case RowKernel::dot: return function_for<T, RowKernel::dot>(isa);
    case RowKernel::sum: return function_for<T, RowKernel::sum>(isa);
    case RowKernel::any: break;
  }
  return function_for<T, RowKernel::any>(isa);
}

template RowFunction<double> row_function<double>(Isa, RowKernel);
template RowFunction<float> row_function<float>(Isa, RowKernel);

}  // namespace tyto::arithmetic
