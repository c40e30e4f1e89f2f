#pragma once
/// Linear systems and inverses by the decompositions that define the answer, always: eigenpairs where the matrix is symmetric and
/// positive semidefinite, singular values else. In f64 whatever the element type.
#include <vector>
#include "execute/executor.hpp"

namespace tyto::execute::reference {

class Systems {
 public:
  Systems(const program::Solve&, const std::vector<program::Buffer>&);
  Systems(const program::Inverse&, const std::vector<program::Buffer>&);
  /// semidefinite: x = V inv(L) V' b over the eigenvalues above n eps times the largest. general: least squares of minimum norm,
  /// singular values up to n eps times the largest count as zero. eps is that of T. `right` is not read for an inverse. A matrix
  /// that is not finite gives a solution that is NaN.
  template <class T>
  void run(T* out, const T* matrix, const T* right, Counts&);

 private:
  /// Places of the elements of one system in a buffer, first axis slowest.
  struct Places {
    std::vector<std::int64_t> of_system, of_element;
  };
  static Places places_of(const program::Buffer&, std::size_t batch);
  void reserve();
  bool solve_symmetric(double epsilon);
  bool solve_any(double epsilon);

  std::int64_t order_ = 0, right_sides_ = 0, systems_ = 0, flops_ = 0;
  bool semidefinite_ = false, is_inverse_ = false;
  Places matrix_at_, right_at_, out_at_;
  std::vector<double> matrix_, x_, values_, work_;  ///< matrix by rows, x by columns: x(unknown, right side)
  std::vector<int> integers_;
};

}  // namespace tyto::execute::reference
