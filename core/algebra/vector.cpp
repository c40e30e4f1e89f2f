// The vector of one process; see the header.
#include "algebra/vector.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include "error/fail.hpp"

namespace tyto::algebra {

namespace {

/// The sum of products, in as many partial sums as a processor adds at once; always in this order.
double sum_of_products(const double* x, const double* y, std::size_t size) {
  constexpr std::size_t lanes = 16;
  std::array<double, lanes> sums{};
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes)
    for (std::size_t k = 0; k < lanes; ++k) sums[k] += x[i + k] * y[i + k];
  for (; i < size; ++i) sums[i % lanes] += x[i] * y[i];
  double total = 0;
  for (const double sum : sums) total += sum;
  return total;
}

}  // namespace

std::unique_ptr<Vector> clone(const Vector& vector) {
  std::unique_ptr<Vector> copy = vector.create();
  copy->copy(vector);
  return copy;
}

const std::vector<double>& host_values(const Vector& vector, const Vector& like) {
  const auto* host = dynamic_cast<const HostVector*>(&vector);
  TYTO_ASSERT(host != nullptr && host->size() == like.size());
  return host->values();
}

void HostVector::copy(const Vector& from) { values_ = host_values(from, *this); }
void HostVector::fill(double value) { std::fill(values_.begin(), values_.end(), value); }

void HostVector::scale(double factor) {
  for (double& value : values_) value *= factor;
}

void HostVector::axpy(double factor, const Vector& x) {
  const std::vector<double>& other = host_values(x, *this);
  for (std::size_t i = 0; i < values_.size(); ++i) values_[i] += factor * other[i];
}

double HostVector::dot(const Vector& vector) const {
  return sum_of_products(values_.data(), host_values(vector, *this).data(), values_.size());
}

double HostVector::norm() const {
  constexpr double safe = 1e200;  // no square was lost below or above
  const double squares = sum_of_products(values_.data(), values_.data(), values_.size());
  if (squares > 1 / safe && squares < safe) return std::sqrt(squares);
  double largest = 0;
  for (const double value : values_) {
    if (std::isnan(value)) return value;
    largest = std::max(largest, std::abs(value));
  }
  if (largest == 0 || !std::isfinite(largest)) return largest;
  double sum = 0;
  for (const double value : values_) sum += (value / largest) * (value / largest);
  return largest * std::sqrt(sum);
}

}  // namespace tyto::algebra
