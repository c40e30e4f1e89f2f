// Minimizes the objective of the run file by a quasi-Newton method of limited memory, within bounds where unknowns have some.
#include <tyto/plugin.hpp>
using namespace tyto;

class QuasiNewton final : public Algorithm {
 public:
  static Schema schema() { return {}; }

  void declare(Declaration& d, const Settings&) override {
    const Objective f = d.declared_objective();
    d.minimizer(f, d.unknowns(f), Method::quasi_newton);
  }
};

TYTO_PLUGIN(QuasiNewton, "quasi-newton", "1.0.0", "minimizes any smooth objective by a limited-memory quasi-Newton method")
