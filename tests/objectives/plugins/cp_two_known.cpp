// CP of order 3 with two factors that are data: one linear least-squares problem in the third.
#include <tyto/plugin.hpp>
using namespace tyto;

class CpTwoKnown final : public Algorithm {
 public:
  static Schema schema() { return {}; }
  void declare(Declaration& d, const Settings&) override {
    const Expr x = d.data("X"), b = d.data("B");
    const Index i = x.axis(0), j = x.axis(1), k = x.axis(2), r = b.axis(1);
    const Expr c = d.data("C", {k, r}), a = d.unknown("A", {i, r});
    const Objective fit = d.minimize(0.5 * norm2(x - einsum({a, b({j, r}), c}, {i, j, k})));
    d.block_solve(fit, a);
  }
};
TYTO_PLUGIN(CpTwoKnown, "cp-two-known", "1.0.0", "CP with two known factors")
