#pragma once
/// The sequentially truncated higher-order SVD (Vannieuwenhoven, Vandebril, Meerbergen, SIAM J. Sci. Comput. 34, 2012): mode by
/// mode the leading left singular vectors of the unfolding of what the modes before have left.
#include <functional>
#include "solve/basis.hpp"
#include "tensor/dense.hpp"

namespace tyto::solve {

/// Bases by axis, extent x rank and row-major; empty for axes that were not truncated.
struct SequentialHosvd {
  std::vector<std::vector<double>> bases;
  Extents ranks;
};

/// With given ranks, -1 for axes that are left whole; rank <= extent. Axes that shrink most come first, then in their order: work
/// falls fastest so. A basis may have more vectors than the unfolding has columns by then: see leading_basis().
SequentialHosvd sequential_hosvd(const ConstArray& data, const Extents& ranks,
                                 const std::function<void(const std::string&)>& message = {});

/// With the least ranks, at least 1, for which |X - X'| <= tolerance |X|: each axis may drop an equal share of the squares that
/// are left to drop. Axes come in order of extent, the largest first. Any finite data: they are brought near one by a power of two.
SequentialHosvd truncated_hosvd(const ConstArray& data, double tolerance,
                                const std::function<void(const std::string&)>& message = {});

}  // namespace tyto::solve
