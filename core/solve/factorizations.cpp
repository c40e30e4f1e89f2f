#include "solve/factorizations.hpp"
#include <algorithm>
#include <cblas.h>
#include <complex>
#include <fmt/format.h>
#define lapack_complex_float std::complex<float>
#define lapack_complex_double std::complex<double>
#include <lapacke.h>
#include "solve/narrowed.hpp"

namespace tyto::solve {

using tensor::Dense;

namespace {

using Complex = std::complex<double>;

void require(int info, const char* what) {
  if (info != 0) fail(Code::third_party, fmt::format("{} failed", what), {}, fmt::format("info {}", info), "finite data");
}

/// The routines of one scalar type. LAPACK sees the transposed of a row-major matrix, so that a QR factorization of ours is an LQ
/// factorization of its.
template <class T>
struct Lapack;

template <>
struct Lapack<double> {
  static void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, const double* a, int lda, const double* b, int ldb,
                   double* c) {
    cblas_dgemm(CblasRowMajor, ta, tb, m, n, k, 1, a, lda, b, ldb, 0, c, n);
  }
  static int qr(int m, int n, double* a, double* tau) { return LAPACKE_dgeqrf(LAPACK_COL_MAJOR, m, n, a, m, tau); }
  static int q_of_qr(int m, int k, double* a, const double* tau) { return LAPACKE_dorgqr(LAPACK_COL_MAJOR, m, k, k, a, m, tau); }
  static int lq(int m, int n, double* a, double* tau) { return LAPACKE_dgelqf(LAPACK_COL_MAJOR, m, n, a, m, tau); }
  static int q_of_lq(int k, int n, int lda, double* a, const double* tau) {
    return LAPACKE_dorglq(LAPACK_COL_MAJOR, k, n, k, a, lda, tau);
  }
  static int divide_and_conquer(int m, int n, double* a, double* s, double* u, double* v) {
    const int k = std::min(m, n);
    return LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', m, n, a, m, s, u, m, v, k);
  }
  static int qr_iterations(int m, int n, double* a, double* s, double* u, double* v, double* rest) {
    const int k = std::min(m, n);
    return LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'S', 'S', m, n, a, m, s, u, m, v, k, rest);
  }
  static int eigenpairs(int n, double* a, double* values) { return LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', n, a, n, values); }
};

template <>
struct Lapack<Complex> {
  static void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, const Complex* a, int lda, const Complex* b,
                   int ldb, Complex* c) {
    const Complex one = 1, zero = 0;
    cblas_zgemm(CblasRowMajor, ta, tb, m, n, k, &one, a, lda, b, ldb, &zero, c, n);
  }
  static int qr(int m, int n, Complex* a, Complex* tau) { return LAPACKE_zgeqrf(LAPACK_COL_MAJOR, m, n, a, m, tau); }
  static int q_of_qr(int m, int k, Complex* a, const Complex* tau) { return LAPACKE_zungqr(LAPACK_COL_MAJOR, m, k, k, a, m, tau); }
  static int lq(int m, int n, Complex* a, Complex* tau) { return LAPACKE_zgelqf(LAPACK_COL_MAJOR, m, n, a, m, tau); }
  static int q_of_lq(int k, int n, int lda, Complex* a, const Complex* tau) {
    return LAPACKE_zunglq(LAPACK_COL_MAJOR, k, n, k, a, lda, tau);
  }
  static int divide_and_conquer(int m, int n, Complex* a, double* s, Complex* u, Complex* v) {
    const int k = std::min(m, n);
    return LAPACKE_zgesdd(LAPACK_COL_MAJOR, 'S', m, n, a, m, s, u, m, v, k);
  }
  static int qr_iterations(int m, int n, Complex* a, double* s, Complex* u, Complex* v, double* rest) {
    const int k = std::min(m, n);
    return LAPACKE_zgesvd(LAPACK_COL_MAJOR, 'S', 'S', m, n, a, m, s, u, m, v, k, rest);
  }
  static int eigenpairs(int n, Complex* a, double* values) { return LAPACKE_zheevd(LAPACK_COL_MAJOR, 'V', 'L', n, a, n, values); }
};

