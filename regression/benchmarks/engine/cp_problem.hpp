#pragma once
/// The CP decomposition of a cube, as expressions.
#include <tyto/derivative.hpp>
#include "program_kernel.hpp"

namespace tyto::benchmarks {

struct CpProblem {
  CpProblem(std::size_t order, std::int64_t s, std::int64_t rank);

  Indices modes;
  Index r;
  Expr x;
  Exprs factors, directions;  ///< (mode, r) each
  Expr residual, objective;   ///< x - model; 1/2 |residual|^2

  std::vector<Leaf> x_and_factors() const;                             ///< x never changes, factors do
  std::vector<Leaf> factors_and_directions(Changes of_factors) const;  ///< for kernels that data do not enter
};

}  // namespace tyto::benchmarks
