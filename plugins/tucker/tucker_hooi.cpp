// Tucker decomposition by higher-order orthogonal iteration: X ~ G x_1 U_1 ... x_N U_N with orthonormal U_n, by maximizing
// |G|^2 = |X x_1 U_1' ... x_N U_N'|^2 over one U_n after the other.
#include <string>
#include <tyto/plugin.hpp>
using namespace tyto;

class TuckerHooi final : public Algorithm {
 public:
  static Schema schema() {
    return {integers("ranks", "extents of the core, one for all modes or one each; or `tolerance`").at_least(1).otherwise("[]"),
            real("tolerance", "largest relative error, which chooses the ranks; 0: they are given").at_least(0).otherwise("0")};
  }

  void declare(Declaration& d, const Settings& s) override {
    const Expr x = d.data("X");
    if (d.weights(x).order() > 0) d.reject("X", "has a mask or weights, which HOOI does not take", "cp-als, which takes them");
    const Extents ranks = ranks_for(d, s, x);
    Exprs product{x};
    Indices core;
    for (int n = 0; n < x.order(); ++n) {
      const Index& mode = x.axis(n);
      core.emplace_back("r_" + mode.name(), ranks[static_cast<std::size_t>(n)]);
      product.push_back(d.unknown("U_" + mode.name(), {mode, core.back()}, {.orthonormal = {core.back()}, .init = "st-hosvd"}));
    }
    const Expr g = einsum(product, core);
    const Objective fit = d.minimize(-norm2(g));
    for (std::size_t n = 1; n < product.size(); ++n) d.subspace(fit, product[n]);
    d.observe("core", g);
  }
  // run() is the default: sweeps over all subspaces in this order until |G|^2 stops changing.

 private:
  static Extents ranks_for(Declaration& d, const Settings& s, const Expr& x) {
    const double tolerance = s.real("tolerance");
    const bool has_ranks = !s.integers("ranks").empty();
    if (has_ranks == (tolerance > 0))
      s.reject(has_ranks ? "tolerance" : "ranks",
               has_ranks ? "ranks and a tolerance are both given" : "neither ranks nor a tolerance is given",
               has_ranks ? "one of them" : "ranks: [3, 3, 3], or tolerance: 0.01");
    if (!has_ranks) return d.hosvd_ranks(x, tolerance);
    const Extents ranks = s.integers("ranks", x.order());
    std::string too_large;
    for (int n = 0; n < x.order(); ++n) {
      const std::int64_t rank = ranks[static_cast<std::size_t>(n)], extent = x.axis(n).extent();
      if (rank > extent)
        too_large += (too_large.empty() ? "mode " : "; mode ") + std::to_string(n) + ": " + std::to_string(rank) + " > " +
                     std::to_string(extent);
    }
    if (!too_large.empty()) s.reject("ranks", "a rank exceeds its mode: " + too_large, "at most the extent of each mode");
    return ranks;
  }
};

TYTO_PLUGIN(TuckerHooi, "tucker-hooi", "1.0.0", "Tucker decomposition by higher-order orthogonal iteration")
