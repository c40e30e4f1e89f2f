#pragma once
/// What one thread computes of a product at a time, and where the elements of an index lie.
#include <algorithm>
#include "arithmetic/product.hpp"

namespace tyto::arithmetic {

/// Offsets of positions [first, first + count) of an index in one tensor.
inline void fill_offsets(const ProductIndex& index, std::size_t place, std::int64_t first, std::int64_t count,
                         std::int64_t* offsets) {
  if (index.empty()) {
    std::fill(offsets, offsets + count, 0);
    return;
  }
  const std::int64_t inner = index.back().extent, step = index.back().step[place];
  for (std::int64_t done = 0; done < count;) {
    std::int64_t rest = (first + done) / inner, base = 0;
    for (std::size_t d = index.size() - 1; d-- > 0;) {
      base += rest % index[d].extent * index[d].step[place];
      rest /= index[d].extent;
    }
    const std::int64_t at = (first + done) % inner, run = std::min(inner - at, count - done);
    for (std::int64_t i = 0; i < run; ++i) offsets[done + i] = base + (at + i) * step;
    done += run;
  }
}

/// A range of an index.
struct Range {
  std::int64_t first = 0, last = 0;
  std::int64_t count() const { return last - first; }
};

/// What one thread computes at a time.
struct Part {
  Range batch, rows, columns;
};

}  // namespace tyto::arithmetic
