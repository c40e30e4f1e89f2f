#include "cost/network.hpp"
#include <algorithm>
#include <bit>

namespace tyto::cost {

using einsum::contains;
using einsum::Label;
using einsum::Labels;

double Changes::runs(std::uint64_t occasions) const {
  if (times.empty()) return operands.empty() ? 1 : seldom;
  double sum = 0;
  for (; occasions != 0; occasions &= occasions - 1) sum += times[static_cast<std::size_t>(std::countr_zero(occasions))];
  return sum > 0 ? sum : seldom;
}

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

double axis_breaks(const Labels& labels, const Labels& out) {
  double switches = 0;
  for (std::size_t k = 1; k < labels.size(); ++k)
    if (contains(out, labels[k]) != contains(out, labels[k - 1])) ++switches;
  return std::max(0.0, switches - 1);
}

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

}  // namespace tyto::cost
