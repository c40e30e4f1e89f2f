#pragma once
// A matrix as a LinearMap, for tests.
#include <utility>
#include <vector>
#include "algebra/linear_map.hpp"

namespace tyto::algebra {

class DenseMap final : public LinearMap {
 public:
  DenseMap(std::int64_t rows, std::int64_t columns, std::vector<double> row_major, bool symmetric = false,
           bool has_diagonal = false)
      : rows_(rows), columns_(columns), entries_(std::move(row_major)), symmetric_(symmetric), has_diagonal_(has_diagonal) {}
  std::unique_ptr<Vector> domain() const override { return std::make_unique<HostVector>(columns_); }
  std::unique_ptr<Vector> range() const override { return std::make_unique<HostVector>(rows_); }
  void apply(const Vector& x, Vector& y) const override {
    y.fill(0);
    for (std::int64_t k = 0; k < rows_ * columns_; ++k)
      y.write().as<double>()[k / columns_] += entries_[static_cast<std::size_t>(k)] * x.read().as<double>()[k % columns_];
  }
  void apply_transposed(const Vector& y, Vector& x) const override {
    x.fill(0);
    for (std::int64_t k = 0; k < rows_ * columns_; ++k)
      x.write().as<double>()[k % columns_] += entries_[static_cast<std::size_t>(k)] * y.read().as<double>()[k / columns_];
  }
  bool is_symmetric() const override { return symmetric_; }
  bool diagonal(Vector& result) const override {
    for (std::int64_t i = 0; has_diagonal_ && i < rows_; ++i)
      result.write().as<double>()[i] = entries_[static_cast<std::size_t>(i * columns_ + i)];
    return has_diagonal_;
  }

 private:
  std::int64_t rows_, columns_;
  std::vector<double> entries_;
  bool symmetric_, has_diagonal_;
};

}  // namespace tyto::algebra
