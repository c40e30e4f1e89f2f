// Calls into BLAS and LAPACK, and the only place where a size becomes an int.
#include "execute/cpu/blas.hpp"
#include <algorithm>
#include <type_traits>
#include "error/fail.hpp"
#include <cblas.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <lapacke.h>

namespace tyto::execute::cpu::blas {
namespace {

static_assert(sizeof(lapack_int) == sizeof(int), "LAPACK with 32-bit integers");

template <class T>
constexpr bool is_double = std::is_same_v<T, double>;

CBLAS_TRANSPOSE transposition(bool transpose) { return transpose ? CblasTrans : CblasNoTrans; }

/// Workspace sizes come back as floating point numbers, which may round down.
template <class T>
std::int64_t size_from(T reported) {
  return static_cast<std::int64_t>(static_cast<double>(reported) * 1.000001) + 1;
}

}  // namespace

int narrow(std::int64_t size) {
  if (size > largest || size < -largest)
    fail(Code::unsupported, fmt::format("a size of {} is too large for the linear algebra library", size), "at most 2147483647",
         fmt::format("{}", size), "smaller extents");
  return static_cast<int>(size);
}

void set_threads(int threads) {
  using Setter = void (*)(int);
  for (const char* name : {"openblas_set_num_threads", "bli_thread_set_num_threads", "omp_set_num_threads"}) {
    const Setter set = reinterpret_cast<Setter>(dlsym(RTLD_DEFAULT, name));
    if (set == nullptr) continue;
    set(std::max(threads, 1));
    return;
  }
}

template <class T>
void gemm(bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n, std::int64_t k, const T* a, std::int64_t lda,
          const T* b, std::int64_t ldb, T beta, T* c, std::int64_t ldc) {
  const CBLAS_TRANSPOSE ta = transposition(transpose_a), tb = transposition(transpose_b);
  const int im = narrow(m), in = narrow(n), ik = narrow(k), ia = narrow(lda), ib = narrow(ldb), ic = narrow(ldc);
  if constexpr (is_double<T>) {
    cblas_dgemm(CblasColMajor, ta, tb, im, in, ik, 1, a, ia, b, ib, beta, c, ic);
  } else {
    cblas_sgemm(CblasColMajor, ta, tb, im, in, ik, 1, a, ia, b, ib, beta, c, ic);
  }
}

template <class T>
int potrf(std::int64_t n, T* a, std::int64_t lda) {
  if constexpr (is_double<T>) {
    return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', narrow(n), a, narrow(lda));
  } else {
    return LAPACKE_spotrf_work(LAPACK_COL_MAJOR, 'L', narrow(n), a, narrow(lda));
  }
}

template <class T>
void trsm(bool from_right, bool transpose, std::int64_t n, std::int64_t m, const T* l, std::int64_t ldl, T* b, std::int64_t ldb) {
  const CBLAS_SIDE side = from_right ? CblasRight : CblasLeft;
  const CBLAS_TRANSPOSE t = transposition(transpose);
  const int rows = narrow(from_right ? m : n), columns = narrow(from_right ? n : m), il = narrow(ldl), ib = narrow(ldb);
  if constexpr (is_double<T>) {
    cblas_dtrsm(CblasColMajor, side, CblasLower, t, CblasNonUnit, rows, columns, 1, l, il, b, ib);
  } else {
    cblas_strsm(CblasColMajor, side, CblasLower, t, CblasNonUnit, rows, columns, 1, l, il, b, ib);
  }
}

template <class T>
Work syevd_work(std::int64_t n) {
  const int in = narrow(n), ld = std::max(in, 1);
  T size = 0, unused = 0;
  int integers = 0;
  if constexpr (is_double<T>) {
    LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', in, &unused, ld, &unused, &size, -1, &integers, -1);
  } else {
    LAPACKE_ssyevd_work(LAPACK_COL_MAJOR, 'V', 'L', in, &unused, ld, &unused, &size, -1, &integers, -1);
  }
  return {size_from(size), integers};
}

template <class T>
int syevd(std::int64_t n, T* a, std::int64_t lda, T* values, T* work, int* integers, Work sizes) {
  const int real = narrow(sizes.real), whole = narrow(sizes.integer);
  if constexpr (is_double<T>) {
    return LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', narrow(n), a, narrow(lda), values, work, real, integers, whole);
  } else {
    return LAPACKE_ssyevd_work(LAPACK_COL_MAJOR, 'V', 'L', narrow(n), a, narrow(lda), values, work, real, integers, whole);
  }
}

template <class T>
int getrf(std::int64_t n, T* a, std::int64_t lda, int* pivots) {
  if constexpr (is_double<T>) {
    return LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, narrow(n), narrow(n), a, narrow(lda), pivots);
  } else {
    return LAPACKE_sgetrf_work(LAPACK_COL_MAJOR, narrow(n), narrow(n), a, narrow(lda), pivots);
  }
}

template <class T>
void getrs(std::int64_t n, std::int64_t m, const T* a, std::int64_t lda, const int* pivots, T* b, std::int64_t ldb) {
  if constexpr (is_double<T>) {
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', narrow(n), narrow(m), a, narrow(lda), pivots, b, narrow(ldb));
  } else {
    LAPACKE_sgetrs_work(LAPACK_COL_MAJOR, 'N', narrow(n), narrow(m), a, narrow(lda), pivots, b, narrow(ldb));
  }
}

