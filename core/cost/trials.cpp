#include "cost/trials.hpp"
#include <algorithm>
#include <cmath>
#include <random>
#include "cost/anneal.hpp"
#include "cost/greedy.hpp"
#include "cost/rebuild.hpp"

namespace tyto::cost {

namespace {

/// A rule for a trial: the first is the plain one, the others are drawn; ranges as in Gray and Kourtis, Quantum 5, 2021.
GreedyRule greedy_rule(std::uint64_t seed, std::int32_t trial) {
  GreedyRule rule;
  if (trial == 0) return rule;
  std::mt19937_64 engine(seed + static_cast<std::uint64_t>(trial) * 0x9E3779B97F4A7C15);
  const auto uniform = [&] { return static_cast<double>(engine() >> 11) * 0x1p-53; };
  rule.weight = 0.1 * std::pow(40, uniform());
  rule.temperature = 0.001 * std::pow(1000, uniform());
  rule.seed = engine();
  return rule;
}

/// How much is done. The seconds are those of one core of 2024, for proportion only.
struct Effort {
  std::int32_t trials = 0, improved = 0, sweeps = 0;
  std::int32_t first_leaves = 6, last_leaves = 8;
  std::int32_t kept = 8;  ///< trees of the best trials, for improvement

  Effort(std::size_t operands, double log_cost, const Search& search) {
    const auto n = static_cast<double>(operands);
    const double trial_seconds = 5e-6 * n, improvement_seconds = 150e-6 * n;
    const double contraction_seconds = std::exp2(std::min(log_cost, 60.0)) / 4e9;
    const double most_seconds = 5;
    const auto clamped = [](double least, double wanted, double most) {
      return static_cast<std::int32_t>(std::min(most, std::max(least, wanted)));
    };
    const double seconds = std::min(contraction_seconds, most_seconds);
    trials = clamped(std::min(8.0, 1 + 1e5 / n), 0.5 * seconds / trial_seconds, search.trials);
    improved = clamped(1, 0.5 * seconds / improvement_seconds, std::min(kept, trials));
    sweeps = clamped(std::min(100.0, 1e6 / n), 0.5 * seconds / (improved * 0.2e-6 * n), 400);
    if (n > 2e4) trials = improved = kept = 1, sweeps = 10, last_leaves = first_leaves;  // values may have hundreds of labels
  }
};

struct Tried {
  ContractionTree tree;
  double total;
};
void keep_best(std::vector<Tried>& all, std::size_t count) {
  std::stable_sort(all.begin(), all.end(), [](const Tried& a, const Tried& b) { return a.total < b.total; });
  while (all.size() > count) all.pop_back();
}

/// Anneals and rebuilds; the tree never gets worse.
ContractionTree improved(ContractionTree tree, const Effort& effort, std::uint64_t seed) {
  rebuild_subtrees(tree, {effort.first_leaves, 10});
  ContractionTree annealed = tree;
  anneal(annealed, {.sweeps = effort.sweeps, .seed = seed});
  rebuild_subtrees(annealed, {effort.last_leaves, 10});
  if (annealed.total() < tree.total()) return annealed;
  rebuild_subtrees(tree, {effort.last_leaves, 10});
  return tree;
}

}  // namespace

std::vector<ContractionTree> tried_trees(const Joins& joins, const Search& search, std::int32_t count) {
  std::vector<Tried> all;
  Effort effort(joins.operands().size(), 0, search);
  const auto kept = static_cast<std::size_t>(std::max(count, effort.kept));
  for (std::int32_t trial = 0; trial < effort.trials; ++trial) {
    ContractionTree tree(joins, greedy_pairs(joins, greedy_rule(search.seed, trial)), search.minimize);
    const double total = tree.total();
    all.push_back({std::move(tree), total});
    if (all.size() >= 2 * kept || trial + 1 == effort.trials) {
      keep_best(all, kept);
      effort = Effort(joins.operands().size(), all.front().total, search);
    }
  }
  keep_best(all, static_cast<std::size_t>(std::max(count, effort.improved)));
  std::vector<ContractionTree> trees;
  for (Tried& tried : all) trees.push_back(improved(std::move(tried.tree), effort, search.seed + trees.size()));
  return trees;
}

Pairs quick_pairs(const Joins& joins, Minimize minimize) {
  ContractionTree tree(joins, greedy_pairs(joins, {}), minimize);
  rebuild_subtrees(tree, {6, 10});
  return tree.pairs();
}

}  // namespace tyto::cost
