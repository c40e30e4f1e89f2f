#pragma once
/// Quadratic problems under x >= 0 by active sets: exact, not iterated towards.
#include <cstdint>
#include <vector>

namespace tyto::execute::plain {

/// The x >= 0 that minimizes 1/2 x.M x - b.x, M symmetric positive semidefinite and b in its range, for one M after another.
/// C. L. Lawson and R. J. Hanson, Solving Least Squares Problems, 1974, chapter 23, from the normal equations as R. Bro and S. de
/// Jong do, J. Chemometrics 11 (1997). An unknown enters only where its column and slope leave the span of those inside by more
/// than the roundings of M and b, so the matrix of those inside is always definite and a singular M needs no care.
class Nonnegative {
 public:
  Nonnegative() = default;
  /// Sets aside all memory for matrices of this order.
  explicit Nonnegative(std::int64_t order);
  /// Takes M, of which the lower triangle by columns is read, for the solves that follow. `epsilon` is the rounding unit of what M
  /// and b were computed with.
  void set_matrix(const double* matrix, double epsilon);
  /// b becomes x. A b that is not finite gives NaN.
  void solve(double* x);

 private:
  double matrix(std::size_t i, std::size_t j) const { return matrix_[i >= j ? i + j * n_ : j + i * n_]; }
  double& factor(std::size_t i, std::size_t j) { return factor_[i * n_ + j]; }
  struct Slope {
    std::size_t unknown = 0;
    double value = 0;
    double size = 0;  ///< the largest sum of absolute values that a slope is made of
  };
  Slope steepest() const;
  double append(std::size_t unknown, bool is_new);
  void drop_last();
  void refactor();
  void solve_inside();
  void step_back();

  std::size_t n_ = 0;
  double rounding_ = 0;         // of a sum of n terms of size 1
  std::vector<double> matrix_;  // with unit diagonal
  std::vector<double> scale_;   // by which rows and columns were multiplied; 0: the unknown is 0
  std::vector<double> right_;   // scaled
  std::vector<double> x_;       // feasible, scaled
  std::vector<double> trial_;   // by place among those inside
  std::vector<double> combination_;
  std::vector<double> factor_;   // lower triangular, of the matrix of those inside
  std::vector<std::size_t> in_;  // unknowns that may be positive, in the order in which they came
  std::vector<std::size_t> staying_;
  std::vector<char> is_in_, is_barred_;
};

}  // namespace tyto::execute::plain
