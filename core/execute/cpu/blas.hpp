#pragma once
/// The few routines of BLAS and LAPACK that the executor calls, by element type, with 64-bit sizes in and one checked narrowing
/// inside. Matrices are column-major throughout; nothing here allocates.
#include <cstdint>

namespace tyto::execute::cpu::blas {

/// The largest size and stride that BLAS takes.
constexpr std::int64_t largest = 2147483647;
/// Throws Error{unsupported} when the number does not fit.
int narrow(std::int64_t);

/// Tells the BLAS how many threads it may use, for the whole process.
void set_threads(int);

/// c(m,n) = a(m,k) b(k,n) + beta c, each operand transposed where told; leading dimensions as in BLAS.
template <class T>
void gemm(bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n, std::int64_t k, const T* a, std::int64_t lda,
          const T* b, std::int64_t ldb, T beta, T* c, std::int64_t ldc);

/// Lower Cholesky factor in place; the return value is LAPACK's info.
template <class T>
int potrf(std::int64_t n, T* a, std::int64_t lda);
/// b = inv(op(l)) b, or b inv(op(l)) from the right, for a lower triangular l of order n; m is the other extent of b.
template <class T>
void trsm(bool from_right, bool transpose, std::int64_t n, std::int64_t m, const T* l, std::int64_t ldl, T* b, std::int64_t ldb);

/// Sizes of workspace in elements.
struct Work {
  std::int64_t real = 0, integer = 0;
};
template <class T>
Work syevd_work(std::int64_t n);
/// Eigenvectors over a, eigenvalues ascending; info.
template <class T>
int syevd(std::int64_t n, T* a, std::int64_t lda, T* values, T* work, int* integers, Work);

template <class T>
int getrf(std::int64_t n, T* a, std::int64_t lda, int* pivots);
template <class T>
void getrs(std::int64_t n, std::int64_t m, const T* a, std::int64_t lda, const int* pivots, T* b, std::int64_t ldb);
/// The same for right sides that are the rows of b (m x n): b = b inv(a').
template <class T>
void getrs_from_right(std::int64_t n, std::int64_t m, const T* a, std::int64_t lda, const int* pivots, T* b, std::int64_t ldb);
template <class T>
Work getri_work(std::int64_t n);
template <class T>
int getri(std::int64_t n, T* a, std::int64_t lda, const int* pivots, T* work, Work);
/// Reciprocal condition number in the 1-norm from the factors; work 4n elements and n integers.
template <class T>
T gecon(std::int64_t n, const T* a, std::int64_t lda, T norm, T* work, int* integers);
template <class T>
Work gelsd_work(std::int64_t n, std::int64_t m);
/// Solution of minimum norm over b; singular values below rcond times the largest count as zero; `rank` says how many do not.
template <class T>
int gelsd(std::int64_t n, std::int64_t m, T* a, std::int64_t lda, T* b, std::int64_t ldb, T* singular, T rcond, int* rank, T* work,
          int* integers, Work);

}  // namespace tyto::execute::cpu::blas
