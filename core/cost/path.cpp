#include "cost/path.hpp"
#include <algorithm>
#include <cmath>
#include "cost/exact.hpp"
#include "cost/trials.hpp"
#include "cost/twins.hpp"
#include "error/fail.hpp"

namespace tyto::cost {

namespace {

/// So few operands are searched as they are, and ties between trees of equal flops are all looked at.
constexpr std::size_t many_operands = 8;

double minimized(const Path& path, Minimize minimize) {
  switch (minimize) {
    case Minimize::flops: return path.total.flops;
    case Minimize::elements: return path.total.elements;
    case Minimize::peak: break;
  }
  return path.peak;
}

/// The cheapest paths there are; none where there are too many operands or numbers leave the range of double.
std::vector<Path> exact_paths(const Network& network, const Joins& joins, std::int32_t count, const Search& search) {
  const std::int32_t most = std::min(search.exact_operands, most_exact_operands);
  if (joins.operands().size() > static_cast<std::size_t>(std::max(most, 2))) return {};
  Few few{joins.operands()};
  if (joins.is_dense()) few.axes = network.subscripts.inputs;
  FewLimits limits{search.minimize, count};
  if (count == 1 && joins.operands().size() > 8)  // a good bound makes the search much faster
    limits.cap = minimized(measured(network, quick_pairs(joins, search.minimize)), search.minimize);
  std::vector<Path> paths;
  for (const Pairs& pairs : cheapest_trees(few, joins, limits).pairs) {
    const bool is_ordered = search.minimize == Minimize::peak;
    paths.push_back(measured(network, is_ordered ? ContractionTree(joins, pairs, search.minimize).pairs() : pairs));
  }
  return paths;
}

}  // namespace

Path best_path(const Network& network, const Search& search) {
  const std::size_t operands = network.subscripts.inputs.size();
  if (operands > many_operands && network.statistics.empty() && search.minimize == Minimize::flops) {
    const WithoutTwins small = without_twins(network);
    if (!small.pairs.empty())
      return measured(network, with_twins(small, operands, cheapest_paths(small.network, 1, search).front().pairs));
  }
  return cheapest_paths(network, 1, search).front();
}

std::vector<Path> cheapest_paths(const Network& network, std::int32_t count, const Search& search) {
  TYTO_ASSERT(count > 0);
  const Joins joins(network);
  if (joins.operands().size() < 2) return {Path{}};
  std::vector<Path> paths = exact_paths(network, joins, count, search);
  if (!paths.empty()) return paths;
  if (search.trials <= 0) return {measured(network, quick_pairs(joins, search.minimize))};
  for (const ContractionTree& tree : tried_trees(joins, search, count)) paths.push_back(measured(network, tree.pairs()));
  std::stable_sort(paths.begin(), paths.end(), [&](const Path& a, const Path& b) { return is_cheaper(a, b, search.minimize); });
  const auto same = [](const Path& a, const Path& b) { return a.pairs == b.pairs; };
  paths.erase(std::unique(paths.begin(), paths.end(), same), paths.end());
  paths.resize(std::min(paths.size(), static_cast<std::size_t>(count)));
  return paths;
}

}  // namespace tyto::cost
