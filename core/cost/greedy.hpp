#pragma once
/// Paths made by joining, time and again, the pair of values that looks best now.
#include <cstdint>
#include "cost/value.hpp"

namespace tyto::cost {

/// The pair of least score |AB| / weight - weight (|A| + |B|) is next, compared as signed logarithms to which, for a temperature
/// above 0, noise of a Gumbel distribution is added, so that pairs are drawn with Boltzmann probabilities (Gray and Kourtis,
/// Hyper-optimized tensor network contraction, Quantum 5, 2021).
struct GreedyRule {
  double weight = 1;
  double temperature = 0;
  std::uint64_t seed = 0;  ///< of the noise
};

/// How often operands change is not looked at here, where only sizes are compared; what improves the paths afterwards does.
/// Takes O(e log e) time and O(e) memory for e neighbouring pairs; of a label that many values have, the latest few count as
/// neighbours. Parts that share no label are joined in the end, smaller ones first.
Pairs greedy_pairs(const Joins&, const GreedyRule&);

}  // namespace tyto::cost
