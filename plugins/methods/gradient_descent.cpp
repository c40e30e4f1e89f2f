// Minimizes the objective of the run file along its negative gradient.
#include <tyto/plugin.hpp>
using namespace tyto;

class GradientDescent final : public Algorithm {
 public:
  static Schema schema() { return {}; }

  void declare(Declaration& d, const Settings&) override {
    const Objective f = d.declared_objective();
    d.step(f, d.unknowns(f), Method::gradient_descent);
  }
};

TYTO_PLUGIN(GradientDescent, "gradient-descent", "1.0.0", "minimizes any smooth objective along its negative gradient")
