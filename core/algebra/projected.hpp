#pragma once
/// The Hermitian matrix that a map becomes on a small space, and its eigenpairs by LAPACK.
#include <vector>
#include "algebra/field.hpp"

namespace tyto::algebra {

/// H_jk = <v_j, A v_k>, grown by one vector at a time.
class Projected {
 public:
  Projected(std::size_t capacity, bool is_complex);
  std::size_t size() const { return size_; }

  /// One row and column more: <v_j, A v_k> for j = 0..k, k the size before.
  void append(const std::vector<Scalar>& column);
  /// Becomes the diagonal matrix of its first `count` eigenvalues, which is what it is in the basis of its eigenvectors.
  void restrict_to(std::size_t count);
  /// Eigenpairs, the smallest first. Error{third_party} where LAPACK finds none; false where an entry is not finite.
  bool diagonalize();

  double value(std::size_t k) const { return values_[k]; }
  /// The coordinates of the k-th eigenvector.
  const Scalar* vector(std::size_t k) const { return vectors_.data() + k * size_; }

 private:
  void diagonalize_real();
  void diagonalize_complex();

  std::size_t capacity_, size_ = 0;
  bool is_complex_;
  std::vector<Scalar> entries_, vectors_, complex_work_;  ///< entries by columns, a capacity apart; the upper triangle counts
  std::vector<double> values_, real_, work_;
};

}  // namespace tyto::algebra
