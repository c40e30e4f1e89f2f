// Minimizes the objective of the run file in one unknown after the other, each exactly while the others are kept. The objective
// must be quadratic in each of them.
#include <tyto/plugin.hpp>
using namespace tyto;

class Alternating final : public Algorithm {
 public:
  static Schema schema() { return {}; }

  void declare(Declaration& d, const Settings&) override {
    const Objective f = d.declared_objective();
    for (const Expr& block : d.unknowns(f)) d.block_solve(f, block);
  }
  // run() is the default: sweeps over all block solves in the order of `unknowns:` until the objective stops changing.
};

TYTO_PLUGIN(Alternating, "alternating", "1.0.0", "minimizes the objective of the run file in one unknown after the other")
