// The vector of one process; see the header.
#include "algebra/vector.hpp"

#include <algorithm>
#include <cmath>
#include "error/fail.hpp"

namespace tyto::algebra {

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
  const std::vector<double>& other = host_values(vector, *this);
  double sum = 0;
  for (std::size_t i = 0; i < values_.size(); ++i) sum += values_[i] * other[i];
  return sum;
}

double HostVector::norm() const {
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
