#pragma once
/// Nodes as operations of a program, given the buffers of operands and result.
#include "graph/graph.hpp"
#include "program/program.hpp"

namespace tyto::plan {

/// Of every node but leaves, einsums and factorizations. Buffers have the axes of the nodes, in any order in memory.
program::Operation operation_of(const graph::Node&, const std::vector<program::BufferId>& inputs, program::BufferId out,
                                const std::vector<program::Buffer>&);
/// Whether the operation knows axes by number. Of the others, which go element by element, all buffers may have their axes in
/// another order than the nodes, if all in the same.
bool numbers_axes(const graph::Node&);

/// Marks operands of an einsum that are ones and only repeat values: each of their labels is in the output or on an operand that
/// stays.
std::vector<char> repetitions(const graph::Store&, const graph::Node&);

/// A product that a device does not take whole, from left to right, each time all labels kept that are needed later. Adds the
/// row-major buffers of the partial products, named after the output.
std::vector<program::Contraction> split_product(const program::Contraction&, std::vector<program::Buffer>&);

}  // namespace tyto::plan
