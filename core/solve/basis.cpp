#include "solve/basis.hpp"
#include <algorithm>
#include <cblas.h>
#include <cmath>
#include <fmt/format.h>
#include <lapacke.h>
#include <numeric>
#include "solve/narrowed.hpp"

namespace tyto::solve {

namespace {

constexpr double eps = 2.220446049250313e-16;
constexpr double margin = 1e4;  // how far above its rounding a square from a Gram matrix must be

using Message = std::function<void(const std::string&)>;

void require(int info, const char* what) {
  if (info != 0)
    fail(Code::third_party, fmt::format("{} failed", what), {}, fmt::format("info {}", info), "data scaled near one (scale: auto)");
}

/// All eigenvectors of a symmetric matrix in its place, row k to the k-th smallest value.
std::vector<double> eigenvectors_by_rows(std::vector<double>& matrix, std::int64_t n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  if (n > 0)
    require(LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', narrowed(n), matrix.data(), narrowed(n), values.data()),
            "the eigendecomposition of a Gram matrix (dsyevd)");
  return values;
}

/// U, s and V^T of a small square matrix by columns; the singular vectors on the left are left in its place.
struct Triangle {
  std::vector<double> left, values, right;  ///< by columns; right is V^T
};

Triangle singular_triplets(const std::vector<double>& matrix, std::int64_t n, const Message& message) {
  const auto size = static_cast<std::size_t>(n * n);
  Triangle t{std::vector<double>(size), std::vector<double>(static_cast<std::size_t>(n)), std::vector<double>(size)};
  if (n == 0) return t;
  std::vector<double> copy = matrix;
  const int k = narrowed(n);
  if (LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'A', k, k, copy.data(), k, t.values.data(), t.left.data(), k, t.right.data(), k) == 0)
    return t;
  if (message) message("the divide-and-conquer SVD (dgesdd) did not converge; QR iterations (dgesvd) are used");
  copy = matrix;
  std::vector<double> unconverged(static_cast<std::size_t>(n));
  require(LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'A', 'A', k, k, copy.data(), k, t.values.data(), t.left.data(), k, t.right.data(), k,
                         unconverged.data()),
          "the singular value decomposition of a triangle (dgesvd)");
  return t;
}

/// The triangle R of a QR factorization of `rows` x `columns`, by columns, as a full square matrix.
std::vector<double> upper_triangle(const std::vector<double>& factored, std::int64_t rows, std::int64_t columns) {
  std::vector<double> r(static_cast<std::size_t>(columns * columns), 0);
  for (std::int64_t j = 0; j < columns; ++j)
    for (std::int64_t i = 0; i <= j; ++i)
      r[static_cast<std::size_t>(j * columns + i)] = factored[static_cast<std::size_t>(j * rows + i)];
  return r;
}

std::vector<double> squares_of(const std::vector<double>& values) {
  std::vector<double> squares;
  for (const double s : values) squares.push_back(s * s);
  return squares;
}

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

Basis not_finite(Route route) { return {.route = route, .is_finite = false}; }

Basis by_gram(const Unfolding& y, std::int64_t count) {
  const std::int64_t n = y.rows();
  std::vector<double> matrix = y.gram();
  if (!all_finite(matrix)) return not_finite(Route::gram);
  const std::vector<double> ascending = eigenvectors_by_rows(matrix, n);
  Basis basis{.route = Route::gram};
  for (auto value = ascending.rbegin(); value != ascending.rend(); ++value) basis.squares.push_back(std::max(0.0, *value));
  basis.vectors.resize(static_cast<std::size_t>(n * count));
  for (std::int64_t r = 0; r < count; ++r)
    for (std::int64_t i = 0; i < n; ++i)
      basis.vectors[static_cast<std::size_t>(i * count + r)] = matrix[static_cast<std::size_t>((n - 1 - r) * n + i)];
  return basis;
}

/// At least as many columns as rows: Y^T = Q R, and R^T has the left singular vectors of Y.
Basis of_wide(const Unfolding& y, std::int64_t count, const Message& message) {
  const std::int64_t n = y.rows(), m = y.columns();
  std::vector<double> transpose = y.by_rows();  // by rows is by columns of the transpose
  if (!all_finite(transpose)) return not_finite(Route::orthogonal);
  std::vector<double> reflectors(static_cast<std::size_t>(n));
  if (n > 0)
    require(LAPACKE_dgeqrf(LAPACK_COL_MAJOR, narrowed(m), narrowed(n), transpose.data(), narrowed(m), reflectors.data()),
            "a QR factorization (dgeqrf)");
  const Triangle t = singular_triplets(upper_triangle(transpose, m, n), n, message);
  Basis basis{.squares = squares_of(t.values)};
  basis.vectors.resize(static_cast<std::size_t>(n * count));
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t r = 0; r < count; ++r)
      basis.vectors[static_cast<std::size_t>(i * count + r)] = t.right[static_cast<std::size_t>(i * n + r)];
  return basis;
}

