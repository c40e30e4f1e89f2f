// A core with a factor in each mode (Tucker without orthonormality): all four blocks are least-squares problems.
#include <tyto/plugin.hpp>
using namespace tyto;

class CoreAndFactors final : public Algorithm {
 public:
  static Schema schema() { return {integers("ranks", "extents of the core").at_least(1)}; }
  void declare(Declaration& d, const Settings& s) override {
    const Expr x = d.data("X");
    const auto ranks = s.integers("ranks", x.order());
    Indices inner;
    Exprs parts;
    for (int n = 0; n < x.order(); ++n) {
      inner.emplace_back("r" + std::to_string(n), ranks[static_cast<std::size_t>(n)]);
      parts.push_back(d.unknown("U_" + std::to_string(n), {x.axis(n), inner.back()}));
    }
    parts.push_back(d.unknown("G", inner));
    const Objective fit = d.minimize(0.5 * norm2(x - einsum(parts, x.shape())));
    for (const Expr& part : parts) d.block_solve(fit, part);
  }
};
TYTO_PLUGIN(CoreAndFactors, "core-and-factors", "1.0.0", "a core with a factor in each mode")
