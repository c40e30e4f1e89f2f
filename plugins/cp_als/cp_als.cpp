// CP decomposition by alternating least squares: minimize 1/2 |X - [[A_1,...,A_N]]|^2, weights respected.
#include <tyto/plugin.hpp>
using namespace tyto;

class CpAls final : public Algorithm {
 public:
  static Schema schema() { return {integer("rank", "number of rank-one terms").at_least(1)}; }

  void declare(Declaration& d, const Settings& s) override {
    const Expr x = d.data("X");
    const Index r("r", s.integer("rank"));
    Exprs factors;
    for (const Index& mode : x.shape()) factors.push_back(d.unknown("A_" + mode.name(), {mode, r}));
    const Objective fit = d.minimize(0.5 * sum(d.weights(x) * square(x - einsum(factors, x.shape()))));
    for (const Expr& a : factors) d.block_solve(fit, a);
  }
  // run() is the default: sweeps over all block solves in this order until the fit stops changing.
};

TYTO_PLUGIN(CpAls, "cp-als", "1.0.0", "CP decomposition by alternating least squares")
