#pragma once
/// Linear systems and inverses by the decompositions that define the answer, always: eigenpairs where the matrix is symmetric and
/// positive semidefinite, singular values else; non-negative ones by active sets. In double precision whatever the element type.
#include <vector>
#include "execute/executor.hpp"
#include "execute/plain/lapack.hpp"
#include "execute/plain/nonnegative.hpp"
#include "execute/plain/places.hpp"

namespace tyto::execute::plain {

class Systems {
 public:
  Systems(const program::Solve&, const std::vector<program::Buffer>&);
  Systems(const program::Inverse&, const std::vector<program::Buffer>&);
  /// semidefinite: x = V inv(L) V' b over the eigenvalues above 64 n eps times the largest. general: least squares of minimum norm,
  /// singular values up to n eps times the largest count as zero. eps is that of T. nonnegative: see
  /// nonnegative.hpp; real only. `right` is not read for an inverse. A matrix
  /// that is not finite gives a solution that is NaN.
  template <class T>
  void run(T* out, const T* matrix, const T* right, Counts&);

 private:
  template <class S>
  struct Memory {
    std::vector<S> matrix, x, sum;  ///< by columns: x(unknown, right side)
    Workspace<S> workspace;
  };
  template <class S>
  Memory<S>& memory();
  template <class S>
  void reserve();
  template <class S>
  bool solve_symmetric(double epsilon);
  template <class S>
  bool solve_any(double epsilon);
  /// The x of all right sides; returns whether the matrix was singular where that matters.
  template <class S>
  bool solve_as_asked(double epsilon);
  void solve_nonnegative(double epsilon);

  std::int64_t order_ = 0, right_sides_ = 0, systems_ = 0, flops_ = 0;
  operation::System system_ = operation::System::general;
  bool is_inverse_ = false;
  Places matrix_at_, right_at_, out_at_;
  Memory<double> real_;
  Memory<Complex> complex_;
  std::vector<double> values_;
  Nonnegative nonnegative_;
};

}  // namespace tyto::execute::plain
