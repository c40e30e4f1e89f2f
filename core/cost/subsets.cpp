#include "cost/subsets.hpp"
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

namespace tyto::cost {

using einsum::Label;
using einsum::Labels;

namespace {

/// Whether a set has a label that its owners have: single values have all of theirs.
bool has(Set set, Set owners, bool is_kept) {
  if ((owners & set) == 0) return false;
  return is_kept || (owners & ~set) != 0 || std::has_single_bit(set);
}

std::uint64_t occasions_of(const Few& few, Set set) {
  std::uint64_t occasions = 0;
  for (std::size_t k = 0; k < few.values.size(); ++k)
    if ((set >> k & 1) != 0) occasions |= few.values[k].occasions;
  return occasions;
}

}  // namespace

Subsets::Subsets(const Few& few, const Joins& joins) : is_dense(joins.is_dense()) {
  const std::size_t count = std::size_t{1} << few.values.size();
  elements.assign(count, 1), over.assign(count, 1), under.assign(count, 1), finished_.assign(count, 0);
  runs.assign(count, 1);
  collect(few, joins);
  for (Set set = 1; set < count; ++set) {
    if (is_dense) fill_dense(set);
    else fill_estimated(few, set);
    runs[set] = joins.runs(occasions_of(few, set));
    are_finite = are_finite && std::isfinite(elements[set]) && std::isfinite(over[set]) && under[set] > 0 && over[set] > 0;
  }
}

void Subsets::collect(const Few& few, const Joins& joins) {
  struct Owned {
    Label label;
    std::int32_t value, count;
    double distinct;
  };
  std::vector<Owned> legs;
  for (std::size_t k = 0; k < few.values.size(); ++k)
    for (const Leg& leg : few.values[k].legs) legs.push_back({leg.label, static_cast<std::int32_t>(k), leg.count, leg.distinct});
  std::stable_sort(legs.begin(), legs.end(), [](const Owned& a, const Owned& b) { return a.label < b.label; });
  for (std::size_t begin = 0, end = 0; begin < legs.size(); begin = end) {
    Set owners = 0;
    std::int32_t count = 0;
    std::vector<double> distinct(is_dense ? 0 : few.values.size(), 1);
    for (end = begin; end < legs.size() && legs[end].label == legs[begin].label; ++end) {
      owners |= Set{1} << legs[end].value, count += legs[end].count;
      if (!is_dense) distinct[static_cast<std::size_t>(legs[end].value)] = std::exp2(legs[end].distinct);
    }
    add(joins, legs[begin].label, owners, count < joins.needed(legs[begin].label), std::move(distinct));
  }
}

void Subsets::add(const Joins& joins, Label label, Set owners, bool is_kept, std::vector<double> distinct) {
  const double extent = joins.extent(label);
  auto group = groups_.end();
  if (is_dense)
    group =
        std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) { return g.owners == owners && g.is_kept == is_kept; });
  if (group == groups_.end()) group = groups_.insert(groups_.end(), Group{{}, owners, is_kept, 1, false, std::move(distinct)});
  group->labels.push_back(label);
  if (extent == 0) group->is_empty = true;
  else group->extent *= extent;
}

void Subsets::fill_dense(Set set) {
  bool is_empty = false;
  double kept = 1, summed = 1;
  for (const Group& group : groups_) {
    if (has(set, group.owners, group.is_kept)) {
      kept *= group.extent;
      is_empty = is_empty || group.is_empty;
    } else if ((group.owners & set) != 0) {
      summed *= group.extent;
      finished_[set] += static_cast<std::int32_t>(group.labels.size());
    }
  }
  elements[set] = is_empty ? 0 : kept;
  over[set] = kept * summed;
  under[set] = is_empty ? std::numeric_limits<double>::infinity() : summed;  // no multiplications with it
}

void Subsets::fill_estimated(const Few& few, Set set) {
  double kept = 0, divisor = 0, joined = 0, product = 0;  // log2 all
  for (std::size_t k = 0; k < few.values.size(); ++k)
    if ((set >> k & 1) != 0) product += few.values[k].elements, joined += few.values[k].joined;
  for (const Group& group : groups_) {
    double least = std::numeric_limits<double>::infinity(), all = 0;
    for (std::size_t k = 0; k < few.values.size(); ++k) {
      if ((group.owners & set & (Set{1} << k)) == 0) continue;
      const double distinct = std::log2(group.distinct[k]);
      least = std::min(least, distinct), all += distinct;
    }
    if ((group.owners & set) == 0) continue;
    divisor += all - least;
    if (has(set, group.owners, group.is_kept)) kept += least;
    else finished_[set] += 1;
  }
  const double size = std::has_single_bit(set) ? product : std::min(kept, joined - divisor);
  elements[set] = std::exp2(size);
  over[set] = std::exp2(-divisor);
  under[set] = std::exp2(-size - divisor);
}

double Subsets::flops(Set a, Set b) const {
  double points = over[a | b] / under[a] / under[b];
  if (is_dense && points < 0x1p50) points = std::nearbyint(points);  // a product of extents, but for rounding
  return finished_[a | b] > finished_[a] + finished_[b] ? 2 * points : points;
}

Labels Subsets::kept_labels(Set set) const {
  Labels labels;
  for (const Group& group : groups_)
    if (has(set, group.owners, group.is_kept)) labels.insert(labels.end(), group.labels.begin(), group.labels.end());
  std::sort(labels.begin(), labels.end());
  return labels;
}

}  // namespace tyto::cost
