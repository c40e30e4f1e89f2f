#include "cost/exact.hpp"
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include "cost/subsets.hpp"
#include "error/fail.hpp"

namespace tyto::cost {

using einsum::Label;
using einsum::Labels;

namespace {

/// What is compared, in order.
using Keys = std::array<double, 3>;

/// One of the best ways to make a set: from a part and the rest, each made in one of its own best ways.
struct Way {
  Keys keys = {};
  Set part = 0;
  std::int32_t part_rank = 0, rest_rank = 0;
};

class DynamicProgram {
 public:
  DynamicProgram(const Few& few, const Joins& joins, const FewLimits& limits)
      : few_(few),
        limits_(limits),
        n_(few.values.size()),
        all_((Set{1} << n_) - 1),
        subsets_(few, joins),
        cap_(limits.cap * (1 + 1e-9)),
        ways_((std::size_t{all_} + 1) * static_cast<std::size_t>(limits.count)),
        found_(all_ + 1, 0),
        least_(all_ + 1, infinity) {
    inverse_.reserve(all_ + 1);
    for (const double under : subsets_.under) inverse_.push_back(1 / under);
  }

  FewPaths run() {
    FewPaths paths;
    if (!subsets_.are_finite) return paths;
    for (Set set = 1; set <= all_; ++set) {
      if (std::has_single_bit(set)) make_single(set);
      else if (!is_hopeless(set)) make(set);
    }
    for (std::int32_t rank = 0; rank < found_[all_]; ++rank) {
      auto next = static_cast<std::int32_t>(n_);
      paths.pairs.emplace_back();
      emit(all_, rank, paths.pairs.back(), next);
      paths.costs.push_back(way(all_, rank).keys[0]);
    }
    return paths;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  Way& way(Set set, std::int32_t rank) {
    return ways_[std::size_t{set} * static_cast<std::size_t>(limits_.count) + static_cast<std::size_t>(rank)];
  }
  void make_single(Set set) {
    found_[set] = 1;
    const auto k = static_cast<std::size_t>(std::countr_zero(set));
    way(set, 0).keys = {limits_.minimize == Minimize::peak && !few_.peaks.empty() ? few_.peaks[k] : 0, 0, 0};
    least_[set] = way(set, 0).keys[0];
  }

  /// A result is written once and read once, each at a cost of its elements at least.
  bool is_hopeless(Set set) const {
    if (set == all_) return false;
    const double elements = subsets_.elements[set];
    if (elements > limits_.largest) return true;
    if (limits_.minimize == Minimize::peak) return elements > cap_;
    return subsets_.is_dense && 2 * elements * subsets_.runs[set] > cap_;
  }
  /// What a way to make the set must not exceed to be kept.
  double bound(Set set) {
    if (found_[set] == limits_.count) return std::min(cap_, way(set, limits_.count - 1).keys[0]);
    return cap_;
  }

  /// Tries all splits of a set, the part with its lowest value first from large to small.
  void make(Set set) {
    const Set low = set & (~set + 1), others = set ^ low;
    double most = bound(set);
    for (Set rest_of_part = (others - 1) & others;; rest_of_part = (rest_of_part - 1) & others) {
      const Set part = rest_of_part | low, rest = set ^ part;
      if (least_below(set, part, rest) <= most) {
        join(set, part, rest);
        most = bound(set);
      }
      if (rest_of_part == 0) break;
    }
    if (found_[set] > 0) least_[set] = way(set, 0).keys[0];
  }
  /// A bound from below on what is minimized, from tables alone: most splits are out by it.
  double least_below(Set set, Set part, Set rest) const {
    if (limits_.minimize == Minimize::peak) return std::max(least_[part], least_[rest]);
    const double below = least_[part] + least_[rest];
    if (limits_.minimize == Minimize::elements) return below + subsets_.elements[set] * subsets_.runs[set];
    return (below + subsets_.over[set] * inverse_[part] * inverse_[rest] * subsets_.runs[set]) * (1 - 1e-12);
  }

  void join(Set set, Set part, Set rest) {
    const double runs = subsets_.runs[set], flops = runs * subsets_.flops(part, rest);
    const double elements = runs * (subsets_.elements[part] + subsets_.elements[rest] + subsets_.elements[set]);
    if (!std::isfinite(flops)) return;
    double breaks = -1;
    for (std::int32_t a = 0; a < found_[part]; ++a)
      for (std::int32_t b = 0; b < found_[rest]; ++b) {
        Way made{keys(set, way(part, a), way(rest, b), flops, elements, rest), part, a, b};
        // Ways are sorted: later ones are no better. Most ties end here, before breaks are counted, which is slow.
        if (made.keys[0] > cap_ || (found_[set] == limits_.count && made.keys >= way(set, limits_.count - 1).keys)) break;
        if (limits_.minimize != Minimize::peak) {
          if (breaks < 0) breaks = few_.axes.empty() ? 0 : runs * (breaks_of(part, set) + breaks_of(rest, set));
          made.keys[2] += breaks;
        }
        insert(set, made);
      }
  }

  Keys keys(Set set, const Way& part, const Way& rest, double flops, double elements, Set rest_set) const {
    const Keys &a = part.keys, &b = rest.keys;
    switch (limits_.minimize) {
      case Minimize::flops: return {a[0] + b[0] + flops, a[1] + b[1] + elements, a[2] + b[2]};
      case Minimize::elements: return {a[0] + b[0] + elements, a[1] + b[1] + flops, a[2] + b[2]};
      case Minimize::peak: break;
    }
    const double held_a = held(set ^ rest_set), held_b = held(rest_set);
    const double peak = std::min(std::max(a[0], held_a + b[0]), std::max(b[0], held_b + a[0]));
    return {std::max(peak, held_a + held_b + subsets_.elements[set]), a[1] + b[1] + flops, a[2] + b[2] + elements};
  }
  /// Elements that a finished value takes.
  double held(Set set) const {
    if (!std::has_single_bit(set)) return subsets_.elements[set];
    const auto k = static_cast<std::size_t>(std::countr_zero(set));
    return !few_.is_intermediate.empty() && few_.is_intermediate[k] != 0 ? subsets_.elements[set] : 0;
  }

  double breaks_of(Set set, Set whole) const {
    if (!std::has_single_bit(set)) return axis_breaks(subsets_.kept_labels(set), subsets_.kept_labels(whole));
    return axis_breaks(few_.axes[static_cast<std::size_t>(std::countr_zero(set))], subsets_.kept_labels(whole));
  }

  void insert(Set set, const Way& made) {
    std::int32_t at = found_[set];
    while (at > 0 && made.keys < way(set, at - 1).keys) --at;
    if (at == limits_.count) return;
    const std::int32_t last = std::min(found_[set], limits_.count - 1);
    for (std::int32_t k = last; k > at; --k) way(set, k) = way(set, k - 1);
    way(set, at) = made;
    found_[set] = last + 1;
  }

  std::int32_t emit(Set set, std::int32_t rank, Pairs& pairs, std::int32_t& next) {
    if (std::has_single_bit(set)) return std::countr_zero(set);
    const Way made = way(set, rank);
    const std::int32_t left = emit(made.part, made.part_rank, pairs, next);
    const std::int32_t right = emit(set ^ made.part, made.rest_rank, pairs, next);
    pairs.emplace_back(left, right);
    return next++;
  }

  const Few& few_;
  FewLimits limits_;
  std::size_t n_;
  Set all_;
  Subsets subsets_;
  double cap_;
  std::vector<Way> ways_;  ///< of each set the best, cheapest first
  std::vector<std::int32_t> found_;
  std::vector<double> least_;    ///< the first key of the first way
  std::vector<double> inverse_;  ///< of subsets_.under
};

}  // namespace

FewPaths cheapest_trees(const Few& few, const Joins& joins, const FewLimits& limits) {
  TYTO_ASSERT(!few.values.empty() && few.values.size() <= static_cast<std::size_t>(most_exact_operands));
  return DynamicProgram(few, joins, limits).run();
}

}  // namespace tyto::cost
