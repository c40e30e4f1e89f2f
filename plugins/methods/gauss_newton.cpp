// Minimizes the objective of the run file, a sum of squares, by Gauss-Newton steps in all unknowns at once.
#include <tyto/plugin.hpp>
using namespace tyto;

class GaussNewton final : public Algorithm {
 public:
  static Schema schema() { return {}; }

  void declare(Declaration& d, const Settings&) override {
    const Objective f = d.declared_objective();
    d.step(f, d.unknowns(f), Method::gauss_newton);
  }
};

TYTO_PLUGIN(GaussNewton, "gauss-newton", "1.0.0", "minimizes a sum of squares by Gauss-Newton steps in all unknowns")
