#pragma once
/// LAPACK for real and complex matrices under one name, in double precision, with memory that is reserved once. Matrices are
/// stored by columns; orders go to LAPACK's integers through one checked narrowing.
#include <complex>
#include <cstdint>
#include <vector>

namespace tyto::execute::plain {

using Complex = std::complex<double>;

/// Scratch of the routines below; reserve() makes it large enough for n x m matrices with `right_sides` right sides.
template <class S>
struct Workspace {
  std::vector<S> work;
  std::vector<double> real;
  std::vector<int> integers;
  void reserve_eigen(std::int64_t n);
  void reserve_least_squares(std::int64_t n, std::int64_t right_sides);
  void reserve_qr(std::int64_t n, std::int64_t m);
  void reserve_svd(std::int64_t n, std::int64_t m);
};

/// Eigenvalues, rising, and vectors in the place of the Hermitian matrix a; reads its lower triangle. False if it failed.
template <class S>
bool eigen(std::int64_t n, S* a, double* values, Workspace<S>&);
/// Least squares of minimum norm by singular values above `threshold` times the largest, in the place of b (n x m). Returns the
/// rank, -1 if it failed.
template <class S>
std::int64_t least_squares(std::int64_t n, std::int64_t m, S* a, S* b, double* values, double threshold, Workspace<S>&);
/// L in the lower triangle of a. False if the matrix is not positive definite.
template <class S>
bool cholesky(std::int64_t n, S* a);
/// Q (n x m) in the place of a (n >= m) and R (m x m).
template <class S>
void qr(std::int64_t n, std::int64_t m, S* a, S* r, Workspace<S>&);
/// Thin: u (n x k), s, vh (k x m). Destroys a, and falls back on QR iteration where divide and conquer fails. False if both do.
template <class S>
bool svd(std::int64_t n, std::int64_t m, S* a, S* u, double* s, S* vh, S* copy, Workspace<S>&);

}  // namespace tyto::execute::plain
