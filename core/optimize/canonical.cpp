#include "optimize/canonical.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace tyto::optimize {

using einsum::Label;
using einsum::Labels;
using graph::NodeId;
using graph::Store;

namespace {

using Colour = std::uint64_t;
using Colours = std::vector<Colour>;

/// Mixes the bits so that sums of mixed values tell multisets apart (the finalizer of SplitMix64: Steele, Lea and Flood, Fast
/// splittable pseudorandom number generators, 2014).
Colour mixed(Colour a, Colour b) {
  Colour z = a * 0x9e3779b97f4a7c15U + b + 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

auto order_key(const Store& store, NodeId id) {
  const graph::Node& node = store[id];
  const bool leaf = graph::is<graph::Leaf>(node);
  return std::make_tuple(leaf ? 0 : 1, leaf ? id : NodeId{0}, leaf ? std::uint64_t{0} : node.hash, id);
}

std::size_t distinct(Colours colours) {
  std::sort(colours.begin(), colours.end());
  return static_cast<std::size_t>(std::unique(colours.begin(), colours.end()) - colours.begin());
}

/// Colours of operands and labels that do not depend on how the product is written.
class Refinement {
 public:
  Refinement(const Store& store, const Product& p)
      : p_(p),
        places_(p.operands.size()),
        labels_(static_cast<std::size_t>(einsum::label_count(p.subscripts)), 0),
        numbers_(labels_.size(), unnumbered) {
    std::vector<NodeId> nodes = p.operands;
    const auto before = [&](NodeId a, NodeId b) { return comes_before(store, a, b); };
    std::sort(nodes.begin(), nodes.end(), before);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    for (std::size_t k = 0; k < p.operands.size(); ++k) {
      rank_.push_back(
          static_cast<std::size_t>(std::lower_bound(nodes.begin(), nodes.end(), p.operands[k], before) - nodes.begin()));
      operands_.push_back(mixed(rank_[k], 0));
      places_[k] = graph::counted(p.subscripts.inputs[k].size());
      groups_.push_back(exchangeable_axes(store, p.operands[k]));
      for (const std::vector<std::int32_t>& group : groups_[k])
        for (const std::int32_t axis : group) places_[k][static_cast<std::size_t>(axis)] = group[0];
    }
    for (std::size_t axis = 0; axis < p.subscripts.output.size(); ++axis) label_colour(p.subscripts.output[axis]) += mixed(axis, 1);
    refine();
    while (take_one()) refine();
  }

  /// The product, labels numbered output first, then along the operands; of several copies of a node the next is the one with the
  /// smallest numbers.
  Product written() {
    numbers_.assign(labels_.size(), unnumbered);
    next_ = 0;
    for (const Label label : p_.subscripts.output) number(label);
    std::vector<std::size_t> left = by_node();
    Product result{p_.coefficient, {}, {{}, {}}};
    while (!left.empty()) {
      const auto copies = std::find_if(left.begin(), left.end(), [&](std::size_t k) { return rank_[k] != rank_[left[0]]; });
      const auto best = std::min_element(left.begin(), copies, [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
      Labels labels = axes(*best);
      for (Label& label : labels) label = number(label);
      result.operands.push_back(p_.operands[*best]);
      result.subscripts.inputs.push_back(std::move(labels));
      left.erase(best);
    }
    for (const Label label : p_.subscripts.output) result.subscripts.output.push_back(number(label));
    return result;
  }

 private:
  static constexpr Label unnumbered = std::numeric_limits<Label>::max();

  Colour& label_colour(Label label) { return labels_[static_cast<std::size_t>(label)]; }

  /// An operand is told by the labels at its places, a label by the operands and places it stands at; until nothing more differs.
  void refine() {
    for (std::size_t known = 0, found = count(); found > known;) {
      known = found;
      Colours operands = operands_, labels = labels_;
      for (std::size_t k = 0; k < operands_.size(); ++k)
        for (std::size_t axis = 0; axis < places_[k].size(); ++axis) {
          const auto label = static_cast<std::size_t>(p_.subscripts.inputs[k][axis]);
          const auto place = static_cast<Colour>(places_[k][axis]);
          operands[k] += mixed(labels_[label], place);
          labels[label] += mixed(operands_[k], place);
        }
      for (Colour& colour : operands) colour = mixed(colour, 2);
      for (Colour& colour : labels) colour = mixed(colour, 3);
      operands_ = std::move(operands), labels_ = std::move(labels);
      found = count();
    }
  }
  std::size_t count() const { return distinct(operands_) + distinct(labels_); }

  std::vector<std::size_t> by_node() const {
    std::vector<std::size_t> order(operands_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::make_pair(rank_[a], operands_[a]) < std::make_pair(rank_[b], operands_[b]);
    });
    return order;
  }
  Label number(Label label) {
    Label& known = numbers_[static_cast<std::size_t>(label)];
    if (known == unnumbered) known = next_++;
    return known;
  }
  std::pair<Label, Colour> key(Label label) const {
    return {numbers_[static_cast<std::size_t>(label)], labels_[static_cast<std::size_t>(label)]};
  }
  /// The labels of an operand, in each group of exchangeable axes sorted by number, then by colour.
  Labels axes(std::size_t operand) const {
    Labels labels = p_.subscripts.inputs[operand];
    for (const std::vector<std::int32_t>& group : groups_[operand]) {
      Labels sorted;
      for (const std::int32_t axis : group) sorted.push_back(labels[static_cast<std::size_t>(axis)]);
      std::stable_sort(sorted.begin(), sorted.end(), [&](Label a, Label b) { return key(a) < key(b); });
      for (std::size_t m = 0; m < group.size(); ++m) labels[static_cast<std::size_t>(group[m])] = sorted[m];
    }
    return labels;
  }
  std::pair<Labels, Colour> key(std::size_t operand) const {
    Labels labels = axes(operand);
    for (Label& label : labels) label = numbers_[static_cast<std::size_t>(label)];
    return {std::move(labels), operands_[operand]};
  }

  /// Gives one of several operands that look alike, but stand at other labels, a colour of its own.
  bool take_one() {
    const std::vector<std::size_t> sorted = by_node();
    for (std::size_t m = 1; m < sorted.size(); ++m) {
      const std::size_t a = sorted[m - 1], b = sorted[m];
      if (operands_[a] != operands_[b] || axes(a) == axes(b)) continue;
      operands_[a] = mixed(operands_[a], 4);
      return true;
    }
    return false;
  }

  const Product& p_;
  std::vector<std::size_t> rank_;  // of the node of each operand
  std::vector<std::vector<std::vector<std::int32_t>>> groups_;
  std::vector<Labels> places_;  // by operand and axis: the axis, or the first that it may be exchanged with
  Colours operands_, labels_;
  Labels numbers_;  // of the labels, in what is written
  Label next_ = 0;
};

}  // namespace

bool comes_before(const Store& store, NodeId a, NodeId b) { return order_key(store, a) < order_key(store, b); }

std::vector<std::vector<std::int32_t>> exchangeable_axes(const Store& store, NodeId id) {
  const graph::Node& node = store[id];
  if (graph::is<graph::Identity>(node)) return {{0, 1}};
  const auto* map = graph::as<graph::Map>(node);
  const bool is_conjugate = map != nullptr && map->function == operation::Function::conj;
  const auto* leaf = graph::as<graph::Leaf>(is_conjugate ? store[node.operands[0]] : node);
  return leaf == nullptr ? std::vector<std::vector<std::int32_t>>{} : leaf->facts.symmetric;
}

std::vector<Labels> exchanged(const Store& store, NodeId node, const Labels& labels) {
  std::vector<Labels> all{labels};
  const std::vector<std::vector<std::int32_t>> groups = exchangeable_axes(store, node);
  double count = 1;
  for (const std::vector<std::int32_t>& group : groups) count *= std::tgamma(static_cast<double>(group.size()) + 1);
  if (count > static_cast<double>(most_exchanges)) return all;
  for (const std::vector<std::int32_t>& group : groups) {
    std::vector<Labels> more;
    for (const Labels& before : all) {
      std::vector<std::int32_t> order = group;
      std::sort(order.begin(), order.end());
      const std::vector<std::int32_t> axes = order;
      do {
        Labels other = before;
        for (std::size_t a = 0; a < axes.size(); ++a)
          other[static_cast<std::size_t>(axes[a])] = before[static_cast<std::size_t>(order[a])];
        if (std::find(more.begin(), more.end(), other) == more.end()) more.push_back(std::move(other));
      } while (std::next_permutation(order.begin(), order.end()));
    }
    all = std::move(more);
  }
  return all;
}

Product canonical(const Store& store, const Product& p) { return Refinement(store, p).written(); }

}  // namespace tyto::optimize
