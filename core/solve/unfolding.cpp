#include "solve/unfolding.hpp"
#include <algorithm>
#include <cblas.h>
#include "solve/narrowed.hpp"
#include "tensor/dense.hpp"

namespace tyto::solve {

Unfolding::Unfolding(const ConstArray& array, std::int32_t axis) : array_(array), axis_(axis) {
  const auto row = static_cast<std::size_t>(axis);
  rows_ = array.extents[row], row_stride_ = array.strides[row];
  for (std::size_t k = 0; k < array.extents.size(); ++k) {
    if (k == row) continue;
    columns_ *= array.extents[k];
    if (array.extents[k] != 1) walks_.push_back({array.extents[k], array.strides[k]});
  }
  std::stable_sort(walks_.begin(), walks_.end(), [](const Walk& a, const Walk& b) { return a.stride > b.stride; });
  for (std::size_t k = walks_.size(); k-- > 1;) {  // one axis where a walk through two is a walk through one
    Walk &outer = walks_[k - 1], inner = walks_[k];
    if (outer.stride != inner.extent * inner.stride) continue;
    outer = {outer.extent * inner.extent, inner.stride};
    walks_.erase(walks_.begin() + static_cast<std::ptrdiff_t>(k));
  }
  if (walks_.empty()) walks_.push_back({});
  if (rows_ == 1) row_stride_ = walks_.back().extent;
}

/// Rows or columns of the innermost walk are contiguous, and the others a leading dimension apart.
bool Unfolding::is_in_place() const {
  const Walk& inner = walks_.back();
  const bool has_rows = inner.stride == 1 && row_stride_ >= inner.extent;
  const bool has_columns = row_stride_ == 1 && inner.stride >= rows_;
  return array_.dtype == Dtype::f64 && (has_rows || has_columns);
}

void Unfolding::add_gram(const double* first, std::size_t walk, std::vector<double>& gram) const {
  const Walk& w = walks_[walk];
  if (walk + 1 < walks_.size()) {
    for (std::int64_t k = 0; k < w.extent; ++k) add_gram(first + k * w.stride, walk + 1, gram);
    return;
  }
  const bool has_rows = w.stride == 1 && row_stride_ >= w.extent;
  cblas_dsyrk(CblasRowMajor, CblasUpper, has_rows ? CblasNoTrans : CblasTrans, narrowed(rows_), narrowed(w.extent), 1, first,
              narrowed(has_rows ? row_stride_ : w.stride), 1, gram.data(), narrowed(rows_));
}

std::vector<double> Unfolding::gram() const {
  std::vector<double> gram(static_cast<std::size_t>(rows_ * rows_), 0);
  if (rows_ == 0 || columns_ == 0) return gram;
  if (is_in_place()) {
    add_gram(array_.as<double>(), 0, gram);
  } else {
    const std::vector<double> matrix = by_rows();
    cblas_dsyrk(CblasRowMajor, CblasUpper, CblasNoTrans, narrowed(rows_), narrowed(columns_), 1, matrix.data(), narrowed(columns_),
                0, gram.data(), narrowed(rows_));
  }
  for (std::int64_t i = 0; i < rows_; ++i)
    for (std::int64_t j = 0; j < i; ++j)
      gram[static_cast<std::size_t>(i * rows_ + j)] = gram[static_cast<std::size_t>(j * rows_ + i)];
  return gram;
}

std::vector<double> Unfolding::by_rows() const {
  std::vector<double> matrix(static_cast<std::size_t>(rows_ * columns_));
  ConstArray rows_first = array_;
  std::rotate(rows_first.extents.begin(), rows_first.extents.begin() + axis_, rows_first.extents.begin() + axis_ + 1);
  std::rotate(rows_first.strides.begin(), rows_first.strides.begin() + axis_, rows_first.strides.begin() + axis_ + 1);
  tensor::copy_to(rows_first, Array(matrix.data(), rows_first.extents));
  return matrix;
}

}  // namespace tyto::solve
