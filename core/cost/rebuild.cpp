#include "cost/rebuild.hpp"
#include <algorithm>
#include <cmath>
#include "cost/exact.hpp"

namespace tyto::cost {

namespace {

class Rebuild {
 public:
  Rebuild(ContractionTree& tree, const RebuildRule& rule) : tree_(tree), rule_(rule) {
    const std::size_t nodes = 2 * tree.operand_count() - 1;
    settled_.assign(nodes, 0);
    peaks_.assign(nodes, 0);
  }
  bool run() {
    bool any = false;
    negligible_ = tree_.minimize() == Minimize::peak ? 0 : std::exp2(tree_.total() - 40);
    for (std::int32_t sweep = 0; sweep < rule_.sweeps; ++sweep) {
      bool gained = false;
      for (const NodeId node : tree_.inner_nodes()) {
        if (tree_.minimize() == Minimize::peak) note_peak(node);
        if (settled_[at(node)] != 0) continue;
        if (rebuild(node)) gained = true;
        else settled_[at(node)] = 1;
      }
      any = any || gained;
      if (!gained) break;
    }
    return any;
  }

 private:
  static std::size_t at(NodeId node) { return static_cast<std::size_t>(node); }

  /// Leaves and inner nodes of the subtree, the node itself first.
  void grow(NodeId node) {
    inner_.assign(1, node);
    leaves_.assign(tree_.children(node).begin(), tree_.children(node).end());
    while (leaves_.size() < static_cast<std::size_t>(rule_.leaves)) {
      auto costliest = leaves_.end();
      for (auto leaf = leaves_.begin(); leaf != leaves_.end(); ++leaf)
        if (!tree_.is_operand(*leaf) && (costliest == leaves_.end() || tree_.log_weight(*leaf) > tree_.log_weight(*costliest)))
          costliest = leaf;
      if (costliest == leaves_.end()) return;
      const NodeId opened = *costliest;
      inner_.push_back(opened);
      *costliest = tree_.children(opened)[0];
      leaves_.push_back(tree_.children(opened)[1]);
    }
  }

  bool rebuild(NodeId node) {
    grow(node);
    const double now = cost_now(node);
    if (leaves_.size() < 3 || now <= negligible_ || !std::isfinite(now)) return false;
    std::sort(leaves_.begin(), leaves_.end());
    Few few;
    for (const NodeId leaf : leaves_) {
      few.values.push_back(tree_.value(leaf));
      few.is_intermediate.push_back(tree_.is_operand(leaf) ? 0 : 1);
      few.peaks.push_back(peaks_[at(leaf)]);
    }
    const FewPaths best = cheapest_trees(few, tree_.joins(), {tree_.minimize(), 1, now});
    if (best.costs.empty() || best.costs[0] >= now * (1 - 1e-9)) return false;
    put_back(best.pairs[0]);
    return true;
  }

  double cost_now(NodeId node) const {
    if (tree_.minimize() == Minimize::peak) return peaks_[at(node)];
    double sum = 0;
    for (const NodeId inner : inner_) sum += std::exp2(tree_.log_weight(inner));
    return sum;
  }

  void put_back(const Pairs& pairs) {
    std::vector<NodeId> number = leaves_;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const NodeId node = inner_[pairs.size() - 1 - k];
      const auto [left, right] = pairs[k];
      tree_.set_children(node, number[at(left)], number[at(right)]);
      if (tree_.minimize() == Minimize::peak) note_peak(node);
      number.push_back(node);
      settled_[at(node)] = 0;
    }
    NodeId above = inner_[0];
    for (std::int32_t level = 0; level < rule_.leaves && above != tree_.root(); ++level)
      above = tree_.parent(above), settled_[at(above)] = 0;
  }

  void note_peak(NodeId node) {
    const auto [a, b] = tree_.children(node);
    const auto held = [&](NodeId k) { return tree_.is_operand(k) ? 0 : std::exp2(tree_.value(k).elements); };
    const double first = std::max(peaks_[at(a)], held(a) + peaks_[at(b)]),
                 second = std::max(peaks_[at(b)], held(b) + peaks_[at(a)]);
    peaks_[at(node)] = std::max(std::min(first, second), held(a) + held(b) + held(node));
  }

  ContractionTree& tree_;
  RebuildRule rule_;
  double negligible_ = 0;      ///< a cost that does not show in the sum
  std::vector<char> settled_;  ///< whether the subtree below a node was tried since it last changed
  std::vector<double> peaks_;  ///< elements alive while a node is made; for Minimize::peak
  std::vector<NodeId> inner_, leaves_;
};

}  // namespace

bool rebuild_subtrees(ContractionTree& tree, const RebuildRule& rule) { return Rebuild(tree, rule).run(); }

}  // namespace tyto::cost