/// Calls `visit` with a zero of the scalar type.
template <class Visit>
auto with_type(const Dense& a, const Visit& visit) {
  if (a.dtype() == Dtype::c128) return visit(Complex{});
  return visit(0.0);
}

template <class T>
T* values(Dense& a) {
  return a.view().as<T>();
}
template <class T>
const T* values(const Dense& a) {
  return a.view().as<T>();
}

Dense matrix(Dtype type, std::int64_t rows, std::int64_t columns) { return Dense::zeros(type, {rows, columns}); }

Dense multiplied(const Dense& a, const Dense& b, bool adjoint_a, bool adjoint_b) {
  TYTO_ASSERT(a.dtype() == b.dtype() && a.order() == 2 && b.order() == 2);
  const std::int64_t m = a.extents()[adjoint_a ? 1 : 0], k = a.extents()[adjoint_a ? 0 : 1], n = b.extents()[adjoint_b ? 0 : 1];
  TYTO_ASSERT(b.extents()[adjoint_b ? 1 : 0] == k);
  Dense c = matrix(a.dtype(), m, n);
  with_type(a, [&]<class T>(T) {
    Lapack<T>::gemm(adjoint_a ? CblasConjTrans : CblasNoTrans, adjoint_b ? CblasConjTrans : CblasNoTrans, narrowed(m), narrowed(n),
                    narrowed(k), values<T>(a), narrowed(a.extents()[1]), values<T>(b), narrowed(b.extents()[1]), values<T>(c));
  });
  return c;
}

}  // namespace

Dense reshaped(Dense a, const Extents& extents) {
  TYTO_ASSERT(element_count(extents) == a.size());
  Dense result = Dense::copy({a.view().data, a.dtype(), extents, row_major(extents)});
  return result;
}

Dense product(const Dense& a, const Dense& b) { return multiplied(a, b, false, false); }
Dense adjoint_product(const Dense& a, const Dense& b) { return multiplied(a, b, true, false); }
Dense product_adjoint(const Dense& a, const Dense& b) { return multiplied(a, b, false, true); }

void scale(Dense& a, double factor) {
  with_type(a, [&]<class T>(T) {
    T* const first = values<T>(a);
    for (std::int64_t k = 0; k < a.size(); ++k) first[k] *= factor;
  });
}

double norm(const Dense& a) {
  return with_type(a, [&]<class T>(T) -> double {
    if constexpr (std::is_same_v<T, double>) return cblas_dnrm2(narrowed(a.size()), values<T>(a), 1);
    else return cblas_dznrm2(narrowed(a.size()), values<T>(a), 1);
  });
}

Factors orthogonal_left(Dense a) {
  const std::int64_t m = a.extents()[0], n = a.extents()[1], k = std::min(m, n);
  Factors f{matrix(a.dtype(), m, k), matrix(a.dtype(), k, n)};
  with_type(a, [&]<class T>(T) {
    std::vector<T> tau(static_cast<std::size_t>(k));
    T *const factored = values<T>(a), *const left = values<T>(f.left), *const right = values<T>(f.right);
    require(Lapack<T>::lq(narrowed(n), narrowed(m), factored, tau.data()), "an LQ factorization (gelqf)");
    for (std::int64_t j = 0; j < n; ++j)  // its L, n x k by columns, is our R^T
      for (std::int64_t i = 0; i <= std::min(j, k - 1); ++i) right[i * n + j] = factored[i * n + j];
    require(Lapack<T>::q_of_lq(narrowed(k), narrowed(m), narrowed(n), factored, tau.data()), "the basis of an LQ factorization");
    for (std::int64_t i = 0; i < m; ++i) std::copy_n(factored + i * n, k, left + i * k);
  });
  return f;
}

