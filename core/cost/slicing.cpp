#include "cost/slicing.hpp"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include "cost/contraction_tree.hpp"
#include "cost/exact.hpp"
#include "cost/rebuild.hpp"
#include "error/fail.hpp"

namespace tyto::cost {

using einsum::contains;
using einsum::Label;
using einsum::Labels;

namespace {

class Slicer {
 public:
  Slicer(const Network& network, double most, Limited limited, const Search& search)
      : network_(network), most_(most), limited_(limited), search_(search) {
    for (const Labels& labels : network.subscripts.inputs)
      for (const Label label : labels)
        if (can_slice(label)) all_.push_back(label);
    std::sort(all_.begin(), all_.end());
    all_.erase(std::unique(all_.begin(), all_.end()), all_.end());
  }

  Sliced run() {
    refuse_what_nothing_meets();
    Sliced best = with({}, best_path(network_, search_));
    while (!fits(best.path)) {
      const Labels candidates = labels_to_slice(best);
      if (candidates.empty()) refuse(needed(best.path));
      best = cheapest_with_one_more(best, candidates);
    }
    if (best.labels.empty()) return best;
    const Sliced again = with(best.labels, best_path(slice_of(network_, best.labels), search_));
    if (fits(again.path) && again.total < best.total) best = again;
    return cheaper_without_slices(std::move(best));
  }

 private:
  bool can_slice(Label label) const {
    return network_.extents[static_cast<std::size_t>(label)] > 1 && !contains(network_.subscripts.output, label);
  }
  double needed(const Path& path) const { return limited_ == Limited::peak ? path.peak : path.largest; }
  bool fits(const Path& path) const { return needed(path) <= most_; }

  /// Throws where not even slices of single indices would fit.
  void refuse_what_nothing_meets() const {
    double least = element_count(network_.subscripts.output, network_.extents);
    if (limited_ == Limited::peak) {
      const Search quick{.minimize = Minimize::peak, .exact_operands = 8, .trials = 1};
      least = std::max(least, best_path(slice_of(network_, all_), quick).peak);
    }
    if (least > most_) refuse(least);
  }
  [[noreturn]] void refuse(double least) const {
    fail(Code::memory, "the memory limit cannot be met", fmt::format("a limit of at least {:.0f} elements", least),
         fmt::format("{:.0f} elements", most_), "the result, and what is alive beside it, cannot be sliced");
  }

  Sliced with(Labels labels, Path path) const {
    Sliced sliced{std::move(labels), 1, std::move(path), {}};
    for (const Label label : sliced.labels) sliced.slices *= static_cast<double>(network_.extents[static_cast<std::size_t>(label)]);
    sliced.total = sliced.slices * sliced.path.total;
    sliced.total.flops += (sliced.slices - 1) * element_count(network_.subscripts.output, network_.extents);
    return sliced;
  }

  /// Labels of the largest result that can be sliced further; of the next largest where it has none.
  Labels labels_to_slice(const Sliced& now) const {
    const Joins joins(slice_of(network_, now.labels));
    const ContractionTree tree(joins, now.path.pairs, search_.minimize);
    std::vector<NodeId> nodes = tree.inner_nodes();
    const auto larger = [&](NodeId a, NodeId b) { return tree.value(a).elements > tree.value(b).elements; };
    std::stable_sort(nodes.begin(), nodes.end(), larger);
    Labels found;
    for (const NodeId node : nodes) {
      for (const Leg& leg : tree.value(node).legs)
        if (can_slice(leg.label) && !contains(now.labels, leg.label)) found.push_back(leg.label);
      if (!found.empty()) break;
    }
    for (const Label label : all_)  // of labels that no result has, each may still shrink what an operand alone would not
      if (found.empty() && !contains(now.labels, label)) return {label};
    return found;
  }

  Sliced cheapest_with_one_more(const Sliced& now, const Labels& candidates) const {
    Sliced best;
    for (const Label label : candidates) {
      Labels labels = now.labels;
      labels.insert(std::upper_bound(labels.begin(), labels.end(), label), label);
      Path path = measured(slice_of(network_, labels), now.path.pairs);
      Sliced next = with(std::move(labels), std::move(path));
      if (best.labels.empty() || next.total < best.total) best = std::move(next);
    }
    const Network slice = slice_of(network_, best.labels);
    const Joins joins(slice);
    ContractionTree tree(joins, best.path.pairs, search_.minimize);
    if (!rebuild_subtrees(tree, {})) return best;
    Sliced rebuilt = with(best.labels, measured(slice, tree.pairs()));
    return needed(rebuilt.path) <= std::max(most_, needed(best.path)) ? rebuilt : best;
  }

  /// For few operands the cheapest path within the limit that needs no slices, if it is cheaper.
  Sliced cheaper_without_slices(Sliced sliced) const {
    const Joins joins(network_);
    if (joins.operands().size() > static_cast<std::size_t>(std::min(search_.exact_operands, most_exact_operands))) return sliced;
    FewLimits limits{search_.minimize};
    limits.largest = most_;
    for (const Pairs& pairs : cheapest_trees(Few{joins.operands()}, joins, limits).pairs) {
      Sliced whole = with({}, measured(network_, ContractionTree(joins, pairs, search_.minimize).pairs()));
      if (fits(whole.path) && whole.total < sliced.total) return whole;
    }
    return sliced;
  }

  const Network& network_;
  double most_;
  Limited limited_;
  Search search_;
  Labels all_;  ///< that can be sliced
};

}  // namespace

Network slice_of(Network network, const Labels& sliced) {
  for (std::size_t k = 0; k < network.statistics.size(); ++k)
    for (std::size_t axis = 0; axis < network.subscripts.inputs[k].size(); ++axis)
      if (contains(sliced, network.subscripts.inputs[k][axis])) {
        Statistics& statistics = network.statistics[k];
        statistics.nonzeros /= std::max(1.0, statistics.distinct[axis]);
        statistics.distinct[axis] = 1;
      }
  for (const Label label : sliced) network.extents[static_cast<std::size_t>(label)] = 1;
  return network;
}

Sliced sliced_path(const Network& network, double most_elements, Limited limited, const Search& search) {
  return Slicer(network, most_elements, limited, search).run();
}

}  // namespace tyto::cost