template <class T>
void getrs_from_right(std::int64_t n, std::int64_t m, const T* a, std::int64_t lda, const int* pivots, T* b, std::int64_t ldb) {
  const int in = narrow(n), im = narrow(m), ia = narrow(lda), ib = narrow(ldb);
  const auto column = [&](std::int64_t k) { return b + k * ldb; };
  for (std::int64_t k = 0; k < n; ++k) {
    if constexpr (is_double<T>) cblas_dswap(im, column(k), 1, column(pivots[k] - 1), 1);
    else cblas_sswap(im, column(k), 1, column(pivots[k] - 1), 1);
  }
  // a = P L U, so that b inv(a') = (b P) inv(L') inv(U').
  if constexpr (is_double<T>) {
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasUnit, im, in, 1, a, ia, b, ib);
    cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, CblasTrans, CblasNonUnit, im, in, 1, a, ia, b, ib);
  } else {
    cblas_strsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasUnit, im, in, 1, a, ia, b, ib);
    cblas_strsm(CblasColMajor, CblasRight, CblasUpper, CblasTrans, CblasNonUnit, im, in, 1, a, ia, b, ib);
  }
}

template <class T>
Work getri_work(std::int64_t n) {
  const int in = narrow(n), ld = std::max(in, 1);
  T size = 0, unused = 0;
  int pivots = 0;
  if constexpr (is_double<T>) {
    LAPACKE_dgetri_work(LAPACK_COL_MAJOR, in, &unused, ld, &pivots, &size, -1);
  } else {
    LAPACKE_sgetri_work(LAPACK_COL_MAJOR, in, &unused, ld, &pivots, &size, -1);
  }
  return {size_from(size), 0};
}

template <class T>
int getri(std::int64_t n, T* a, std::int64_t lda, const int* pivots, T* work, Work sizes) {
  if constexpr (is_double<T>) {
    return LAPACKE_dgetri_work(LAPACK_COL_MAJOR, narrow(n), a, narrow(lda), pivots, work, narrow(sizes.real));
  } else {
    return LAPACKE_sgetri_work(LAPACK_COL_MAJOR, narrow(n), a, narrow(lda), pivots, work, narrow(sizes.real));
  }
}

template <class T>
T gecon(std::int64_t n, const T* a, std::int64_t lda, T norm, T* work, int* integers) {
  T reciprocal = 0;
  if constexpr (is_double<T>) {
    LAPACKE_dgecon_work(LAPACK_COL_MAJOR, '1', narrow(n), a, narrow(lda), norm, &reciprocal, work, integers);
  } else {
    LAPACKE_sgecon_work(LAPACK_COL_MAJOR, '1', narrow(n), a, narrow(lda), norm, &reciprocal, work, integers);
  }
  return reciprocal;
}

template <class T>
Work gelsd_work(std::int64_t n, std::int64_t m) {
  const int in = narrow(n), im = narrow(m), ld = std::max(in, 1);
  T size = 0, unused = 0;
  int integers = 0, rank = 0;
  if constexpr (is_double<T>) {
    LAPACKE_dgelsd_work(LAPACK_COL_MAJOR, in, in, im, &unused, ld, &unused, ld, &unused, 0, &rank, &size, -1, &integers);
  } else {
    LAPACKE_sgelsd_work(LAPACK_COL_MAJOR, in, in, im, &unused, ld, &unused, ld, &unused, 0, &rank, &size, -1, &integers);
  }
  return {size_from(size), std::max(integers, 1)};
}

template <class T>
int gelsd(std::int64_t n, std::int64_t m, T* a, std::int64_t lda, T* b, std::int64_t ldb, T* singular, T rcond, int* rank, T* work,
          int* integers, Work sizes) {
  const int in = narrow(n), im = narrow(m), ia = narrow(lda), ib = narrow(ldb), real = narrow(sizes.real);
  if constexpr (is_double<T>) {
    return LAPACKE_dgelsd_work(LAPACK_COL_MAJOR, in, in, im, a, ia, b, ib, singular, rcond, rank, work, real, integers);
  } else {
    return LAPACKE_sgelsd_work(LAPACK_COL_MAJOR, in, in, im, a, ia, b, ib, singular, rcond, rank, work, real, integers);
  }
}

#define TYTO_INSTANTIATE(T)                                                                                                      \
  template void gemm<T>(bool, bool, std::int64_t, std::int64_t, std::int64_t, const T*, std::int64_t, const T*, std::int64_t, T, \
                        T*, std::int64_t);                                                                                       \
  template int potrf<T>(std::int64_t, T*, std::int64_t);                                                                         \
  template void trsm<T>(bool, bool, std::int64_t, std::int64_t, const T*, std::int64_t, T*, std::int64_t);                       \
  template Work syevd_work<T>(std::int64_t);                                                                                     \
  template int syevd<T>(std::int64_t, T*, std::int64_t, T*, T*, int*, Work);                                                     \
  template int getrf<T>(std::int64_t, T*, std::int64_t, int*);                                                                   \
  template void getrs<T>(std::int64_t, std::int64_t, const T*, std::int64_t, const int*, T*, std::int64_t);                      \
  template void getrs_from_right<T>(std::int64_t, std::int64_t, const T*, std::int64_t, const int*, T*, std::int64_t);           \
  template Work getri_work<T>(std::int64_t);                                                                                     \
  template int getri<T>(std::int64_t, T*, std::int64_t, const int*, T*, Work);                                                   \
  template T gecon<T>(std::int64_t, const T*, std::int64_t, T, T*, int*);                                                        \
  template Work gelsd_work<T>(std::int64_t, std::int64_t);                                                                       \
  template int gelsd<T>(std::int64_t, std::int64_t, T*, std::int64_t, T*, std::int64_t, T*, T, int*, T*, int*, Work);
TYTO_INSTANTIATE(double)
TYTO_INSTANTIATE(float)

}  // namespace tyto::execute::cpu::blas