Factors orthogonal_right(Dense a) {
  const std::int64_t m = a.extents()[0], n = a.extents()[1], k = std::min(m, n);
  Factors f{matrix(a.dtype(), m, k), matrix(a.dtype(), k, n)};
  with_type(a, [&]<class T>(T) {
    std::vector<T> tau(static_cast<std::size_t>(k));
    T *const factored = values<T>(a), *const left = values<T>(f.left);
    require(Lapack<T>::qr(narrowed(n), narrowed(m), factored, tau.data()), "a QR factorization (geqrf)");
    for (std::int64_t i = 0; i < m; ++i)  // its R, k x m by columns, is our L^T
      std::copy_n(factored + i * n, std::min(i + 1, k), left + i * k);
    require(Lapack<T>::q_of_qr(narrowed(n), narrowed(k), factored, tau.data()), "the basis of a QR factorization");
    std::copy_n(factored, k * n, values<T>(f.right));
  });
  return f;
}

SingularTriplets singular_triplets(const Dense& a, const std::function<void(const std::string&)>& message) {
  const std::int64_t m = a.extents()[0], n = a.extents()[1], k = std::min(m, n);
  SingularTriplets t{matrix(a.dtype(), m, k), std::vector<double>(static_cast<std::size_t>(k)), matrix(a.dtype(), k, n)};
  with_type(a, [&]<class T>(T) {
    const int columns = narrowed(n), rows = narrowed(m);
    Dense copy = a;
    T *u = values<T>(t.right), *v = values<T>(t.left);
    if (Lapack<T>::divide_and_conquer(columns, rows, values<T>(copy), t.values.data(), u, v) == 0) return;
    if (message) message("the divide-and-conquer SVD (gesdd) did not converge; QR iterations (gesvd) are used");
    copy = a;
    std::vector<double> unconverged(static_cast<std::size_t>(k));
    require(Lapack<T>::qr_iterations(columns, rows, values<T>(copy), t.values.data(), u, v, unconverged.data()),
            "a singular value decomposition (gesvd)");
  });
  return t;
}

EigenPairs hermitian_eigenpairs(const Dense& a) {
  const std::int64_t n = a.extents()[0];
  EigenPairs pairs{std::vector<double>(static_cast<std::size_t>(n)), matrix(a.dtype(), n, n)};
  with_type(a, [&]<class T>(T) {
    Dense copy = a;  // LAPACK sees the transposed, whose eigenvectors are the conjugates
    T *const found = values<T>(copy), *const vectors = values<T>(pairs.vectors);
    require(Lapack<T>::eigenpairs(narrowed(n), found, pairs.values.data()), "an eigendecomposition (syevd)");
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = 0; i < n; ++i) {
        const T entry = found[(n - 1 - j) * n + i];
        if constexpr (std::is_same_v<T, double>) vectors[i * n + j] = entry;
        else vectors[i * n + j] = std::conj(entry);
      }
  });
  std::reverse(pairs.values.begin(), pairs.values.end());
  return pairs;
}

Dense leading_columns(const Dense& a, std::int64_t count) {
  return Dense::copy({a.view().data, a.dtype(), {a.extents()[0], count}, {a.extents()[1], 1}});
}
Dense leading_rows(const Dense& a, std::int64_t count) {
  return Dense::copy({a.view().data, a.dtype(), {count, a.extents()[1]}, {a.extents()[1], 1}});
}

void scale_rows(Dense& a, const std::vector<double>& factors) {
  const std::int64_t n = a.extents()[1];
  with_type(a, [&]<class T>(T) {
    T* const first = values<T>(a);
    for (std::int64_t i = 0; i < a.extents()[0]; ++i)
      for (std::int64_t j = 0; j < n; ++j) first[i * n + j] *= factors[static_cast<std::size_t>(i)];
  });
}
void scale_columns(Dense& a, const std::vector<double>& factors) {
  const std::int64_t n = a.extents()[1];
  with_type(a, [&]<class T>(T) {
    T* const first = values<T>(a);
    for (std::int64_t i = 0; i < a.extents()[0]; ++i)
      for (std::int64_t j = 0; j < n; ++j) first[i * n + j] *= factors[static_cast<std::size_t>(j)];
  });
}

}  // namespace tyto::solve
