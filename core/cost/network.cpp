#include "cost/network.hpp"
#include <algorithm>
#include <bit>
#include <limits>
#include <map>

namespace tyto::cost {

using einsum::contains;
using einsum::Label;
using einsum::Labels;

double element_count(const Labels& labels, const Extents& extents) {
  double count = 1;
  Labels seen;
  for (const Label label : labels) {
    if (contains(seen, label)) continue;
    seen.push_back(label);
    count *= static_cast<double>(extents[static_cast<std::size_t>(label)]);
  }
  return count;
}

namespace {

/// Switches between contracted and kept axes beyond the one that a matrix needs.
double axis_breaks(const Labels& labels, const Labels& out) {
  double switches = 0;
  for (std::size_t k = 1; k < labels.size(); ++k)
    if (contains(out, labels[k]) != contains(out, labels[k - 1])) ++switches;
  return std::max(0.0, switches - 1);
}

}  // namespace

Cost pair_cost(const Labels& left, const Labels& right, const Labels& out, const Extents& extents) {
  Labels all = left;
  for (const Label label : right)
    if (!contains(all, label)) all.push_back(label);
  const bool sums = std::any_of(all.begin(), all.end(), [&](Label label) { return !contains(out, label); });
  const double points = element_count(all, extents);
  return {(sums ? 2 : 1) * points, element_count(left, extents) + element_count(right, extents) + element_count(out, extents),
          axis_breaks(left, out) + axis_breaks(right, out)};
}

Labels joined_labels(const Labels& left, const Labels& right, const std::vector<Labels>& others, const Labels& output) {
  Labels result;
  for (const Labels* side : {&left, &right})
    for (const Label label : *side) {
      const bool needed =
          contains(output, label) || std::any_of(others.begin(), others.end(), [&](const Labels& o) { return contains(o, label); });
      if (needed && !contains(result, label)) result.push_back(label);
    }
  std::sort(result.begin(), result.end());
  return result;
}

namespace {

using Set = std::uint32_t;  // a bit per operand

/// Exact search: the best way to contract every subset, from smaller ones.
class Exact {
 public:
  explicit Exact(const Network& network)
      : network_(network), n_(network.subscripts.inputs.size()), fits_bits_(einsum::label_count(network.subscripts) <= 64) {
    const Set all = (Set{1} << n_) - 1;
    best_.resize(all + 1, {std::numeric_limits<double>::infinity(), 0, 0});
    split_.resize(all + 1, 0);
    labels_.resize(all + 1);
    elements_.resize(all + 1, 0);
    bits_.resize(all + 1, 0);
    for (Set set = 1; set <= all; ++set) {
      labels_[set] = external(set);
      elements_[set] = element_count(labels_[set], network.extents);
      for (const Label label : labels_[set])
        if (fits_bits_) bits_[set] |= std::uint64_t{1} << label;
      if ((set & (set - 1)) == 0) {
        best_[set] = {};
        continue;
      }
      const Set low = set & (~set + 1);
      for (Set part = (set - 1) & set; part != 0; part = (part - 1) & set) {
        if ((part & low) == 0) continue;  // each split once
        const Cost below = best_[part] + best_[set ^ part];
        if (below.flops > best_[set].flops || is_worse(below, part, set)) continue;
        const Cost cost = below + pair_cost(labels_[part], labels_[set ^ part], labels_[set], network_.extents);
        if (cost < best_[set]) best_[set] = cost, split_[set] = part;
      }
    }
  }
  Path path() const {
    Path result;
    const Set all = (Set{1} << n_) - 1;
    std::int32_t next = static_cast<std::int32_t>(n_);
    emit(all, result, next);
    result.total = best_[all];
    return result;
  }

 private:
  /// Whether making a set from a part and the rest is known to cost more than the best way so far. Most splits are out by this,
  /// which looks at bits of labels only.
  bool is_worse(Cost cost, Set part, Set set) const {
    if (!fits_bits_) return false;
    const std::uint64_t all = bits_[part] | bits_[set ^ part];
    double flops = all == bits_[set] ? 1 : 2;
    for (std::uint64_t bits = all; bits != 0; bits &= bits - 1)
      flops *= static_cast<double>(network_.extents[static_cast<std::size_t>(std::countr_zero(bits))]);
    cost += {flops, elements_[part] + elements_[set ^ part] + elements_[set], 0};
    return cost > best_[set];
  }
  Labels external(Set set) const {
    Labels inside;
    std::vector<Labels> outside;
    for (std::size_t k = 0; k < n_; ++k) {
      const Labels& labels = network_.subscripts.inputs[k];
      if ((set >> k & 1) != 0) inside.insert(inside.end(), labels.begin(), labels.end());
      else outside.push_back(labels);
    }
    if ((set & (set - 1)) == 0) return inside;  // an operand is used as it is
    return joined_labels(inside, {}, outside, network_.subscripts.output);
  }
  std::int32_t emit(Set set, Path& path, std::int32_t& next) const {
    if ((set & (set - 1)) == 0) {
      std::int32_t k = 0;
      while ((set >> k & 1) == 0) ++k;
      return k;
    }
    const std::int32_t left = emit(split_[set], path, next), right = emit(set ^ split_[set], path, next);
    path.pairs.emplace_back(left, right);
    return next++;
  }

  const Network& network_;
  std::size_t n_;
  bool fits_bits_;
  std::vector<Cost> best_;
  std::vector<Set> split_;
  std::vector<Labels> labels_;
  std::vector<double> elements_;
  std::vector<std::uint64_t> bits_;  ///< of labels_
};

Path greedy_path(const Network& network) {
  struct Value {
    std::int32_t id;
    Labels labels;
  };
  std::vector<Value> values;
  for (const Labels& labels : network.subscripts.inputs) values.push_back({static_cast<std::int32_t>(values.size()), labels});
  Path path;
  auto next = static_cast<std::int32_t>(values.size());
  while (values.size() > 1) {
    double least = std::numeric_limits<double>::infinity();
    std::size_t best_a = 0, best_b = 1;
    Labels best_out;
    for (std::size_t a = 0; a < values.size(); ++a)
      for (std::size_t b = a + 1; b < values.size(); ++b) {
        const bool share =
            std::any_of(values[a].labels.begin(), values[a].labels.end(), [&](Label l) { return contains(values[b].labels, l); });
        if (!share && least < std::numeric_limits<double>::infinity()) continue;
        std::vector<Labels> others;
        for (std::size_t c = 0; c < values.size(); ++c)
          if (c != a && c != b) others.push_back(values[c].labels);
        const Labels out = joined_labels(values[a].labels, values[b].labels, others, network.subscripts.output);
        const double growth = element_count(out, network.extents) - element_count(values[a].labels, network.extents) -
                              element_count(values[b].labels, network.extents);
        if (growth < least) least = growth, best_a = a, best_b = b, best_out = out;
      }
    path.total += pair_cost(values[best_a].labels, values[best_b].labels, best_out, network.extents);
    path.pairs.emplace_back(values[best_a].id, values[best_b].id);
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(best_b));
    values[best_a] = {next++, best_out};
  }
  return path;
}

}  // namespace

Path best_path(const Network& network) {
  if (network.subscripts.inputs.size() <= exact_operands) return Exact(network).path();
  return greedy_path(network);
}

}  // namespace tyto::cost
