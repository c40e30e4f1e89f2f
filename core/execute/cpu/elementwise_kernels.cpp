// The bodies are written once for a vector of any width and for one element, and compiled for each instruction set.
#include "execute/cpu/elementwise_kernels.hpp"
#include <cmath>
#include "arithmetic/vector.hpp"

namespace tyto::execute::cpu {
namespace {

using arithmetic::lanes;
using arithmetic::Vector;

/// Body::run<V>(element) for vectors V of elements, then for the elements that are left.
template <class T, int Bytes, class Body>
TYTO_ALWAYS_INLINE void for_vectors(std::int64_t n, const Body& body) {
  using V = Vector<T, Bytes>;
  constexpr std::int64_t w = lanes<T, Bytes>;
  std::int64_t e = 0;
  for (; e + w <= n; e += w) body.template run<V>(e);
  for (; e < n; ++e) body.template run<T>(e);
}

template <class T, int Count>
struct Combine {
  T* out;
  const T* const* in;
  const T* coefficients;
  std::int64_t count;
  T constant;
  template <class V>
  TYTO_ALWAYS_INLINE void run(std::int64_t e) const {
    V sum = V{} + constant;
    if constexpr (Count > 0) {
#pragma GCC unroll 4
      for (int k = 0; k < Count; ++k) sum = sum + arithmetic::vector_at<V>(in[k] + e) * coefficients[k];
    } else {
      for (std::int64_t k = 0; k < count; ++k) sum = sum + arithmetic::vector_at<V>(in[k] + e) * coefficients[k];
    }
    arithmetic::vector_at<V>(out + e) = sum;
  }
};

template <class T, int Count>
struct Multiply {
  T* out;
  const T* const* in;
  std::int64_t count;
  template <class V>
  TYTO_ALWAYS_INLINE void run(std::int64_t e) const {
    V product = arithmetic::vector_at<V>(in[0] + e);
    if constexpr (Count > 0) {
#pragma GCC unroll 4
      for (int k = 1; k < Count; ++k) product = product * arithmetic::vector_at<V>(in[k] + e);
    } else {
      for (std::int64_t k = 1; k < count; ++k) product = product * arithmetic::vector_at<V>(in[k] + e);
    }
    arithmetic::vector_at<V>(out + e) = product;
  }
};

template <class T>
struct Square {
  T* out;
  const T* in;
  template <class V>
  TYTO_ALWAYS_INLINE void run(std::int64_t e) const {
    arithmetic::vector_at<V>(out + e) = arithmetic::vector_at<V>(in + e) * arithmetic::vector_at<V>(in + e);
  }
};

template <class T>
struct Invert {
  T* out;
  const T* in;
  template <class V>
  TYTO_ALWAYS_INLINE void run(std::int64_t e) const {
    arithmetic::vector_at<V>(out + e) = T{1} / arithmetic::vector_at<V>(in + e);
  }
};

template <class T>
struct Add {
  T* out;
  const T* in;
  template <class V>
  TYTO_ALWAYS_INLINE void run(std::int64_t e) const {
    arithmetic::vector_at<V>(out + e) = arithmetic::vector_at<V>(out + e) + arithmetic::vector_at<V>(in + e);
  }
};

template <class T, int Bytes>
TYTO_ALWAYS_INLINE void combine(std::int64_t n, T* out, const T* const* in, const T* c, std::int64_t count, T constant) {
  switch (count) {
    case 1: return for_vectors<T, Bytes>(n, Combine<T, 1>{out, in, c, 1, constant});
    case 2: return for_vectors<T, Bytes>(n, Combine<T, 2>{out, in, c, 2, constant});
    case 3: return for_vectors<T, Bytes>(n, Combine<T, 3>{out, in, c, 3, constant});
    default: return for_vectors<T, Bytes>(n, Combine<T, 0>{out, in, c, count, constant});
  }
}

template <class T, int Bytes>
TYTO_ALWAYS_INLINE void multiply(std::int64_t n, T* out, const T* const* in, std::int64_t count) {
  switch (count) {
    case 2: return for_vectors<T, Bytes>(n, Multiply<T, 2>{out, in, 2});
    case 3: return for_vectors<T, Bytes>(n, Multiply<T, 3>{out, in, 3});
    default: return for_vectors<T, Bytes>(n, Multiply<T, 0>{out, in, count});
  }
}

template <class T, int Bytes>
TYTO_ALWAYS_INLINE T sum(std::int64_t n, const T* in) {
  using V = Vector<T, Bytes>;
  constexpr std::int64_t w = lanes<T, Bytes>;
  V partial[4] = {};
  std::int64_t e = 0;
  for (; e + 4 * w <= n; e += 4 * w) {
#pragma GCC unroll 4
    for (int v = 0; v < 4; ++v) partial[v] = partial[v] + arithmetic::vector_at<V>(in + e + v * w);
  }
  for (; e + w <= n; e += w) partial[0] = partial[0] + arithmetic::vector_at<V>(in + e);
  const V all = (partial[0] + partial[1]) + (partial[2] + partial[3]);
  T total = 0;
  for (int lane = 0; lane < w; ++lane) total += all[lane];
  for (; e < n; ++e) total += in[e];
  return total;
}

/// The kernels of one instruction set: TARGET is the attribute that compiles them for it, BYTES the width of its vectors.
#define TYTO_KERNELS(SET, TARGET, BYTES)                                                                                  \
  template <class T>                                                                                                      \
  struct SET {                                                                                                            \
    TARGET static void combine_(std::int64_t n, T* out, const T* const* in, const T* c, std::int64_t count, T constant) { \
      combine<T, BYTES>(n, out, in, c, count, constant);                                                                  \
    }                                                                                                                     \
    TARGET static void multiply_(std::int64_t n, T* out, const T* const* in, std::int64_t count) {                        \
      multiply<T, BYTES>(n, out, in, count);                                                                              \
    }                                                                                                                     \
    TARGET static void square_(std::int64_t n, T* out, const T* in) { for_vectors<T, BYTES>(n, Square<T>{out, in}); }     \
    TARGET static void square_root_(std::int64_t n, T* out, const T* in) {                                                \
      for (std::int64_t e = 0; e < n; ++e) out[e] = std::sqrt(in[e]);                                                     \
    }                                                                                                                     \
    TARGET static void invert_(std::int64_t n, T* out, const T* in) { for_vectors<T, BYTES>(n, Invert<T>{out, in}); }     \
    TARGET static T sum_(std::int64_t n, const T* in) { return sum<T, BYTES>(n, in); }                                    \
    TARGET static void add_(std::int64_t n, T* out, const T* in) { for_vectors<T, BYTES>(n, Add<T>{out, in}); }           \
    static constexpr BlockKernels<T> table = {combine_, multiply_, square_, square_root_, invert_, sum_, add_};           \
  };
TYTO_KERNELS(Portable, , 16)
#if defined(TYTO_HAS_X86)
TYTO_KERNELS(Avx2, TYTO_TARGET_AVX2, 32)
TYTO_KERNELS(Avx512, TYTO_TARGET_AVX512, 64)
#endif
#undef TYTO_KERNELS

}  // namespace

template <class T>
const BlockKernels<T>& block_kernels([[maybe_unused]] arithmetic::Isa isa) {
#if defined(TYTO_HAS_X86)
  if (isa == arithmetic::Isa::avx512) return Avx512<T>::table;
  if (isa == arithmetic::Isa::avx2) return Avx2<T>::table;
#endif
  return Portable<T>::table;
}

template const BlockKernels<double>& block_kernels<double>(arithmetic::Isa);
template const BlockKernels<float>& block_kernels<float>(arithmetic::Isa);

}  // namespace tyto::execute::cpu
