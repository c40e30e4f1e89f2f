#pragma once
/// Sizes of all joins of a few values, in tables over their subsets.
#include <cstdint>
#include <vector>
#include "cost/exact.hpp"

namespace tyto::cost {

using Set = std::uint32_t;  // a bit per value

/// Multiplications to join sets A and B are over[A + B] / (under[A] under[B]).
///
/// Dense: `under` is the product of the extents of the labels that are summed within a set, `over` that of all labels of the set.
/// With statistics (see Joins) they are the terms of T(A) T(B) / prod max(V(l,A), V(l,B)), where the product over shared labels is
/// D(A + B) / (D(A) D(B)) and D(A) the product over the labels of A of all V of the values in A but the least.
struct Subsets {
  Subsets(const Few&, const Joins&);
  /// Of joining two sets once, as pair_cost counts them.
  double flops(Set, Set) const;
  /// The labels of a join that others need, ascending.
  einsum::Labels kept_labels(Set) const;

  bool is_dense;
  bool are_finite = true;        ///< whether all counts are in the range of double
  std::vector<double> elements;  ///< of each set
  std::vector<double> runs;      ///< of each set: how often its last contraction runs in a cycle
  std::vector<double> over, under;

 private:
  /// A label, or, where dense, all labels that the same values have.
  struct Group {
    std::vector<einsum::Label> labels;
    Set owners = 0;
    bool is_kept = false;               ///< whether it is needed outside of all values
    double extent = 1;                  ///< where dense; without empty ones
    bool is_empty = false;              ///< whether an extent is 0
    std::vector<double> distinct = {};  ///< of each value, with statistics
  };
  void collect(const Few&, const Joins&);
  void add(const Joins&, einsum::Label, Set owners, bool is_kept, std::vector<double> distinct);
  void fill_dense(Set);
  void fill_estimated(const Few&, Set);

  std::vector<Group> groups_;
  std::vector<std::int32_t> finished_;  ///< how many labels are summed within each set
};

}  // namespace tyto::cost
