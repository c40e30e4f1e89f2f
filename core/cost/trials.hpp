#pragma once
/// Trees for many operands: random-greedy trials, the best of them annealed and rebuilt.
#include <vector>
#include "cost/contraction_tree.hpp"
#include "cost/path.hpp"

namespace tyto::cost {

/// Trees of the best trials, `count` of them at least where so many trials are made; in no order. How much is tried depends on the
/// number of operands and on what the contraction costs: planning is to be short beside it. It is counted, not timed, so that the
/// result never depends on the machine. At least two operands.
std::vector<ContractionTree> tried_trees(const Joins&, const Search&, std::int32_t count);

/// A good path at once: greedy, then small subtrees rebuilt.
Pairs quick_pairs(const Joins&, Minimize);

}  // namespace tyto::cost
