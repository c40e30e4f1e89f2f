#pragma once
/// Orders in which it may pay to lay out an intermediate.
#include "plan/axes.hpp"
#include "plan/plan.hpp"

namespace tyto::plan {

/// Whether the value of the node may lie in any order: not those of inputs, constants, and steps that move elements.
bool has_free_order(const graph::Node&);

/// By NodeId, for each node: orders of its axes in memory, slowest first, the natural one first. Leaves have the one they are bound
/// in. Those with a free order have, of all the orders of axes longer than 1:
/// - all, up to three such axes;
/// - those that make matrices of it for the contraction that makes it or one that uses it: the axes of one operand, or those that
///   are summed, stand together among the others, at any place; axes in all operands and the result come first or last;
/// - those that an elementwise neighbour, or a step that numbers axes, or an output has.
/// Within a group, axes follow the neighbours' own orders. At most `most` for each node.
std::vector<std::vector<Axes>> candidate_orders(const graph::Graph&, const std::vector<graph::NodeId>& order, const Options&,
                                                std::size_t most);

}  // namespace tyto::plan
