#pragma once
/// A core with a matrix for each mode, as a Tucker decomposition leaves it: X(i,j,...) = core(r,s,...) * U(i,r) * V(j,s) * ...
#include <vector>
#include "tensor/dense.hpp"

namespace tyto::tensor {

struct Tucker {
  Dense core;
  std::vector<Dense> factors;  ///< one for each mode, f64, [mode][extent of the core]

  Extents extents() const;
  /// The dense tensor, f64, mode after mode: the one that grows least first. Error{shape} where core and factors do not fit. Throws
  /// as Dense::zeros does.
  Dense to_dense() const;
};

}  // namespace tyto::tensor
