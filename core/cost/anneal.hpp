#pragma once
/// A tree improved by random rotations that get ever choosier.
#include <cstdint>
#include "cost/contraction_tree.hpp"

namespace tyto::cost {

struct AnnealRule {
  std::int32_t sweeps = 100;             ///< as many moves each as the tree has contractions
  double hottest = 0.5, coldest = 0.02;  ///< temperatures, falling geometrically
  std::uint64_t seed = 1;
};

/// A move takes a contraction of (A B) and C to one of (A C) and B. It is accepted with probability min(1, (new/old)^(-1/t)),
/// where old and new are the costs of the two contractions before and after: ratios, so that small parts of the tree move as well
/// as large ones (Kalachev, Panteleev and Yung, Multi-tensor contraction for XEB verification of quantum circuits,
/// arXiv:2108.05665).
void anneal(ContractionTree&, const AnnealRule&);

}  // namespace tyto::cost
