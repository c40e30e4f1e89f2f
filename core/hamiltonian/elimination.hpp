#pragma once
/// The rank of a small dense matrix and its rows as combinations of as many of them, by Gaussian elimination with complete
/// pivoting. Each element carries the standard deviation of its rounding error, as if errors were independent (N. J. Higham and T.
/// Mary, "A new approach to probabilistic rounding error analysis", SIAM J. Sci. Comput. 41, A2815 (2019)): bounds that add up
/// instead grow by orders of magnitude in a dozen steps, and would give up digits of couplings that decay by a power law.
#include <complex>
#include <cstdint>
#include <vector>

namespace tyto::hamiltonian {

class Elimination {
 public:
  Elimination(std::int64_t rows, std::int64_t columns);
  /// Before run(): an element, with the scale of its rounding error. What is not set is exactly 0.
  void set(std::int64_t row, std::int64_t column, std::complex<double> value, double magnitude);
  /// Elements that arise on the way and are at most `floor` are 0.
  void run(double floor);

  std::int64_t rank() const { return rank_; }
  /// Numbers of the rows: the first rank() are independent, and all others are combinations of them.
  const std::vector<std::int64_t>& row_order() const { return row_order_; }
  /// row_order()[place] as a combination of the first rank() rows, for place >= rank().
  std::vector<std::complex<double>> combination(std::int64_t place) const;

 private:
  struct Element {
    std::complex<double> value = 0;
    double variance = 0;    ///< of the rounding error; before run() the scale that set() gave
    bool is_known() const;  ///< that it is not 0
  };
  Element& at(std::int64_t row, std::int64_t column) { return elements_[static_cast<std::size_t>(row * columns_ + column)]; }
  const Element& at(std::int64_t row, std::int64_t column) const {
    return elements_[static_cast<std::size_t>(row * columns_ + column)];
  }
  bool bring_pivot_to_front();
  void eliminate(double squared_floor);
  double scale_by_power_of_two();  ///< so that squares neither overflow nor vanish; returns the factor

  std::int64_t rows_, columns_, rank_ = 0;
  std::vector<Element> elements_;  ///< row-major, exchanged as the pivots ask; multipliers below the diagonal
  std::vector<std::int64_t> row_order_;
};

}  // namespace tyto::hamiltonian
