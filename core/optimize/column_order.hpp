#pragma once
/// Which column of a system belongs to which row, where a product pairs them otherwise than by position.
#include <optional>
#include "graph/build.hpp"

namespace tyto::optimize {

/// For a matrix (batch, rows, columns) that is a product falling apart into square parts, as A(i,k) B(j,l) with rows i, j and
/// columns l, k: the position among the columns that goes with each row, here {1, 0}. Nothing if that is the order they have, or if
/// a part is not square.
std::optional<std::vector<std::int32_t>> column_order(const graph::Store&, graph::NodeId matrix, std::int32_t batch,
                                                      std::int32_t rows);

}  // namespace tyto::optimize