/// More rows than columns: Y = Q R, and Q times the left singular vectors of R; columns of Q beyond those of Y complete them.
Basis of_tall(const Unfolding& y, std::int64_t count, const Message& message) {
  const std::int64_t n = y.rows(), m = y.columns(), q_columns = std::max(m, count);
  const std::vector<double> rows = y.by_rows();
  if (!all_finite(rows)) return not_finite(Route::orthogonal);
  std::vector<double> q(static_cast<std::size_t>(n * q_columns), 0);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < m; ++j) q[static_cast<std::size_t>(j * n + i)] = rows[static_cast<std::size_t>(i * m + j)];
  std::vector<double> reflectors(static_cast<std::size_t>(std::max<std::int64_t>(1, m)));
  require(LAPACKE_dgeqrf(LAPACK_COL_MAJOR, narrowed(n), narrowed(m), q.data(), narrowed(n), reflectors.data()),
          "a QR factorization (dgeqrf)");
  const Triangle t = singular_triplets(upper_triangle(q, n, m), m, message);
  require(LAPACKE_dorgqr(LAPACK_COL_MAJOR, narrowed(n), narrowed(q_columns), narrowed(m), q.data(), narrowed(n), reflectors.data()),
          "an orthonormal factor (dorgqr)");
  Basis basis{.squares = squares_of(t.values)};
  basis.vectors.resize(static_cast<std::size_t>(n * count));
  const std::int64_t leading = std::min(m, count);
  if (leading > 0)  // by rows and by columns differ by a transpose: vectors^T = left^T q^T
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasTrans, narrowed(n), narrowed(leading), narrowed(m), 1, q.data(), narrowed(n),
                t.left.data(), narrowed(m), 0, basis.vectors.data(), narrowed(count));
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t r = leading; r < count; ++r)
      basis.vectors[static_cast<std::size_t>(i * count + r)] = q[static_cast<std::size_t>(r * n + i)];
  return basis;
}

Basis by_factorization(const Unfolding& y, std::int64_t count, const Message& message) {
  return y.rows() > y.columns() ? of_tall(y, count, message) : of_wide(y, count, message);
}

}  // namespace

void fix_signs(std::vector<double>& vectors, std::int64_t rows, std::int64_t count) {
  for (std::int64_t r = 0; r < count; ++r) {
    double largest = 0;
    for (std::int64_t i = 0; i < rows; ++i) {
      const double v = vectors[static_cast<std::size_t>(i * count + r)];
      if (std::abs(v) > std::abs(largest)) largest = v;
    }
    for (std::int64_t i = 0; largest < 0 && i < rows; ++i) vectors[static_cast<std::size_t>(i * count + r)] *= -1;
  }
}

Route first_route(std::int64_t rows, std::int64_t columns) { return rows > columns ? Route::orthogonal : Route::gram; }

bool gram_suffices(const std::vector<double>& descending, std::int64_t count) {
  const auto size = static_cast<std::int64_t>(descending.size());
  if (count >= size || count == 0) return true;
  const double trace = std::accumulate(descending.begin(), descending.end(), 0.0);
  const double left_out = std::accumulate(descending.begin() + count, descending.end(), 0.0);
  const double least = margin * eps * trace;
  return descending[static_cast<std::size_t>(count - 1)] >= least && left_out >= least;
}

Basis leading_basis(const Unfolding& y, std::int64_t count, Route route, const Message& message) {
  TYTO_ASSERT(count >= 0 && count <= y.rows());
  Basis basis;
  if (route == Route::gram) basis = by_gram(y, count);
  if (!basis.is_finite) return basis;
  if (route == Route::orthogonal || !gram_suffices(basis.squares, count)) basis = by_factorization(y, count, message);
  if (basis.is_finite) fix_signs(basis.vectors, y.rows(), count);
  return basis;
}

Basis whole_basis(const Unfolding& y, double smallest, const Message& message) {
  const bool is_gram = first_route(y.rows(), y.columns()) == Route::gram && smallest >= margin * eps;
  const std::int64_t count = std::min(y.rows(), y.columns());
  Basis basis = is_gram ? by_gram(y, count) : by_factorization(y, count, message);
  if (basis.is_finite) fix_signs(basis.vectors, y.rows(), count);
  return basis;
}

}  // namespace tyto::solve
