#pragma once
/// A square matrix on the states of one site.
#include <complex>
#include <cstdint>
#include <vector>

namespace tyto::hamiltonian {

using Complex = std::complex<double>;

/// Row-major: element (out, in) is <out|O|in>.
class LocalMatrix {
 public:
  explicit LocalMatrix(std::int64_t dimension);  ///< zeros
  static LocalMatrix identity(std::int64_t dimension);
  static LocalMatrix diagonal(const std::vector<double>&);

  std::int64_t dimension() const { return dimension_; }
  const std::vector<Complex>& values() const { return values_; }
  Complex& operator()(std::int64_t out, std::int64_t in) { return values_[static_cast<std::size_t>(out * dimension_ + in)]; }
  Complex operator()(std::int64_t out, std::int64_t in) const { return values_[static_cast<std::size_t>(out * dimension_ + in)]; }

 private:
  std::int64_t dimension_;
  std::vector<Complex> values_;
};

/// The matrices have one dimension; a product applies its right factor first.
LocalMatrix operator*(const LocalMatrix&, const LocalMatrix&);
LocalMatrix operator*(Complex, const LocalMatrix&);
LocalMatrix operator+(const LocalMatrix&, const LocalMatrix&);
/// Conjugated and transposed.
LocalMatrix adjoint(const LocalMatrix&);

}  // namespace tyto::hamiltonian
