#pragma once
/// Orthonormal bases of the columns of a matrix: its leading left singular vectors, by LAPACK.
#include <functional>
#include "solve/unfolding.hpp"

namespace tyto::solve {

/// How a basis is found. `gram` takes the eigenvectors of Y Y^T, half the work and half the digits; `orthogonal` a QR factorization
/// and the singular value decomposition of its triangle.
enum class Route : std::int8_t { gram, orthogonal };

struct Basis {
  std::vector<double> vectors;  ///< rows x count, row-major; of each column the entry of largest magnitude is positive
  std::vector<double> squares;  ///< of the singular values, descending, as many as were found; the rest of the matrix has none
  Route route = Route::orthogonal;
  bool is_finite = true;  ///< else the matrix has entries that are not, and there are no vectors
};

/// Of each column of a row-major matrix the entry of largest magnitude becomes positive: vectors are defined up to their sign.
void fix_signs(std::vector<double>& vectors, std::int64_t rows, std::int64_t count);

/// The route that a matrix of this shape takes: a Gram matrix where it is small, which is where there are at least as many columns
/// as rows. Modes too large for either have iterative_basis().
Route first_route(std::int64_t rows, std::int64_t columns);

/// Whether eigenvalues of Y Y^T tell its leading `count` eigenvectors well enough, of rounding eps * trace as they are. Either all
/// vectors are taken, so that no choice is left, or both what is kept last and what is left out stand far above that rounding:
/// singular values of 1.5e-6 of the largest. Then the choice costs less than 1e-8 of what is left out.
bool gram_suffices(const std::vector<double>& descending, std::int64_t count);

/// The leading left singular vectors, count <= rows of them; where the matrix has fewer columns than that, or lower rank, any
/// orthonormal vectors follow. With `route` gram the other is taken all the same where gram_suffices() says no, and Basis::route
/// says so. Takes n^2 m flops by Gram, twice that by QR. Error{third_party} where LAPACK finds none;
/// `message` hears that a first method did not converge and another was taken.
Basis leading_basis(const Unfolding&, std::int64_t count, Route, const std::function<void(const std::string&)>& message = {});

/// All min(rows, columns) left singular vectors with the squares of their values: accurate to `smallest` of the sum of squares, by
/// the cheaper route that is.
Basis whole_basis(const Unfolding&, double smallest, const std::function<void(const std::string&)>& message = {});

}  // namespace tyto::solve
