// A tensor train with bonds of fixed extent; the cores are solved for one after the other, not kept orthonormal.
#include <tyto/plugin.hpp>
using namespace tyto;

class TensorTrain final : public Algorithm {
 public:
  static Schema schema() { return {integers("bonds", "extent of each inner bond").at_least(1)}; }
  void declare(Declaration& d, const Settings& s) override {
    const Expr x = d.data("X");
    const auto inner = s.integers("bonds", x.order() - 1);
    Indices bonds;
    for (std::size_t n = 0; n < inner.size(); ++n) bonds.emplace_back("b" + std::to_string(n), inner[n]);
    Exprs cores;
    for (std::size_t n = 0; n <= bonds.size(); ++n) {
      Indices labels;
      if (n > 0) labels.push_back(bonds[n - 1]);
      labels.push_back(x.axis(static_cast<int>(n)));
      if (n < bonds.size()) labels.push_back(bonds[n]);
      cores.push_back(d.unknown("G_" + std::to_string(n), labels));
    }
    const Objective fit = d.minimize(0.5 * norm2(x - einsum(cores, x.shape())));
    for (const Expr& core : cores) d.block_solve(fit, core);
  }
};
TYTO_PLUGIN(TensorTrain, "tensor-train", "1.0.0", "tensor train with fixed bonds")
