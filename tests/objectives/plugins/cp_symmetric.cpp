// CP that is symmetric in its first two modes: A stands twice in the model, so there is no block solve for it.
#include <tyto/plugin.hpp>
using namespace tyto;

class CpSymmetric final : public Algorithm {
 public:
  static Schema schema() { return {integer("rank", "number of terms").at_least(1)}; }
  void declare(Declaration& d, const Settings& s) override {
    const Expr x = d.data("X");
    const Index i = x.axis(0), j = x.axis(1), k = x.axis(2), r("r", s.integer("rank"));
    const Expr a = d.unknown("A", {i, r}), c = d.unknown("C", {k, r});
    const Objective fit = d.minimize(0.5 * norm2(x - einsum({a, a({j, r}), c}, {i, j, k})));
    d.block_solve(fit, c);
    d.block_solve(fit, a);
  }
};
TYTO_PLUGIN(CpSymmetric, "cp-symmetric", "1.0.0", "CP with one factor in two modes")
