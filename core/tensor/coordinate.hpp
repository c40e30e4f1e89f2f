#pragma once
/// A tensor as a list of its entries. What is not listed is 0; an entry listed several times is the sum of its values, as FROSTT
/// and the Tensor Toolbox have it.
#include <vector>
#include "tensor/dense.hpp"

namespace tyto::tensor {

struct Coordinate {
  Extents extents;
  std::vector<std::int64_t> indices;  ///< entry by entry, one index per mode, from 0: values.size() * extents.size() numbers
  std::vector<double> values;

  std::int64_t order() const { return static_cast<std::int64_t>(extents.size()); }
  std::int64_t entries() const { return static_cast<std::int64_t>(values.size()); }
  /// Every entry is listed exactly once. Takes a bit of memory per entry.
  bool is_complete() const;
  /// Type f64; duplicates are added in the order of the list. Throws as Dense::zeros does.
  Dense to_dense() const;
};

}  // namespace tyto::tensor
