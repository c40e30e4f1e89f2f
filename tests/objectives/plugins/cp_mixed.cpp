// CP of order 3 whose first factor is B*Q with Q known: A(i,r) = sum[p] B(i,p) Q(p,r).
#include <tyto/plugin.hpp>
using namespace tyto;

class CpMixed final : public Algorithm {
 public:
  static Schema schema() { return {}; }
  void declare(Declaration& d, const Settings&) override {
    const Expr x = d.data("X"), q = d.data("Q");
    const Index i = x.axis(0), j = x.axis(1), k = x.axis(2), p = q.axis(0), r = q.axis(1);
    const Expr b = d.unknown("B", {i, p}), v = d.unknown("V", {j, r}), w = d.unknown("W", {k, r});
    const Objective fit = d.minimize(0.5 * norm2(x - einsum({einsum({b, q}, {i, r}), v, w}, {i, j, k})));
    for (const Expr& block : {b, v, w}) d.block_solve(fit, block);
  }
};
TYTO_PLUGIN(CpMixed, "cp-mixed", "1.0.0", "CP whose first factor is a product with a known matrix")
