#include "cost/path.hpp"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include "cost/anneal.hpp"
#include "cost/contraction_tree.hpp"
#include "cost/exact.hpp"
#include "cost/greedy.hpp"
#include "cost/rebuild.hpp"
#include "error/fail.hpp"

namespace tyto::cost {

namespace {

double knob(const char* name, double fallback) { const char* v = std::getenv(name); return v ? std::atof(v) : fallback; }

Few all_operands(const Network& network, const Joins& joins) {
  Few few{joins.operands()};
  if (joins.is_dense()) few.axes = network.subscripts.inputs;
  return few;
}

/// A rule for a trial: the first is the plain one, the others are drawn.
GreedyRule greedy_rule(std::uint64_t seed, std::int32_t trial) {
  GreedyRule rule;
  if (trial == 0) return rule;
  std::mt19937_64 engine(seed * 0x9E3779B97F4A7C15 + static_cast<std::uint64_t>(trial));
  const auto uniform = [&] { return static_cast<double>(engine() >> 11) * 0x1p-53; };
  rule.weight = 0.1 * std::pow(40, uniform());
  rule.temperature = 0.001 * std::pow(1000, uniform());
  rule.seed = engine();
  return rule;
}

struct Found {
  ContractionTree tree;
  double total;
};

std::vector<Found> improved_trees(const Joins& joins, const Search& search) {
  std::vector<Found> found;
  const auto trials = static_cast<std::int32_t>(knob("T", search.trials));
  for (std::int32_t trial = 0; trial < trials; ++trial) {
    ContractionTree tree(joins, greedy_pairs(joins, greedy_rule(search.seed, trial)), search.minimize);
    const double total = tree.total();
    found.push_back({std::move(tree), total});
  }
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.total < b.total; });
  while (found.size() > static_cast<std::size_t>(knob("KEEP", 4))) found.pop_back();
  for (Found& f : found) {
    const double start = f.total;
    rebuild_subtrees(f.tree, {static_cast<std::int32_t>(knob("L1", 6)), 10});
    const double first = f.tree.total();
    if (knob("SWEEPS", 200) > 0) {
      ContractionTree copy = f.tree;
      anneal(copy, {static_cast<std::int32_t>(knob("SWEEPS", 200)), knob("HOT", 0.5), knob("COLD", 0.02), search.seed});
      const double cooled = copy.total();
      rebuild_subtrees(copy, {static_cast<std::int32_t>(knob("L2", 8)), 10});
      if (getenv("V")) fprintf(stderr, "greedy %.3f rebuilt %.3f annealed %.3f rebuilt %.3f\n", start, first, cooled, copy.total());
      if (copy.total() < first) f.tree = std::move(copy);
    }
    f.total = f.tree.total();
  }
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.total < b.total; });
  return found;
}

}  // namespace

Path best_path(const Network& network, const Search& search) {
  const Joins joins(network);
  const std::size_t n = joins.operands().size();
  if (n < 2) return {};
  if (n <= static_cast<std::size_t>(search.exact_operands)) {
    FewLimits limits{search.minimize};
    if (n > 8) {
      const Path greedy = measured(network, greedy_pairs(joins, {}));
      limits.cap = search.minimize == Minimize::flops ? greedy.total.flops : search.minimize == Minimize::elements ? greedy.total.elements : greedy.peak;
    }
    const FewPaths exact = cheapest_trees(all_operands(network, joins), joins, limits);
    if (!exact.pairs.empty()) return measured(network, exact.pairs[0]);
  }
  return measured(network, improved_trees(joins, search)[0].tree.pairs());
}

}  // namespace tyto::cost
