// Minimizes the objective of the run file by Newton's method with exact products with its Hessian.
#include <tyto/plugin.hpp>
using namespace tyto;

class Newton final : public Algorithm {
 public:
  static Schema schema() {
    return {choice("loop", {"own", "library"}, "own: steps in a trust region; library: PETSc's minimizers, which keep bounds")
                .otherwise("own")};
  }

  void declare(Declaration& d, const Settings& s) override {
    const Objective f = d.declared_objective();
    if (s.text("loop") == "own") d.step(f, d.unknowns(f), Method::newton);
    else d.minimizer(f, d.unknowns(f), Method::newton);
  }
};

TYTO_PLUGIN(Newton, "newton", "1.0.0", "minimizes any smooth objective by Newton's method in all unknowns")
