#pragma once
/// Lists of coordinates in text: one entry a line, an index for each mode and a value.
#include <optional>
#include "tensor/coordinate.hpp"
#include "tensor/lines.hpp"

namespace tyto::tensor {

struct ListRules {
  int index_base = 1;                        ///< of the file: 0 or 1
  bool is_base_given = false;                ///< by the user: then it is not questioned in hints
  std::optional<std::int64_t> entries = {};  ///< as a header says
};

/// Reads all lines after the present one. Without extents the first line gives the order and the largest index each extent.
Coordinate read_list(Lines, const std::optional<Extents>&, const ListRules&);

/// Whether an index 0 follows: then they count from 0. A malformed line ends the search; reading finds it again.
bool holds_index_zero(Lines, const Extents&);

}  // namespace tyto::tensor
