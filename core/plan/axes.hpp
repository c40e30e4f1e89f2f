#pragma once
/// Orders of axes: which axis of one tensor is which of another, and in which order the axes of a tensor lie in memory.
#include "graph/graph.hpp"

namespace tyto::plan {

/// Axes by number. As an order in memory: slowest first. As a map: axis k of one tensor is axis axes[k] of the other.
using Axes = std::vector<std::int32_t>;

Axes counted_axes(std::size_t count);  ///< 0, 1, ..., count - 1
Axes inverse_of(const Axes&);

/// A node that only permutes the axes of its operand: result axis k is operand axis axes[k].
bool is_permutation(const graph::Node&, Axes& axes);

/// A node seen through permutations: axis k of the node is axis axes[k] of `node`, which is no permutation.
struct Base {
  graph::NodeId node = -1;
  Axes axes;
};
Base base_of(const graph::Store&, graph::NodeId);

/// Strides of a dense tensor whose axes lie in the order `memory`.
Extents strides_of(const Extents&, const Axes& memory);
/// The order in which the axes of a tensor lie: by falling strides, equal ones as they are numbered.
Axes memory_order(const Extents& strides);

}  // namespace tyto::plan
