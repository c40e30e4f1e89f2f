// Algorithms whose declaration must be refused, one reason each.
#include <cstdint>
#include <string>
#include <vector>
#include "tyto/plugin.hpp"

using namespace tyto::v1;

namespace {

/// A matrix X(i,j) ~ A(i,r) B(j,r), and what the classes below do wrong with it.
class Matrix : public Algorithm {
 public:
  static Schema schema() { return {}; }
  void declare(Declaration& d, const Settings&) override {
    x_ = d.data("X");
    i_ = x_.axis(0), j_ = x_.axis(1);
    a_ = d.unknown("A", {i_, r_}), b_ = d.unknown("B", {j_, r_});
    spoil(d);
  }

 protected:
  virtual void spoil(Declaration&) = 0;
  Objective fit(Declaration& d) const { return d.minimize(0.5 * norm2(x_ - einsum({a_, b_}, {i_, j_}))); }
  Expr x_, a_, b_;
  Index i_, j_, r_{"r", 2};
};

// clang-format off
class Symmetric final : public Matrix { void spoil(Declaration& d) override { d.block_solve(d.minimize(0.5 * norm2(x_ - einsum({a_, a_({j_, r_})}, {i_, j_})) + norm2(b_)), a_); } };
class NoObjective final : public Matrix { void spoil(Declaration& d) override { d.observe("size", norm2(a_)); } };
class Unused final : public Matrix { void spoil(Declaration& d) override { d.unknown("C", {j_}); fit(d); } };
class SameName final : public Matrix { void spoil(Declaration& d) override { d.unknown("A", {j_, r_}); } };
class NoScalar final : public Matrix { void spoil(Declaration& d) override { d.minimize(square(x_ - einsum({a_, b_}, {i_, j_}))); } };
class NoUnknown final : public Matrix { void spoil(Declaration& d) override { d.block_solve(fit(d), x_); } };
class NoHandle final : public Matrix { void spoil(Declaration& d) override { d.block_solve(Objective{}, a_); } };
class WrongLabels final : public Matrix { void spoil(Declaration& d) override { d.minimize(norm2(x_ - a_)); } };
class WrongConstant final : public Matrix { void spoil(Declaration& d) override { d.constant("c", {i_}, {1.0}); } };
class WrongWeights final : public Matrix { void spoil(Declaration& d) override { d.weights(a_); } };
class WrongAssign final : public Matrix { void spoil(Declaration& d) override { d.assign(x_, a_); } };
class WantsTrain final : public Matrix { void spoil(Declaration& d) override { d.train("psi", {i_, j_}, {2}); } };
class WantsMerged final : public Matrix { void spoil(Declaration& d) override { d.merged(a_, b_); } };
class WantsList final : public Matrix { void spoil(Declaration& d) override { d.data_list("X"); } };
class WantsStep final : public Matrix { void spoil(Declaration& d) override { d.step(fit(d), {a_, b_}, Method::quasi_newton); } };
class WantsMinimizer final : public Matrix { void spoil(Declaration& d) override { d.minimizer(fit(d), {a_, b_}, Method::gauss_newton); } };
class WantsSubspace final : public Matrix { void spoil(Declaration& d) override { d.subspace(fit(d), a_); } };
class WantsEigenpair final : public Matrix { void spoil(Declaration& d) override { d.lowest_eigenpair(fit(d), a_); } };
class WantsSplit final : public Matrix { void spoil(Declaration& d) override { d.split(a_); } };
class WantsOrthonormal final : public Matrix { void spoil(Declaration& d) override { d.unknown("C", {i_, j_}, {.orthonormal = {i_, j_}}); } };
class SubspaceOfResidual final : public Matrix { void spoil(Declaration& d) override { const Expr c = d.unknown("C", {i_, r_}, {.orthonormal = {r_}}); d.subspace(d.minimize(norm2(x_ - einsum({c, b_}, {i_, j_})) + norm2(a_)), c); } };
class SubspaceTwice final : public Matrix { void spoil(Declaration& d) override { const Expr c = d.unknown("C", {i_, r_}, {.orthonormal = {r_}}); d.subspace(d.minimize(-norm2(einsum({x_, c, c({i_, r_.prime()})}, {j_, r_, r_.prime()}))), c); d.block_solve(d.minimize(norm2(a_) + norm2(b_)), a_); } };
class SubspaceMixed final : public Matrix { void spoil(Declaration& d) override { const Expr c = d.unknown("C", {i_, r_}, {.orthonormal = {r_}}); d.subspace(d.minimize(-norm2(einsum({x_, c}, {j_}))), c); d.block_solve(d.minimize(norm2(a_) + norm2(b_)), a_); } };
class WantsSymmetric final : public Matrix { void spoil(Declaration& d) override { d.unknown("C", {i_, i_.prime()}, {.symmetric = {{i_, i_.prime()}}}); } };
class WantsComplexOrder final : public Matrix { void spoil(Declaration& d) override { d.minimize(norm2(relu(x_ * Expr({0, 1})))); } };
class Rejects final : public Matrix { void spoil(Declaration& d) override { d.reject("X", "has more rows than columns", "transposing it"); } };
// clang-format on

/// Reads a second input, under the labels of the first.
class Coupled final : public Algorithm {
 public:
  static Schema schema() { return {}; }
  void declare(Declaration& d, const Settings&) override {
    const Expr x = d.data("X"), y = d.data("Y");
    const Index r("r", 2);
    const Expr a = d.unknown("A", {x.axis(0), r}), b = d.unknown("B", {x.axis(1), r}), c = d.unknown("C", {y.axis(1), r});
    const Objective f = d.minimize(norm2(x - einsum({a, b}, x.shape())) + norm2(y - einsum({a({y.axis(0), r}), c}, y.shape())));
    for (const Expr& block : {a, b, c}) d.block_solve(f, block);
  }
};

/// Wants its input in a shape of its own.
class Shaped final : public Algorithm {
 public:
  static Schema schema() { return {}; }
  void declare(Declaration& d, const Settings&) override { d.data("X", {Index("time", 3), Index("space", 7)}); }
};

/// Has a default that its own range excludes.
class WrongDefault final : public Algorithm {
 public:
  static Schema schema() { return {integer("rank", "number of terms").at_least(1).otherwise("0")}; }
  void declare(Declaration&, const Settings&) override {}
};

/// Asks for a setting that its schema lacks.
class WrongSetting final : public Algorithm {
 public:
  static Schema schema() { return {integer("rank", "number of terms")}; }
  void declare(Declaration&, const Settings& s) override { (void)s.integer("ranks"); }
};

/// Refuses what its schema cannot express.
class RejectsSetting final : public Algorithm {
 public:
  static Schema schema() { return {integer("rank", "number of terms")}; }
  void declare(Declaration&, const Settings& s) override { s.reject("rank", "rank 3 exceeds mode 1 of extent 2", "at most 2"); }
};

}  // namespace

