#include "cost/anneal.hpp"
#include <algorithm>
#include <cmath>
#include <random>

namespace tyto::cost {

namespace {

double log2_sum(double a, double b) {
  const double most = std::max(a, b);
  return most + std::log2(1 + std::exp2(std::min(a, b) - most));
}

class Anneal {
 public:
  Anneal(ContractionTree& tree, const AnnealRule& rule)
      : tree_(tree), rule_(rule), engine_(rule.seed), nodes_(tree.inner_nodes()) {}

  void run() {
    for (std::int32_t sweep = 0; sweep < rule_.sweeps; ++sweep) {
      const double done = static_cast<double>(sweep) / std::max(1, rule_.sweeps - 1);
      const double temperature = rule_.hottest * std::pow(rule_.coldest / rule_.hottest, done);
      for (std::size_t move = 0; move < nodes_.size(); ++move) try_move(temperature);
    }
  }

 private:
  std::uint64_t below(std::uint64_t count) { return (engine_() >> 11) % count; }
  double uniform() { return (static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-53; }

  void try_move(double temperature) {
    const NodeId node = nodes_[static_cast<std::size_t>(below(nodes_.size()))];
    const std::uint64_t choice = below(4);
    const auto children = tree_.children(node);
    const NodeId inner = children[choice & 1], outside = children[1 - (choice & 1)];
    if (tree_.is_operand(inner)) return;
    const auto grandchildren = tree_.children(inner);
    const NodeId kept = grandchildren[choice >> 1], leaving = grandchildren[1 - (choice >> 1)];
    const double most = log2_sum(tree_.log_weight(node), tree_.log_weight(inner)) - temperature * std::log2(uniform());
    const Step low = tree_.joins().join(tree_.value(kept), tree_.value(outside), made_);
    const double low_weight = log_weight(tree_.minimize(), tree_.value(kept), tree_.value(outside), low);
    if (low_weight > most) return;
    const Step high = tree_.joins().step(made_, tree_.value(leaving));
    const double high_weight = log_weight(tree_.minimize(), made_, tree_.value(leaving), high);
    if (log2_sum(low_weight, high_weight) > most) return;
    tree_.rotate({node, inner, kept, outside, leaving, low_weight, high_weight}, made_);
  }

  ContractionTree& tree_;
  AnnealRule rule_;
  std::mt19937_64 engine_;
  std::vector<NodeId> nodes_;
  Value made_;
};

}  // namespace

void anneal(ContractionTree& tree, const AnnealRule& rule) {
  if (tree.operand_count() > 2) Anneal(tree, rule).run();
}

}  // namespace tyto::cost
