#include "solve/sequential_hosvd.hpp"
#include <algorithm>
#include <cblas.h>
#include <cmath>
#include <numeric>
#include <utility>
#include "solve/narrowed.hpp"
#include "tensor/statistics.hpp"

namespace tyto::solve {

namespace {

/// What the axes before have left of the data: the data themselves at first, without a copy where they are what BLAS takes.
class Remainder {
 public:
  explicit Remainder(const ConstArray& data) : view_(data) {
    if (data.dtype != Dtype::f64 || data.strides != row_major(data.extents)) hold(tensor::Dense::copy(data, Dtype::f64));
  }
  const ConstArray& view() const { return view_; }

  /// Multiplies by 2^power, which is exact.
  void scale(int power) {
    if (power == 0) return;
    tensor::Dense scaled = tensor::Dense::copy(view_);
    auto* const values = scaled.view().as<double>();
    for (std::int64_t k = 0; k < scaled.size(); ++k) values[k] = std::ldexp(values[k], power);
    hold(std::move(scaled));
  }

  /// Along the axis the coordinates in a basis, row-major extent x rank: slab by slab U^T Y.
  void project(std::size_t axis, const std::vector<double>& basis, std::int64_t rank) {
    Extents extents = view_.extents;
    const std::int64_t extent = std::exchange(extents[axis], rank);
    const auto after = extents.begin() + static_cast<std::ptrdiff_t>(axis) + 1;
    const std::int64_t inner = element_count({after, extents.end()}), outer = element_count({extents.begin(), after - 1});
    tensor::Dense projected = tensor::Dense::zeros(Dtype::f64, extents);
    if (projected.size() > 0 && extent > 0) {
      const auto* from = view_.as<double>();
      auto* to = projected.view().as<double>();
      if (inner == 1) {  // rows of all slabs at once
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, narrowed(outer), narrowed(rank), narrowed(extent), 1, from,
                    narrowed(extent), basis.data(), narrowed(rank), 0, to, narrowed(rank));
      } else {
        for (std::int64_t o = 0; o < outer; ++o)
          cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, narrowed(rank), narrowed(inner), narrowed(extent), 1, basis.data(),
                      narrowed(rank), from + o * extent * inner, narrowed(inner), 0, to + o * rank * inner, narrowed(inner));
      }
    }
    hold(std::move(projected));
  }

 private:
  void hold(tensor::Dense values) {
    values_ = std::move(values);
    view_ = std::as_const(values_).view();
  }
  tensor::Dense values_;
  ConstArray view_;
};

template <class Less>
std::vector<std::size_t> axes_in_order(std::size_t count, Less less) {
  std::vector<std::size_t> axes(count);
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  std::stable_sort(axes.begin(), axes.end(), less);
  return axes;
}

/// How many vectors must stay so that the squares of the rest sum to at most `allowed`; that sum is taken off it.
std::int64_t kept(const std::vector<double>& descending, double& allowed, double share) {
  auto count = static_cast<std::int64_t>(descending.size());
  double dropped = 0;
  for (; count > 1; --count) {
    const double next = dropped + descending[static_cast<std::size_t>(count - 1)];
    if (next > share) break;
    dropped = next;
  }
  allowed -= dropped;
  return count;
}

std::vector<double> leading(const std::vector<double>& vectors, std::int64_t rows, std::int64_t all, std::int64_t count) {
  std::vector<double> result;
  for (std::int64_t i = 0; i < rows; ++i) result.insert(result.end(), vectors.begin() + i * all, vectors.begin() + i * all + count);
  return result;
}

}  // namespace

SequentialHosvd sequential_hosvd(const ConstArray& data, const Extents& ranks,
                                 const std::function<void(const std::string&)>& message) {
  const std::size_t order = data.extents.size();
  SequentialHosvd result{std::vector<std::vector<double>>(order), ranks};
  Remainder remainder(data);
  const auto shrinks = [&](std::size_t k) {  // to this part; 2 for what stays whole
    return ranks[k] < 0 || data.extents[k] == 0 ? 2.0 : static_cast<double>(ranks[k]) / static_cast<double>(data.extents[k]);
  };
  for (const std::size_t axis : axes_in_order(order, [&](std::size_t a, std::size_t b) { return shrinks(a) < shrinks(b); })) {
    if (ranks[axis] < 0) continue;
    const Unfolding y(remainder.view(), static_cast<std::int32_t>(axis));
    result.bases[axis] = leading_basis(y, ranks[axis], first_route(y.rows(), y.columns()), message).vectors;
    remainder.project(axis, result.bases[axis], ranks[axis]);
  }
  return result;
}

SequentialHosvd truncated_hosvd(const ConstArray& data, double tolerance, const std::function<void(const std::string&)>& message) {
  const std::size_t order = data.extents.size();
  SequentialHosvd result{std::vector<std::vector<double>>(order), data.extents};
  const tensor::ScaledValue norm = tensor::frobenius_norm(data);
  Remainder remainder(data);
  remainder.scale(-static_cast<int>(norm.exponent));
  const double square = norm.mantissa * norm.mantissa;
  double allowed = tolerance * tolerance * square;
  auto axes_left = static_cast<double>(order);
  for (const std::size_t axis :
       axes_in_order(order, [&](std::size_t a, std::size_t b) { return data.extents[a] > data.extents[b]; })) {
    const double share = allowed / axes_left--;
    const Unfolding y(remainder.view(), static_cast<std::int32_t>(axis));
    const Basis basis = whole_basis(y, square > 0 ? share / square : 1, message);
    const std::int64_t rank = kept(basis.squares, allowed, share), all = std::min(y.rows(), y.columns());
    result.ranks[axis] = rank;
    result.bases[axis] = leading(basis.vectors, y.rows(), all, rank);
    remainder.project(axis, result.bases[axis], rank);
  }
  return result;
}

}  // namespace tyto::solve
