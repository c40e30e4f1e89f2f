// Coordinates to dense tensors.
#include "tensor/coordinate.hpp"

#include "error/fail.hpp"

namespace tyto::tensor {
namespace {

/// Row-major number of an entry.
std::int64_t element_of(const Coordinate& list, std::int64_t entry, const Extents& strides) {
  const std::int64_t* index = list.indices.data() + entry * list.order();
  std::int64_t element = 0;
  for (std::size_t n = 0; n < strides.size(); ++n) element += index[n] * strides[n];
  return element;
}

/// Whether the dense tensor has just as many elements as there are entries; it may be too large to count.
bool has_as_many_elements(const Coordinate& list) {
  std::int64_t count = 1;
  bool overflow = false;
  for (std::int64_t extent : list.extents) {
    if (extent == 0) return list.entries() == 0;
    overflow = __builtin_mul_overflow(count, extent, &count) || overflow;
  }
  return !overflow && count == list.entries();
}

}  // namespace

bool Coordinate::is_complete() const {
  if (!has_as_many_elements(*this)) return false;
  if (values.empty()) return true;
  const Extents strides = row_major(extents);
  std::vector<bool> is_present(values.size(), false);
  for (std::int64_t entry = 0; entry < entries(); ++entry) {
    const auto element = static_cast<std::size_t>(element_of(*this, entry, strides));
    if (is_present[element]) return false;
    is_present[element] = true;
  }
  return true;
}

Dense Coordinate::to_dense() const {
  TYTO_ASSERT(indices.size() == values.size() * extents.size());
  Dense result = Dense::zeros(Dtype::f64, extents);
  const Extents strides = row_major(extents);
  double* elements = result.view().as<double>();
  for (std::int64_t entry = 0; entry < entries(); ++entry)
    elements[element_of(*this, entry, strides)] += values[static_cast<std::size_t>(entry)];
  return result;
}

}  // namespace tyto::tensor
