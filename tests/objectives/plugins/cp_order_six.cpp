// CP of order 6, factors stored transposed, solved for from the last mode to the first.
#include <tyto/plugin.hpp>
using namespace tyto;

class CpOrderSix final : public Algorithm {
 public:
  static Schema schema() { return {integer("rank", "number of terms").at_least(1)}; }
  void declare(Declaration& d, const Settings& s) override {
    const Expr x = d.data("X");
    if (x.order() != 6) d.reject("X", "must have order 6");
    const Index r("r", s.integer("rank"));
    Exprs factors;
    for (const Index& mode : x.shape()) factors.push_back(d.unknown("F_" + mode.name(), {r, mode}));
    fit_ = d.minimize(norm2(einsum(factors, x.shape()) - x));
    for (std::size_t n = factors.size(); n-- > 0;) blocks_.push_back(d.block_solve(fit_, factors[n]));
  }
  void run(Iteration& it) const override {
    while (it.next(fit_))
      for (const BlockSolve block : blocks_) it.apply(block);
  }

 private:
  Objective fit_;
  std::vector<BlockSolve> blocks_;
};
TYTO_PLUGIN(CpOrderSix, "cp-order-six", "1.0.0", "CP of order 6")
