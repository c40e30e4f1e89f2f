// CP decomposition by alternating least squares.
#include "degeneracy.hpp"
#include "locked.hpp"
using namespace tyto;

class CpAls final : public Algorithm {
 public:
  static Schema schema() { return cp::schema(); }

  void declare(Declaration& d, const Settings& s) override {
    const cp::Model model = cp::declare(d, s.integer("rank"));
    fit_ = model.fit;
    for (const Expr& a : model.factors) blocks_.push_back(d.block_solve(fit_, a));
    locked_.declare(d, model);
    degeneracy_.declare(d, model);
  }

  void run(Iteration& it) const override {
    while (it.next(fit_)) {
      for (const BlockSolve b : blocks_) it.apply(b);
      locked_.restart(it, blocks_);
      degeneracy_.check(it);
    }
  }

 private:
  Objective fit_;
  std::vector<BlockSolve> blocks_;
  cp::Locked locked_;
  cp::Degeneracy degeneracy_;
};

TYTO_PLUGIN(CpAls, "cp-als", "1.1.0", "CP decomposition by alternating least squares")
