#pragma once
/// The operands of a network as a schedule sees them: pairs that always go together count as one, and every set of such units has
/// labels and a price for joining it with another.
#include <cstdint>
#include <optional>
#include <vector>
#include "optimize/tree.hpp"

namespace tyto::optimize {

/// A set of units, a bit each.
using Units = std::uint32_t;

class UnitNetwork {
 public:
  /// `members` are disjoint sets of one or two operands that together are all of them.
  UnitNetwork(const cost::Network&, std::vector<Operands> members);

  std::size_t count() const { return members_.size(); }
  Units all() const { return (Units{1} << members_.size()) - 1; }
  Operands operands(Units) const;
  /// The units that have an operand in common with the set.
  Units touched(Operands) const;
  /// Nothing where the set cuts a pair in two.
  std::optional<Units> exactly(Operands) const;
  /// Of joining two disjoint sets. Computed once.
  const cost::Cost& joining(Units, Units);
  /// Of joining the two operands of a unit; nothing for a single one.
  cost::Cost inside(Units unit) const;

 private:
  einsum::Labels labels(Operands) const;
  const cost::Network& network_;
  std::vector<Operands> members_;
  std::vector<einsum::Labels> labels_;              // by set of units
  std::vector<std::optional<cost::Cost>> joining_;  // by pair of sets
};

/// The operands of a network as units: two that are on the same side of each of the sets make one, where they are a set of
/// `pairs`.
std::vector<Operands> units_of(std::size_t operand_count, const std::vector<Operands>& sets, const std::vector<Operands>& pairs);

}  // namespace tyto::optimize
