// CP of any order with a ridge of its own on every factor.
#include <tyto/plugin.hpp>
using namespace tyto;

class CpRidge final : public Algorithm {
 public:
  static Schema schema() {
    return {integer("rank", "number of terms").at_least(1), real("mu", "weight of the squared factors").above(0)};
  }
  void declare(Declaration& d, const Settings& s) override {
    const Expr x = d.data("X");
    const Index r("r", s.integer("rank"));
    Exprs factors;
    for (const Index& mode : x.shape()) factors.push_back(d.unknown("A_" + mode.name(), {mode, r}));
    Expr f = 0.5 * norm2(x - einsum(factors, x.shape()));
    for (const Expr& a : factors) f = f + 0.5 * s.real("mu") * norm2(a);
    const Objective fit = d.minimize(f);
    for (const Expr& a : factors) d.block_solve(fit, a);
  }
};
TYTO_PLUGIN(CpRidge, "cp-ridge", "1.0.0", "CP with a ridge in its objective")
