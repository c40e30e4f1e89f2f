#pragma once
/// Subtrees of a tree made anew, each the best there is for its few leaves.
#include <cstdint>
#include "cost/contraction_tree.hpp"

namespace tyto::cost {

struct RebuildRule {
  std::int32_t leaves = 8;   ///< of a subtree, at most; the exact search takes 3^leaves steps
  std::int32_t sweeps = 10;  ///< over all nodes, at most
};

/// Below every node a subtree is grown where contractions cost most, solved exactly, and put back where that is cheaper, until no
/// subtree is. Returns whether any was. The tree never gets worse. After "subtree reconfiguration" of Gray and Kourtis, Quantum 5,
/// 2021.
bool rebuild_subtrees(ContractionTree&, const RebuildRule&);

}  // namespace tyto::cost
