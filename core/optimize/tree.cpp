#include "optimize/tree.hpp"
#include <algorithm>
#include <bit>
#include "error/fail.hpp"

namespace tyto::optimize {

using einsum::contains;
using einsum::Label;
using einsum::Labels;

Labels message_labels(const cost::Network& network, Operands set) {
  Labels inside, result;
  const std::vector<Labels>& inputs = network.subscripts.inputs;
  for (std::size_t k = 0; k < inputs.size(); ++k)
    if ((set >> k & 1) != 0) inside.insert(inside.end(), inputs[k].begin(), inputs[k].end());
  std::sort(inside.begin(), inside.end());
  inside.erase(std::unique(inside.begin(), inside.end()), inside.end());
  for (const Label label : inside) {
    bool outside = contains(network.subscripts.output, label);
    for (std::size_t k = 0; k < inputs.size() && !outside; ++k) outside = (set >> k & 1) == 0 && contains(inputs[k], label);
    if (outside) result.push_back(label);
  }
  return result;
}

bool compatible(Operands a, Operands b, Operands all) {
  return (a & b) == 0 || (a & ~b & all) == 0 || (~a & b & all) == 0 || (~(a | b) & all) == 0;
}

Tree::Tree(std::size_t operand_count, std::map<Operands, Operands> split)
    : all_((Operands{1} << operand_count) - 1), last_(Operands{1} << (operand_count - 1)), split_(std::move(split)) {
  for (const auto& [whole, half] : split_) parent_[half] = parent_[whole ^ half] = whole;
}

std::pair<Operands, Operands> Tree::parts(Operands message) const {
  if ((message & last_) == 0) {
    const Operands half = split_.at(message);
    return {half, message ^ half};
  }
  const Operands below = all_ ^ message, above = parent_.at(below);
  return {all_ ^ above, above ^ below};
}

std::vector<Operands> Tree::messages() const {
  std::vector<Operands> all;
  const auto add = [&](Operands side) { all.push_back(side), all.push_back(all_ ^ side); };
  add(all_ ^ last_);
  for (const auto& [whole, half] : split_) add(half), add(whole ^ half);
  return all;
}

namespace {

class Search {
 public:
  Search(const cost::Network& network, const std::function<double(Operands)>& versions, const std::vector<Operands>& edges)
      : network_(network),
        versions_(versions),
        edges_(edges),
        n_(network.subscripts.inputs.size()),
        all_((Operands{1} << n_) - 1),
        labels_(all_ + 1),
        has_labels_(all_ + 1, 0),
        counts_(all_ + 1, -1) {}

  TreeSearch run() {
    const Operands whole = all_ >> 1;  // all but the last operand
    const cost::Cost total = best(whole);
    std::map<Operands, Operands> split;
    collect(whole, split);
    return {Tree(n_, std::move(split)), total};
  }

 private:
  bool allowed(Operands set) const {
    return std::all_of(edges_.begin(), edges_.end(), [&](Operands edge) { return compatible(set, edge, all_); });
  }
  /// An operand standing alone has all its axes, also those that nobody else needs.
  Labels labels_of(Operands set) const {
    const bool is_single = (set & (set - 1)) == 0;
    return is_single ? network_.subscripts.inputs[static_cast<std::size_t>(std::countr_zero(set))] : message_labels(network_, set);
  }
  const Labels& labels(Operands set) {
    if (has_labels_[set] == 0) labels_[set] = labels_of(set), has_labels_[set] = 1;
    return labels_[set];
  }
  double versions(Operands message) {
    if (counts_[message] < 0) counts_[message] = versions_(message);
    return counts_[message];
  }
  cost::Cost message_cost(Operands a, Operands b) {
    const double times = versions(a | b);
    if (times == 0) return {};
    return times * cost::pair_cost(labels(a), labels(b), labels(a | b), network_.extents);
  }
  /// The three messages that a vertex of the tree makes, one along each of its edges.
  cost::Cost vertex_cost(Operands a, Operands b) {
    const Operands outside = all_ ^ (a | b);
    return message_cost(a, b) + message_cost(a, outside) + message_cost(b, outside);
  }
  cost::Cost best(Operands set) {
    if ((set & (set - 1)) == 0) return {};
    const auto known = best_.find(set);
    if (known != best_.end()) return known->second;
    const Operands low = set & (~set + 1);
    bool found = false;
    cost::Cost least;
    Operands half = 0;
    for (Operands part = (set - 1) & set; part != 0; part = (part - 1) & set) {
      if ((part & low) == 0 || !allowed(part) || !allowed(set ^ part)) continue;
      const cost::Cost here = vertex_cost(part, set ^ part);
      if (found && least < here) continue;
      const cost::Cost total = here + best(part) + best(set ^ part);
      if (!found || total < least) least = total, half = part, found = true;
    }
    TYTO_ASSERT(found);
    best_[set] = least, split_[set] = half;
    return least;
  }
  void collect(Operands set, std::map<Operands, Operands>& split) const {
    if ((set & (set - 1)) == 0) return;
    const Operands half = split_.at(set);
    split[set] = half;
    collect(half, split), collect(set ^ half, split);
  }

  const cost::Network& network_;
  const std::function<double(Operands)>& versions_;
  const std::vector<Operands>& edges_;
  std::size_t n_;
  Operands all_;
  std::vector<Labels> labels_;
  std::vector<char> has_labels_;
  std::vector<double> counts_;
  std::map<Operands, cost::Cost> best_;
  std::map<Operands, Operands> split_;
};

}  // namespace

TreeSearch best_tree(const cost::Network& network, const std::function<double(Operands)>& versions,
                     const std::vector<Operands>& edges) {
  TYTO_ASSERT(network.subscripts.inputs.size() >= 3 && network.subscripts.inputs.size() <= most_operands);
  return Search(network, versions, edges).run();
}

}  // namespace tyto::optimize
