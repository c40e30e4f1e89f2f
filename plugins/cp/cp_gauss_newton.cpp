// CP decomposition by Gauss-Newton steps in all factors at once.
#include "degeneracy.hpp"
using namespace tyto;

class CpGaussNewton final : public Algorithm {
 public:
  static Schema schema() { return cp::schema(); }

  void declare(Declaration& d, const Settings& s) override {
    const cp::Model model = cp::declare(d, s.integer("rank"));
    fit_ = model.fit;
    step_ = d.step(fit_, model.factors, Method::gauss_newton);
    degeneracy_.declare(d, model);
  }

  void run(Iteration& it) const override {
    while (it.next(fit_)) {
      it.apply(step_);
      degeneracy_.check(it);
    }
  }

 private:
  Objective fit_;
  Step step_;
  cp::Degeneracy degeneracy_;
};

TYTO_PLUGIN(CpGaussNewton, "cp-gauss-newton", "1.0.0", "CP decomposition by Gauss-Newton")
