// Algorithms whose run() breaks a rule, one each.
#include <stdexcept>
#include "tyto/plugin.hpp"

using namespace tyto::v1;

namespace {

/// A matrix X(i,j) ~ A(i,r) B(j,r) and what the classes below do wrong with it.
class Matrix : public Algorithm {
 public:
  static Schema schema() { return {}; }
  void declare(Declaration& d, const Settings&) override {
    x_ = d.data("X");
    const Index r("r", 2);
    a_ = d.unknown("A", {x_.axis(0), r}), b_ = d.unknown("B", {x_.axis(1), r});
    fit_ = d.minimize(0.5 * norm2(x_ - einsum({a_, b_}, x_.shape())));
    solve_a_ = d.block_solve(fit_, a_), solve_b_ = d.block_solve(fit_, b_);
    product_ = d.observe("product", einsum({a_, b_}, x_.shape()));
  }

 protected:
  Expr x_, a_, b_;
  Objective fit_;
  BlockSolve solve_a_, solve_b_;
  Value product_;
};

// clang-format off
class Unassigned final : public Matrix { void run(Iteration& it) const override { while (it.next(fit_)) it.apply(BlockSolve{}); } };
class UnassignedObjective final : public Matrix { void run(Iteration& it) const override { while (it.next(Objective{})) it.apply(solve_a_); } };
class Idle final : public Matrix { void run(Iteration& it) const override { while (it.next(fit_)) {} } };
class Never final : public Matrix { void run(Iteration& it) const override { (void)it; } };
class Endless final : public Matrix { void run(Iteration& it) const override { while (it.next(fit_)) for (;;) it.apply(solve_a_); } };
class Open final : public Matrix { void run(Iteration& it) const override { while (it.next(fit_)) { const Write w = it.write(a_); it.apply(solve_a_); } } };
class WritesData final : public Matrix { void run(Iteration& it) const override { while (it.next(fit_)) { it.apply(solve_a_); const Write w = it.write(x_); } } };
class ValueOfTensor final : public Matrix { void run(Iteration& it) const override { while (it.next(fit_)) { it.apply(solve_a_); (void)it.value(product_); } } };
class SpendsStep final : public Matrix { void run(Iteration& it) const override { while (it.next(fit_)) it.apply(Step{}); } };
class SpendsSplit final : public Matrix { void run(Iteration& it) const override { while (it.next(fit_)) it.apply(Split{}, Weight::left, {}); } };
class Resizes final : public Matrix { void run(Iteration& it) const override { while (it.next(fit_)) it.resize(Index("r", 2), 3); } };
class Throws final : public Matrix { void run(Iteration& it) const override { while (it.next(fit_)) throw std::runtime_error("lost my way"); } };
/// Behaves in the dry run, which sees two sweeps.
class ThrowsLate final : public Matrix { void run(Iteration& it) const override { while (it.next(fit_)) { it.apply(solve_a_); it.apply(solve_b_); if (it.sweep() == 3) throw std::runtime_error("lost my way in sweep 3"); } } };
// clang-format on

}  // namespace

#define BAD(Type, name) TYTO_ALGORITHM(Type, name, "1", "is refused")
TYTO_PLUGINS(BAD(Unassigned, "unassigned"), BAD(UnassignedObjective, "unassigned-objective"), BAD(Idle, "idle"),
             BAD(Never, "never"), BAD(Endless, "endless"), BAD(Open, "open"), BAD(WritesData, "writes-data"),
             BAD(ValueOfTensor, "value-of-tensor"), BAD(SpendsStep, "spends-step"), BAD(SpendsSplit, "spends-split"),
             BAD(Resizes, "resizes"), BAD(Throws, "throws"), BAD(ThrowsLate, "throws-late"))
