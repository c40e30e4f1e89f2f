#include "optimize/units.hpp"
#include <algorithm>
#include <bit>

namespace tyto::optimize {

UnitNetwork::UnitNetwork(const cost::Network& network, std::vector<Operands> members)
    : network_(network), members_(std::move(members)), joining_((all() + 1) * (all() + 1)) {
  for (Units set = 0; set <= all(); ++set) labels_.push_back(set == 0 ? einsum::Labels{} : labels(operands(set)));
}

Operands UnitNetwork::operands(Units units) const {
  Operands set = 0;
  for (std::size_t k = 0; k < members_.size(); ++k)
    if ((units >> k & 1) != 0) set |= members_[k];
  return set;
}

Units UnitNetwork::touched(Operands set) const {
  Units units = 0;
  for (std::size_t k = 0; k < members_.size(); ++k)
    if ((members_[k] & set) != 0) units |= Units{1} << k;
  return units;
}

std::optional<Units> UnitNetwork::exactly(Operands set) const {
  const Units units = touched(set);
  return operands(units) == set ? std::optional(units) : std::nullopt;
}

/// An operand standing alone has all its axes, also those that nobody else needs.
einsum::Labels UnitNetwork::labels(Operands set) const {
  return std::has_single_bit(set) ? network_.subscripts.inputs[static_cast<std::size_t>(std::countr_zero(set))]
                                  : message_labels(network_, set);
}

const cost::Cost& UnitNetwork::joining(Units a, Units b) {
  std::optional<cost::Cost>& known = joining_[a * (all() + 1) + b];
  if (!known) known = cost::pair_cost(labels_[a], labels_[b], labels_[a | b], network_.extents);
  return *known;
}

cost::Cost UnitNetwork::inside(Units unit) const {
  const Operands set = operands(unit), first = set & (~set + 1);
  if (set == first) return {};
  return cost::pair_cost(labels(first), labels(set ^ first), labels(set), network_.extents);
}

std::vector<Operands> units_of(std::size_t operand_count, const std::vector<Operands>& sets, const std::vector<Operands>& pairs) {
  const auto go_together = [&](Operands two) {
    return std::all_of(sets.begin(), sets.end(), [&](Operands set) { return (set & two) == 0 || (set & two) == two; });
  };
  std::vector<Operands> units;
  Operands taken = 0;
  for (std::size_t k = 0; k < operand_count; ++k) {
    const Operands own = Operands{1} << k;
    if ((taken & own) != 0) continue;
    const auto pair = std::find_if(pairs.begin(), pairs.end(), [&](Operands two) {
      return (two & own) != 0 && (two & taken) == 0 && std::popcount(two) == 2 && go_together(two);
    });
    units.push_back(pair == pairs.end() ? own : *pair);
    taken |= units.back();
  }
  return units;
}

}  // namespace tyto::optimize