#define BAD(Type, name) TYTO_ALGORITHM(Type, name, "1", "is refused")
TYTO_PLUGINS(BAD(Symmetric, "symmetric"), BAD(NoObjective, "no-objective"), BAD(Unused, "unused"), BAD(SameName, "same-name"),
             BAD(NoScalar, "no-scalar"), BAD(NoUnknown, "no-unknown"), BAD(NoHandle, "no-handle"), BAD(WrongLabels, "wrong-labels"),
             BAD(WrongConstant, "wrong-constant"), BAD(WrongWeights, "wrong-weights"), BAD(WrongAssign, "wrong-assign"),
             BAD(WantsTrain, "wants-train"), BAD(WantsMerged, "wants-merged"), BAD(WantsList, "wants-list"),
             BAD(WantsStep, "wants-step"), BAD(WantsMinimizer, "wants-minimizer"), BAD(WantsSubspace, "wants-subspace"),
             BAD(WantsEigenpair, "wants-eigenpair"), BAD(WantsSplit, "wants-split"), BAD(WantsOrthonormal, "wants-orthonormal"),
             BAD(SubspaceOfResidual, "subspace-of-residual"), BAD(SubspaceTwice, "subspace-twice"),
             BAD(SubspaceMixed, "subspace-mixed"), BAD(WantsSymmetric, "wants-symmetric"),
             BAD(WantsComplexOrder, "wants-complex-order"), BAD(Rejects, "rejects"), BAD(Coupled, "coupled"), BAD(Shaped, "shaped"),
             BAD(WrongDefault, "wrong-default"), BAD(WrongSetting, "wrong-setting"), BAD(RejectsSetting, "rejects-setting"))
