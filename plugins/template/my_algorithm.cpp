// my-algorithm: factorizes a matrix, X(i,j) ~ sum over r of A(i,r) B(j,r). A starting point for an algorithm of your own: change
// what declare() states, keep the rest. Everything a plugin may use is in tyto/plugin.hpp.
#include "tyto/plugin.hpp"

using namespace tyto;

class MyAlgorithm final : public Algorithm {
 public:
  // Which settings it takes. tyto checks a configuration against this, and prints it: tyto describe my-algorithm.
  static Schema schema() { return {integer("rank", "number of terms").at_least(1)}; }

  // What is to be computed: data, unknowns, an objective, and the kernels that run() will use. No numbers here, only labels
  // and shapes. tyto differentiates the objective, simplifies and plans.
  void declare(Declaration& d, const Settings& s) override {
    const Expr x = d.data("X");  // `data: {X: {file: ...}}` in the configuration
    if (x.order() != 2) d.reject("X", "my-algorithm needs a matrix", "a plugin for tensors, such as cp-als");
    const Index i = x.axis(0), j = x.axis(1), r("r", s.integer("rank"));
    const Expr a = d.unknown("A", {i, r});
    const Expr b = d.unknown("B", {j, r});
    fit_ = d.minimize(0.5 * norm2(x - einsum({a, b}, {i, j})));  // r is summed, since it is not among the labels of the result
    solve_a_ = d.block_solve(fit_, a);  // A <- the minimizer for fixed B: f must be quadratic in A, and tyto checks that
    solve_b_ = d.block_solve(fit_, b);
  }

  // In which order. This loop is also what happens without a run(): all block solves in each sweep.
  void run(Iteration& it) const override {
    while (it.next(fit_)) {
      it.apply(solve_a_);
      it.apply(solve_b_);
    }
  }

 private:
  Objective fit_;
  BlockSolve solve_a_, solve_b_;
};

TYTO_PLUGIN(MyAlgorithm, "my-algorithm", "0.1.0", "factorization of a matrix by alternating least squares")
