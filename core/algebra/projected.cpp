// Small Hermitian matrices; see the header.
#include "algebra/projected.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <lapacke.h>
#include "error/fail.hpp"

namespace tyto::algebra {
namespace {

constexpr std::size_t block = 64;  // columns that LAPACK reduces at a time, at most

void require(int info, const char* routine) {
  if (info != 0) {
    fail(Code::third_party, fmt::format("the eigenvalues of a small matrix were not found ({})", routine), {},
         fmt::format("info {}", info), "data scaled near one");
  }
}

lapack_complex_double* raw(Scalar* numbers) { return reinterpret_cast<lapack_complex_double*>(numbers); }

bool is_finite(Scalar z) { return std::isfinite(z.real()) && std::isfinite(z.imag()); }

}  // namespace

Projected::Projected(std::size_t capacity, bool is_complex)
    : capacity_(capacity),
      is_complex_(is_complex),
      entries_(capacity * capacity),
      vectors_(capacity * capacity),
      values_(capacity),
      real_(is_complex ? 0 : capacity * capacity),
      work_((block + 3) * capacity + 1) {
  if (is_complex) complex_work_.resize((block + 1) * capacity + 1);
}

void Projected::append(const std::vector<Scalar>& column) {
  TYTO_ASSERT(size_ < capacity_ && column.size() == size_ + 1);
  std::copy(column.begin(), column.end(), entries_.begin() + static_cast<std::ptrdiff_t>(size_ * capacity_));
  ++size_;
}

void Projected::restrict_to(std::size_t count) {
  std::fill(entries_.begin(), entries_.end(), Scalar{});
  for (std::size_t k = 0; k < count; ++k) entries_[k * capacity_ + k] = values_[k];
  size_ = count;
}

bool Projected::diagonalize() {
  for (std::size_t k = 0; k < size_; ++k)
    for (std::size_t j = 0; j <= k; ++j)
      if (!is_finite(entries_[k * capacity_ + j])) return false;
  if (is_complex_) diagonalize_complex();
  else diagonalize_real();
  return true;
}

void Projected::diagonalize_real() {
  const auto n = static_cast<lapack_int>(size_);
  for (std::size_t k = 0; k < size_; ++k)
    for (std::size_t j = 0; j <= k; ++j) real_[k * size_ + j] = entries_[k * capacity_ + j].real();
  require(LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'U', n, real_.data(), n, values_.data(), work_.data(),
                             static_cast<lapack_int>(work_.size())),
          "dsyev");
  std::copy(real_.begin(), real_.begin() + static_cast<std::ptrdiff_t>(size_ * size_), vectors_.begin());
}

void Projected::diagonalize_complex() {
  const auto n = static_cast<lapack_int>(size_);
  for (std::size_t k = 0; k < size_; ++k)
    for (std::size_t j = 0; j <= k; ++j) vectors_[k * size_ + j] = entries_[k * capacity_ + j];
  require(LAPACKE_zheev_work(LAPACK_COL_MAJOR, 'V', 'U', n, raw(vectors_.data()), n, values_.data(), raw(complex_work_.data()),
                             static_cast<lapack_int>(complex_work_.size()), work_.data()),
          "zheev");
}

}  // namespace tyto::algebra
