// Frobenius norms of matrix product operators by orthogonalization from the left.
#include <algorithm>
#include <cmath>
#include <lapacke.h>
#include <limits>
#include "error/fail.hpp"
#include "hamiltonian/mpo.hpp"

namespace tyto::hamiltonian {

namespace {

/// One site as a row-major matrix for each value of the left bond: (out, in) x right.
struct Site {
  std::int64_t left = 1, right = 1, square = 1;  ///< square: dimension^2
  std::vector<Complex> values = {};              ///< [left][out, in][right]
};

enum class Form { as_is, minus_adjoint };

/// The site of H, or of -H^+ without the sign.
Site site_of(const tensor::Dense& w, Form form) {
  const Extents& extents = w.extents();
  const std::int64_t d = extents[2];
  Site site{extents[0], extents[1], d * d, std::vector<Complex>(static_cast<std::size_t>(w.size()))};
  const tensor::Dense converted = tensor::Dense::copy(w.view(), Dtype::c128);
  const auto* const from = converted.view().as<Complex>();
  for (std::int64_t a = 0; a < site.left; ++a)
    for (std::int64_t b = 0; b < site.right; ++b)
      for (std::int64_t out = 0; out < d; ++out)
        for (std::int64_t in = 0; in < d; ++in) {
          const Complex value = from[((a * site.right + b) * d + out) * d + in];
          const std::int64_t place = form == Form::as_is ? out * d + in : in * d + out;
          site.values[static_cast<std::size_t>((a * site.square + place) * site.right + b)] =
              form == Form::as_is ? value : std::conj(value);
        }
  return site;
}

/// The site of A - B: block diagonal, a row of blocks at the first site and a column of blocks at the last.
Site difference(const Site& a, const Site& b, bool is_first, bool is_last) {
  const std::int64_t row = is_first ? 0 : a.left, column = is_last ? 0 : a.right;
  Site both{is_first ? 1 : a.left + b.left, is_last ? 1 : a.right + b.right, a.square, {}};
  both.values.resize(static_cast<std::size_t>(both.left * both.square * both.right));
  const auto put = [&](const Site& from, std::int64_t left, std::int64_t right, double sign) {
    for (std::int64_t l = 0; l < from.left; ++l)
      for (std::int64_t s = 0; s < from.square; ++s)
        for (std::int64_t r = 0; r < from.right; ++r)
          both.values[static_cast<std::size_t>(((left + l) * both.square + s) * both.right + right + r)] +=
              sign * from.values[static_cast<std::size_t>((l * from.square + s) * from.right + r)];
  };
  put(a, 0, 0, 1);
  put(b, row, column, is_first ? -1 : 1);
  return both;
}

/// The triangle R of the factorization QR of a rows x columns matrix in row-major order, which is destroyed.
std::vector<Complex> triangle(std::vector<Complex>& matrix, std::int64_t rows, std::int64_t columns) {
  const std::int64_t rank = std::min(rows, columns);
  TYTO_ASSERT(rows <= std::numeric_limits<lapack_int>::max());
  std::vector<Complex> reflectors(static_cast<std::size_t>(rank)), r(static_cast<std::size_t>(rank * columns));
  const auto info = LAPACKE_zgeqrf(LAPACK_ROW_MAJOR, static_cast<lapack_int>(rows), static_cast<lapack_int>(columns),
                                   reinterpret_cast<lapack_complex_double*>(matrix.data()), static_cast<lapack_int>(columns),
                                   reinterpret_cast<lapack_complex_double*>(reflectors.data()));
  TYTO_ASSERT(info == 0);
  for (std::int64_t i = 0; i < rank; ++i)
    for (std::int64_t j = i; j < columns; ++j)
      r[static_cast<std::size_t>(i * columns + j)] = matrix[static_cast<std::size_t>(i * columns + j)];
  return r;
}

/// R W for R(rows, left): as a matrix (rows, out, in) x right.
std::vector<Complex> times(const std::vector<Complex>& r, std::int64_t rows, const Site& site) {
  const std::int64_t width = site.square * site.right;
  std::vector<Complex> product(static_cast<std::size_t>(rows * width));
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t l = 0; l < site.left; ++l) {
      const Complex factor = r[static_cast<std::size_t>(i * site.left + l)];
      if (factor == Complex{0}) continue;
      for (std::int64_t k = 0; k < width; ++k)
        product[static_cast<std::size_t>(i * width + k)] += factor * site.values[static_cast<std::size_t>(l * width + k)];
    }
  return product;
}

/// |H|_F / sqrt(dimension), divided site by site, so that nothing grows with the number of sites.
template <class SiteAt>
double scaled_norm(std::int64_t sites, const SiteAt& site_at) {
  std::vector<Complex> r{1.0};
  std::int64_t rows = 1;
  for (std::int64_t k = 0; k < sites; ++k) {
    const Site site = site_at(k);
    std::vector<Complex> matrix = times(r, rows, site);
    const double scale = std::pow(static_cast<double>(site.square), -0.25);
    for (Complex& value : matrix) value *= scale;
    r = triangle(matrix, rows * site.square, site.right);
    rows = std::min(rows * site.square, site.right);
  }
  return std::abs(r.front());
}

}  // namespace

double rms_eigenvalue(const Mpo& mpo) {
  return scaled_norm(mpo.sites(), [&](std::int64_t k) { return site_of(mpo.tensors[static_cast<std::size_t>(k)], Form::as_is); });
}

double non_hermitian_part(const Mpo& mpo) {
  const double norm = rms_eigenvalue(mpo);
  if (norm == 0) return 0;
  const auto site_at = [&](std::int64_t k) {
    const tensor::Dense& w = mpo.tensors[static_cast<std::size_t>(k)];
    return difference(site_of(w, Form::as_is), site_of(w, Form::minus_adjoint), k == 0, k + 1 == mpo.sites());
  };
  return scaled_norm(mpo.sites(), site_at) / norm;
}

}  // namespace tyto::hamiltonian
