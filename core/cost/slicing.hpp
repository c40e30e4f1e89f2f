#pragma once
/// Contractions within a memory limit: some summed labels are fixed to one index at a time, and the slices added up.
#include "cost/path.hpp"

namespace tyto::cost {

struct Sliced {
  einsum::Labels labels = {};  ///< ascending; none of them is in the output
  double slices = 1;           ///< the product of their extents
  Path path = {};              ///< of one slice
  Cost total = {};             ///< of all slices and of adding them up
};

/// What the limit is on, in elements of one slice; operands, which are the caller's, do not count.
enum class Limited {
  largest,  ///< each result
  peak,     ///< results alive at once
};

/// The network of one slice: the extents of these labels are one.
Network slice_of(Network, const einsum::Labels& sliced);

/// The cheapest way found that keeps the limit; without slices where a path does. Labels of the largest result are sliced one by
/// one, always the one after which all slices cost least, and subtrees rebuilt each time. The result itself is never sliced, so no
/// limit below its size can be met: throws Error{memory} with the smallest limit found attainable.
Sliced sliced_path(const Network&, double most_elements, Limited = Limited::largest, const Search& = {});

}  // namespace tyto::cost
