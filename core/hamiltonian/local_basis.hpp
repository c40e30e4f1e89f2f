#pragma once
/// Linearly independent matrices of one site, and others as their combinations.
#include <cstdint>
#include <utility>
#include <vector>

namespace tyto::hamiltonian {

/// Row-major, dimension x dimension.
using RealMatrix = std::vector<double>;

class LocalBasis {
 public:
  /// (number of an element, factor)
  using Combination = std::vector<std::pair<std::int64_t, double>>;

  /// The identity is element 0.
  explicit LocalBasis(std::int64_t dimension);
  /// The matrix as a combination of the elements, exact to rounding; of a new element where it is independent of them.
  Combination expand(const RealMatrix&);
  /// The matrix as a multiple of one element; of a new one where it is no multiple, although it may be a combination.
  Combination keep(const RealMatrix&);
  const std::vector<RealMatrix>& elements() const { return elements_; }

 private:
  /// A combination of elements that vanishes at the pivots of the rows before.
  struct Row {
    std::vector<double> values, factors;
    std::size_t pivot = 0;
  };
  std::vector<RealMatrix> elements_;
  std::vector<Row> rows_;  ///< echelon form of the independent elements
};

}  // namespace tyto::hamiltonian
