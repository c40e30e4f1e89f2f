// Coupled factorization of a tensor and a matrix that share their first mode: X(i,j,k) by A, B, C and Y(i,m) by A, V.
#include <tyto/plugin.hpp>
using namespace tyto;

class Coupled final : public Algorithm {
 public:
  static Schema schema() {
    return {integer("rank", "number of terms").at_least(1), real("share", "weight of the matrix").above(0).otherwise("1")};
  }
  void declare(Declaration& d, const Settings& s) override {
    const Expr x = d.data("X"), given = d.data("Y");
    const Index i = x.axis(0), j = x.axis(1), k = x.axis(2), m = given.axis(1), r("r", s.integer("rank"));
    const Expr a = d.unknown("A", {i, r}), b = d.unknown("B", {j, r}), c = d.unknown("C", {k, r}), v = d.unknown("V", {m, r});
    const Expr of_tensor = norm2(x - einsum({a, b, c}, {i, j, k})), of_matrix = norm2(given({i, m}) - einsum({a, v}, {i, m}));
    const Objective fit = d.minimize(0.5 * of_tensor + 0.5 * s.real("share") * of_matrix);
    for (const Expr& block : {a, b, c, v}) d.block_solve(fit, block);
  }
};
TYTO_PLUGIN(Coupled, "coupled", "1.0.0", "coupled factorization of a tensor and a matrix")
