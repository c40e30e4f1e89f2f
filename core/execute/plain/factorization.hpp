#pragma once
/// Matrix factorizations, one matrix after another, in double precision whatever the element type, with the signs and phases that
/// operation::Part promises. What does not exist (Cholesky of an indefinite matrix, anything of values that are not finite) is NaN.
#include "execute/executor.hpp"
#include "execute/plain/lapack.hpp"
#include "execute/plain/places.hpp"

namespace tyto::execute::plain {

class Factorization {
 public:
  Factorization(const program::Factorization&, const std::vector<program::Buffer>&);
  template <class T>
  void run(T* out, const T* in, Counts&);

 private:
  template <class S>
  struct Memory {
    std::vector<S> a, copy, left, right;  ///< matrices by columns
    std::vector<S> phases;                ///< of columns
    Workspace<S> workspace;
  };
  template <class S>
  Memory<S>& memory();
  template <class S>
  void reserve();
  /// Factorizes memory().a; the parts by rows one behind the other in packed_of<S>(). False where there is no factorization.
  template <class S>
  bool factorize();
  template <class S>
  std::vector<S>& packed();

  operation::Decomposition decomposition_;
  std::int64_t n_ = 0, m_ = 0, k_ = 0;
  Places in_, out_;
  Memory<double> real_;
  Memory<Complex> complex_;
  std::vector<double> values_, packed_real_;
  std::vector<Complex> packed_complex_;
};

}  // namespace tyto::execute::plain
