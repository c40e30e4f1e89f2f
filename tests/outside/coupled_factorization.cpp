// A tensor and a matrix that share a mode: X(i,j,k) ~ A(i,r) B(j,r) C(k,r) and Y(i,m) ~ A(i,r) V(m,r) with one A.
#include "tyto/plugin.hpp"

using namespace tyto;

class CoupledFactorization final : public Algorithm {
 public:
  static Schema schema() {
    return {integer("rank", "number of components").at_least(1),
            real("weight", "of the matrix beside the tensor").above(0).otherwise("1")};
  }
  void declare(Declaration& d, const Settings& s) override {
    const Expr x = d.data("X");
    if (x.order() != 3) d.reject("X", "a tensor of order 3 is needed");
    const Expr y = d.data("Y", {x.axis(0), d.data("Y").axis(1)});
    const Index r("r", s.integer("rank"));
    const Expr a = d.unknown("A", {x.axis(0), r}), b = d.unknown("B", {x.axis(1), r});
    const Expr c = d.unknown("C", {x.axis(2), r}), v = d.unknown("V", {y.axis(1), r});
    const Objective fit =
        d.minimize(0.5 * norm2(x - einsum({a, b, c}, x.shape())) + 0.5 * s.real("weight") * norm2(y - einsum({a, v}, y.shape())));
    for (const Expr& block : {a, b, c, v}) d.block_solve(fit, block);
  }
};

TYTO_PLUGIN(CoupledFactorization, "coupled-factorization", "1.0.0", "a tensor and a matrix that share a mode")
