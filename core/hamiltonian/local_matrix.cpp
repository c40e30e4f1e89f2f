#include "hamiltonian/local_matrix.hpp"
#include "error/fail.hpp"

namespace tyto::hamiltonian {

LocalMatrix::LocalMatrix(std::int64_t dimension)
    : dimension_(dimension), values_(static_cast<std::size_t>(dimension * dimension), Complex{0}) {}

LocalMatrix LocalMatrix::identity(std::int64_t dimension) {
  return diagonal(std::vector<double>(static_cast<std::size_t>(dimension), 1.0));
}

LocalMatrix LocalMatrix::diagonal(const std::vector<double>& values) {
  LocalMatrix d(static_cast<std::int64_t>(values.size()));
  for (std::int64_t k = 0; k < d.dimension(); ++k) d(k, k) = values[static_cast<std::size_t>(k)];
  return d;
}

LocalMatrix operator*(const LocalMatrix& a, const LocalMatrix& b) {
  TYTO_ASSERT(a.dimension() == b.dimension());
  const std::int64_t d = a.dimension();
  LocalMatrix c(d);
  for (std::int64_t i = 0; i < d; ++i)
    for (std::int64_t k = 0; k < d; ++k)
      for (std::int64_t j = 0; j < d; ++j) c(i, j) += a(i, k) * b(k, j);
  return c;
}

LocalMatrix operator*(Complex factor, const LocalMatrix& a) {
  LocalMatrix c = a;
  for (std::int64_t i = 0; i < a.dimension(); ++i)
    for (std::int64_t j = 0; j < a.dimension(); ++j) c(i, j) *= factor;
  return c;
}

LocalMatrix operator+(const LocalMatrix& a, const LocalMatrix& b) {
  TYTO_ASSERT(a.dimension() == b.dimension());
  LocalMatrix c = a;
  for (std::int64_t i = 0; i < a.dimension(); ++i)
    for (std::int64_t j = 0; j < a.dimension(); ++j) c(i, j) += b(i, j);
  return c;
}

LocalMatrix adjoint(const LocalMatrix& a) {
  LocalMatrix c(a.dimension());
  for (std::int64_t i = 0; i < a.dimension(); ++i)
    for (std::int64_t j = 0; j < a.dimension(); ++j) c(i, j) = std::conj(a(j, i));
  return c;
}

}  // namespace tyto::hamiltonian
