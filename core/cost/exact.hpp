#pragma once
/// The cheapest trees over a few values, by dynamic programming over their subsets.
#include <cstdint>
#include <limits>
#include <vector>
#include "cost/path.hpp"
#include "cost/value.hpp"

namespace tyto::cost {

/// A few values to be joined into one: operands of a network, or the roots of subtrees of one of its trees.
struct Few {
  std::vector<Value> values;
  std::vector<double> peaks = {};          ///< elements alive while each value is made; empty: they are there
  std::vector<einsum::Labels> axes = {};   ///< in the operands' order, to count breaks; empty: breaks do not count
  std::vector<char> is_intermediate = {};  ///< whether a value takes memory of its own; empty: none does
};

struct FewLimits {
  Minimize minimize = Minimize::flops;
  std::int32_t count = 1;
  double cap = std::numeric_limits<double>::infinity();      ///< what is known to be attainable, in what is minimized
  double largest = std::numeric_limits<double>::infinity();  ///< elements of any result but the last
};

struct FewPaths {
  std::vector<Pairs> pairs;   ///< cheapest first; numbered as in Path, from the values on; the half with the lowest value is first
  std::vector<double> costs;  ///< of what is minimized
};

/// All binary trees compete, outer products too. Ties go to the tree whose halves hold the higher values first. Nothing is
/// returned where no tree keeps the limits, or where counts leave the range of double. At most most_exact_operands values.
FewPaths cheapest_trees(const Few&, const Joins&, const FewLimits&);

}  // namespace tyto::cost
