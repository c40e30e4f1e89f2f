// CP decomposition by alternating least squares.
#include "cp.hpp"
using namespace tyto;

class CpAls final : public Algorithm {
 public:
  static Schema schema() { return cp::schema(); }

  void declare(Declaration& d, const Settings& s) override {
    const cp::Model model = cp::declare(d, s.integer("rank"));
    for (const Expr& a : model.factors) d.block_solve(model.fit, a);
  }
  // run() is the default: sweeps over all block solves in this order until the fit stops changing.
};

TYTO_PLUGIN(CpAls, "cp-als", "1.0.0", "CP decomposition by alternating least squares")
