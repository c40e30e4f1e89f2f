#pragma once
/// Matrices made of blocks with nothing beside the diagonal.
#include "graph/build.hpp"

namespace tyto::optimize {

/// A square block of a matrix (batch, row, column) that stands at [first, first + extent of its last axis) in both.
struct DiagonalBlock {
  std::int64_t first = 0;
  graph::NodeId matrix = -1;
};
/// The blocks of a matrix that concatenation or padding made block diagonal, from first to last; one block or none if it is not.
std::vector<DiagonalBlock> diagonal_blocks(graph::Store&, graph::NodeId matrix, std::int32_t batch);

/// Positions first, first + 1, ... of an axis, as many as `part` has: a slice that sums, fills, and what was padded or concatenated
/// take in, so that what is zero is seen to be.
graph::NodeId restricted(graph::Store&, graph::NodeId, std::int32_t axis, std::int64_t first, graph::DimensionId part);

}  // namespace tyto::optimize
