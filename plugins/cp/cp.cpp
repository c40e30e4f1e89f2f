// CP decomposition by the method of the user's choice, or by alternating least squares that hands over to Gauss-Newton where it
// crawls.
#include "degeneracy.hpp"
#include "locked.hpp"
using namespace tyto;

namespace {

/// How the objective falls from sweep to sweep. Kept in a state, so that a resumed run decides the same.
class Contraction {
 public:
  void declare(Declaration& d, Objective fit) {
    record_ = d.state("contraction", {Index("objective, decrease, slow sweeps", 3)});
    fit_ = fit;
  }
  /// True once several sweeps in a row each gained little more than the one before will gain again: at that rate a digit of the
  /// objective takes ten sweeps or more.
  bool is_swamp(Iteration& it) const {
    const double f = it.objective(fit_);
    const std::vector<double> last = cp::numbers(it.read(record_));
    const double decrease = last[0] - f, rate = last[1] > 0 ? decrease / last[1] : 0;
    const bool is_slow = it.sweep() > first_sweeps && decrease > 0 && rate > slow;
    const double slow_sweeps = is_slow ? last[2] + 1 : 0;
    cp::write(it, record_, {f, it.sweep() > 1 ? decrease : 0, slow_sweeps});
    return slow_sweeps >= several;
  }

 private:
  static constexpr double slow = 0.8, several = 3;
  static constexpr std::int64_t first_sweeps = 3;
  Expr record_;
  Objective fit_;
};

}  // namespace

class Cp final : public Algorithm {
 public:
  static Schema schema() {
    Schema keys = cp::schema();
    keys.push_back(choice("method", {"auto", "alternating", "gauss-newton", "newton", "quasi-newton", "gradient-descent"},
                          "auto: alternating until it crawls, then gauss-newton")
                       .otherwise("auto"));
    return keys;
  }

  void declare(Declaration& d, const Settings& s) override {
    const cp::Model model = cp::declare(d, s.integer("rank"));
    const std::string method = s.text("method");
    fit_ = model.fit, may_switch_ = method == "auto";
    if (method == "auto" || method == "alternating")
      for (const Expr& a : model.factors) blocks_.push_back(d.block_solve(fit_, a));
    if (method == "quasi-newton") d.minimizer(fit_, model.factors, Method::quasi_newton);
    else if (method != "alternating") d.step(fit_, model.factors, step_method(method));
    if (may_switch_) contraction_.declare(d, fit_), switched_ = d.parameter("switched", 0);
    if (may_switch_) column_ = d.column("gauss-newton", "1 where the sweep is a step of Gauss-Newton");
    locked_.declare(d, model);
    degeneracy_.declare(d, model);
  }

  void run(Iteration& it) const override {
    const std::vector<Step> steps = it.steps(fit_);
    while (it.next(fit_)) {
      const bool alternates = !blocks_.empty() && !(may_switch_ && it.get(switched_) > 0);
      for (const BlockSolve b : blocks_)
        if (alternates) it.apply(b);
      if (alternates) locked_.restart(it, blocks_);
      for (const Step step : steps)
        if (!alternates) it.apply(step);
      for (const Minimize minimizer : it.minimizers(fit_)) it.apply(minimizer);
      degeneracy_.check(it);
      if (may_switch_) it.report(column_, alternates ? 0 : 1);
      if (may_switch_ && alternates && contraction_.is_swamp(it)) {
        it.set(switched_, 1);
        it.warn("alternating least squares crawls from sweep " + std::to_string(it.sweep()) + " on: Gauss-Newton takes over");
      }
    }
  }

 private:
  static Method step_method(const std::string& name) {
    return name == "newton" ? Method::newton : name == "gradient-descent" ? Method::gradient_descent : Method::gauss_newton;
  }

  Objective fit_;
  std::vector<BlockSolve> blocks_;
  bool may_switch_ = false;
  Contraction contraction_;
  cp::Locked locked_;
  cp::Degeneracy degeneracy_;
  Expr switched_;
  Column column_;
};

TYTO_PLUGIN(Cp, "cp", "1.0.0", "CP decomposition by the method that suits, or that is named")
