// CP of any order with weights of its own: each entry of the residual is multiplied by W.
#include <tyto/plugin.hpp>
using namespace tyto;

class CpMasked final : public Algorithm {
 public:
  static Schema schema() { return {integer("rank", "number of terms").at_least(1)}; }
  void declare(Declaration& d, const Settings& s) override {
    const Expr x = d.data("X"), w = d.data("W", x.shape());
    const Index r("r", s.integer("rank"));
    Exprs factors;
    for (const Index& mode : x.shape()) factors.push_back(d.unknown("A_" + mode.name(), {mode, r}));
    const Objective fit = d.minimize(0.5 * norm2(w * (x - einsum(factors, x.shape()))));
    for (const Expr& a : factors) d.block_solve(fit, a);
  }
};
TYTO_PLUGIN(CpMasked, "cp-masked", "1.0.0", "CP with weights that are data")
