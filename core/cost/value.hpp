#pragma once
/// Operands and intermediates as the search for a path sees them: labels with counts, and sizes as logarithms of base 2, so that
/// no network is too large. Empty extents count as one: a network with one costs nothing in any order.
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>
#include "cost/network.hpp"

namespace tyto::cost {

using Pairs = std::vector<std::pair<std::int32_t, std::int32_t>>;

/// One label of a value.
struct Leg {
  einsum::Label label;
  std::int32_t count;  ///< how often the operands in the value have it
  double distinct;     ///< log2 of how many indices along it have an entry: the extent, where the value is dense
};

struct Value {
  std::vector<Leg> legs;    ///< ascending labels
  double elements = 0;      ///< log2 of the number of entries
  double joined = 0;        ///< log2 of the entries before any label was summed; used with statistics only
  double private_size = 0;  ///< of an operand: the sum of `distinct` of the labels that nobody else has
  bool has_private_legs = false;
  std::uint64_t occasions = 0;  ///< on which it has changed; see Changes
};

/// The estimate of one contraction.
struct Step {
  double points = 0;    ///< log2 of the multiplications
  double elements = 0;  ///< log2 of the entries of the result
  bool sums = false;    ///< whether a label is summed
  double runs = 0;      ///< log2 of how often it runs in a cycle
};

/// The values of one network and how they join.
///
/// Dense values: points are the product of all extents. With statistics, uniform and independent entries are assumed, as
/// databases do (Selinger et al., Access path selection in a relational database management system, SIGMOD 1979): a join of A and
/// B has T(A) T(B) / prod over shared labels of max(V(l,A), V(l,B)) entries; a label of a result takes the least V of its
/// operands; a result has the entries of the join of all its operands, but at most prod V. With T = prod V these are the dense
/// ones.
class Joins {
 public:
  explicit Joins(const Network&);
  const std::vector<Value>& operands() const { return operands_; }
  /// How often a label is needed in all: by operands, and by the output.
  std::int32_t needed(einsum::Label label) const { return needed_[static_cast<std::size_t>(label)]; }
  bool is_dense() const { return is_dense_; }
  /// Of a label. Logarithms would cost small counts their exactness.
  double extent(einsum::Label label) const { return extents_[static_cast<std::size_t>(label)]; }
  std::size_t label_count() const { return needed_.size(); }
  /// How often a contraction of two values runs in a cycle.
  double runs(const Value& left, const Value& right) const { return runs(left.occasions | right.occasions); }
  double runs(std::uint64_t occasions) const { return changes_.runs(occasions); }

  /// Size and cost of joining two values, without making the result.
  Step step(const Value& left, const Value& right) const;
  /// Makes the result too. `out` must be none of the others.
  Step join(const Value& left, const Value& right, Value& out) const;

 private:
  /// A logarithm where there is something to take it of.
  double log_runs(const Value& left, const Value& right) const {
    return changes_.operands.empty() ? 0 : std::log2(runs(left, right));
  }

  bool is_dense_;
  std::vector<std::int32_t> needed_;
  std::vector<double> extents_;
  std::vector<Value> operands_;
  Changes changes_;
};

}  // namespace tyto::cost
