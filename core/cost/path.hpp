#pragma once
/// The order in which a network of many operands is contracted pair by pair: what to look for, how hard, and what was found.
#include <cstdint>
#include <utility>
#include <vector>
#include "cost/network.hpp"

namespace tyto::cost {

/// A way to contract a network: entry k joins two earlier values (operands 0..n-1, then results n, n+1, ...).
struct Path {
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
  Cost total = {};     ///< of a cycle, where the network says when its operands change
  double largest = 0;  ///< elements of the largest result, the last one included
  double peak = 0;     ///< most elements of results alive at once; operands, which are the caller's, do not count
};

enum class Minimize {
  flops,     ///< then elements, then breaks
  elements,  ///< read and written (times the size of one: bytes), then flops, then breaks
  peak,      ///< then flops; every value is finished before its sibling is begun
};

struct Search {
  Minimize minimize = Minimize::flops;
  std::int32_t exact_operands = 16;  ///< up to so many operands nothing is cheaper; at most most_exact_operands are
  std::int32_t trials = 128;         ///< greedy paths to begin with, beyond that, at most; cheap and very large networks get fewer
  std::uint64_t seed = 1;            ///< the same seed gives the same path
};
/// For estimates that are made many times: one greedy path with small subtrees rebuilt, beyond a dozen operands.
constexpr Search quick_search{.exact_operands = 12, .trials = 0};
constexpr std::int32_t most_exact_operands = 20;

/// The cheapest path found: exact by dynamic programming over subsets for few operands (outer products included), beyond by
/// random-greedy trials whose trees are annealed and rebuilt subtree by subtree.
Path best_path(const Network&, const Search& = {});

/// Up to `count` different trees, cheapest first: the cheapest ones there are for few operands, else the best of the trials.
std::vector<Path> cheapest_paths(const Network&, std::int32_t count, const Search& = {});

/// The path of these pairs with what it costs. Takes time linear in the labels of all values.
Path measured(const Network&, std::vector<std::pair<std::int32_t, std::int32_t>> pairs);

/// Whether `a` is the better one. Ties go on to the other costs.
bool is_cheaper(const Path& a, const Path& b, Minimize);

}  // namespace tyto::cost
