// CP decomposition by Gauss-Newton steps in all factors at once.
#include "cp.hpp"
using namespace tyto;

class CpGaussNewton final : public Algorithm {
 public:
  static Schema schema() { return cp::schema(); }

  void declare(Declaration& d, const Settings& s) override {
    const cp::Model model = cp::declare(d, s.integer("rank"));
    d.step(model.fit, model.factors, Method::gauss_newton);
  }
  // run() is the default: a step a sweep until the fit stops changing.
};

TYTO_PLUGIN(CpGaussNewton, "cp-gauss-newton", "1.0.0", "CP decomposition by Gauss-Newton")
