#pragma once
/// A sum of squared norms of residuals, accumulated tile by tile: accurate to rounding of the residual's entries, where the
/// expanded form loses what cancels.
#include "execute/evaluation.hpp"
#include "solve/state.hpp"

namespace tyto::solve {

/// Whether the expanded form of a fit has lost too much to cancellation: at a relative error below 1e-4, where its rounding could
/// pass for a change within the tolerance, or where the relative error would be wrong by more than 1e-6 of itself. A tolerance of 0
/// asks nothing.
bool expanded_cancels(double fit, double fit_at_zero, double tolerance, Dtype precision);

/// How far rounding moves a sum of a few terms of this size.
double rounding_of_sum(double size, Dtype precision);
/// And a fit that is computed from its residual.
double rounding_of_residual(double fit, double fit_at_zero, Dtype precision);

class Residual {
 public:
  Residual(const std::vector<ResidualTerm>&, const Setup&);
  /// sum of coefficient * term at the present values.
  double value(const State&);

 private:
  /// A program with a view for each of its leaves, which moves from tile to tile.
  struct Program {
    std::unique_ptr<execute::Evaluation> evaluation;
    std::vector<Array> leaves;
  };
  struct Term {
    ResidualTerm info;
    Program tile, rest;
  };
  double of_tile(const Term&, Program&, const State&, std::int64_t first);
  std::vector<Term> terms_;
};

}  // namespace tyto::solve
