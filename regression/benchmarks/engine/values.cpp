#include "values.hpp"
#include <cmath>
#include <utility>
#include "tensor/dense.hpp"

namespace tyto::benchmarks {

namespace {

bool is_single(Dtype type) { return type == Dtype::f32 || type == Dtype::c64; }
std::int64_t parts_of(Dtype type) { return type == Dtype::c64 || type == Dtype::c128 ? 2 : 1; }

/// Arrays that weigh results have numbers that no operand has.
constexpr std::uint64_t first_weight = 1'000'000;

}  // namespace

double value_at(std::uint64_t number, std::uint64_t position) {
  std::uint64_t z = (number << 36) + position + 1;
  z *= 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) * 0x1p-53 - 0.5;
}

Values::Values(std::uint64_t number, Dtype dtype, Extents extents, double scale) {
  const auto numbers = std::make_shared<tensor::Dense>(tensor::Dense::zeros(dtype, std::move(extents)));
  owner_ = numbers;
  view_ = std::as_const(*numbers).view();
  void* const data = numbers->view().address();
  const auto count = static_cast<std::size_t>(numbers->size() * parts_of(dtype));
  for (std::size_t k = 0; k < count; ++k) {
    const double value = scale * value_at(number, k);
    if (is_single(dtype)) static_cast<float*>(data)[k] = static_cast<float>(value);
    else static_cast<double*>(data)[k] = value;
  }
}

void Digest::add(const ConstArray& result, std::uint64_t which) {
  const std::int64_t parts = parts_of(result.dtype);
  Extents index(result.extents.size(), 0);
  std::uint64_t position = 0;
  const std::int64_t count = result.size();
  for (std::int64_t element = 0; element < count; ++element) {
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) offset += index[axis] * result.strides[axis];
    for (std::int64_t part = 0; part < parts; ++part, ++position) {
      const std::int64_t at = offset * parts + part;
      const double x =
          is_single(result.dtype) ? static_cast<const float*>(result.data)[at] : static_cast<const double*>(result.data)[at];
      const double term = x * value_at(first_weight + which, position);
      sum += term, size += std::abs(term);
    }
    for (std::size_t axis = index.size(); axis-- > 0; index[axis] = 0)
      if (++index[axis] < result.extents[axis]) break;
  }
}

}  // namespace tyto::benchmarks
