#pragma once
/// Extents as BLAS and LAPACK take them.
#include <cstdint>
#include <limits>
#include "error/fail.hpp"

namespace tyto::solve {

inline int narrowed(std::int64_t n) {
  TYTO_ASSERT(n >= 0 && n <= std::numeric_limits<int>::max());
  return static_cast<int>(n);
}

}  // namespace tyto::solve
