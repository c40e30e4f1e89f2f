#pragma once
/// A sum of squared norms of residuals, accumulated tile by tile: accurate to rounding of the residual's entries, where the
/// expanded form loses what cancels.
#include "execute/evaluation.hpp"
#include "solve/state.hpp"

namespace tyto::solve {

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
