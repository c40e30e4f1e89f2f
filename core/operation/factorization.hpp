#pragma once
/// Matrix factorizations and their parts. A matrix has axes (batch, n, m); each part is a tensor of its own.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tyto::operation {

enum class Decomposition : std::int8_t { cholesky, qr, svd, eigen };

/// Parts with their axes, k being the bond:
///   cholesky      lower triangular L (batch, n, n) with A = L L^H, A Hermitian positive definite
///   q, r          (batch, n, k), (batch, k, m), A = Q R, n >= m = k, diagonal of R real and not negative
///   u, s, v       (batch, n, k), (batch, k), (batch, m, k), A = U diag(s) V^H, k = min(n, m), s falling
///   values, vectors  (batch, k), (batch, n, k), A = V diag(w) V^H, A Hermitian, k = n, w rising
/// The largest entry of each column of u and of vectors (the first, if several agree to rounding) is real and positive.
enum class Part : std::int8_t { cholesky, q, r, u, s, v, values, vectors };

const std::vector<Part>& parts();
/// "svd.u"
std::string name_of(Part);
std::optional<Part> part_named(const std::string&);
Decomposition decomposition_of(Part);
/// The parts of one decomposition, in the order above.
std::vector<Part> parts_of(Decomposition);
/// Values are real whatever the matrix is.
constexpr bool is_real(Part part) { return part == Part::s || part == Part::values; }

/// How a system may be solved.
enum class System : std::int8_t {
  general,
  symmetric,          ///< Hermitian
  positive_definite,  ///< Hermitian positive definite
  semidefinite,       ///< Hermitian positive semidefinite and consistent; the solution of minimum norm is meant
  nonnegative,        ///< real, semidefinite and consistent; meant is the x >= 0 that minimizes 1/2 x.M x - b.x
};
/// Whether the solution is linear in the right side.
constexpr bool is_linear(System system) { return system != System::nonnegative; }
constexpr bool is_symmetric(System system) { return system != System::general; }
/// By Cholesky, as long as the pivots last.
constexpr bool is_definite(System system) { return system == System::positive_definite || system == System::semidefinite; }

}  // namespace tyto::operation
