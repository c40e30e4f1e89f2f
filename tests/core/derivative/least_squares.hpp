#pragma once
/// The dense least-squares solution that a block update must equal: from a Jacobian, column by column, and minimum norm.
#include "evaluate/evaluate.hpp"

namespace tyto::test {

/// A term coefficient * |residual|^2 of an objective; the residual is affine in the block.
struct Square {
  double coefficient = 1;
  Expr residual;
};

/// The block of least norm among those that make the sum of the squares least.
Numbers least_squares(const std::vector<Square>&, const Expr& block, const Values&);

}  // namespace tyto::test
