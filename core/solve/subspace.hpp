#pragma once
/// Renews an unknown as the orthonormal basis that captures most of a matrix.
#include <functional>
#include "solve/basis.hpp"
#include "solve/setup.hpp"

namespace tyto::solve {

class SubspaceUpdate {
 public:
  /// Both outlive the update.
  SubspaceUpdate(const Setup&, const Subspace&);

  /// As before the first update.
  void restart();
  /// Fills the unknown with the leading left singular vectors of `matrix`, the value of the subspace's kernel. What was found out
  /// about the route holds for the updates that follow. False, and nothing is filled, where the matrix is not finite.
  bool update(const ConstArray& matrix, const Array& unknown);
  /// How it starts: "eigenvectors of a 61 x 61 Gram matrix", for people.
  static std::string description(std::int64_t rows, std::int64_t columns);

 private:
  const Setup& setup_;
  const Subspace& request_;
  std::optional<Route> route_;
};

}  // namespace tyto::solve
