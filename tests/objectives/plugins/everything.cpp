// Matrix factorization with a proximal term: uses a state, a parameter, assign, read, write, observe and a column.
#include <tyto/plugin.hpp>
using namespace tyto;

class Everything final : public Algorithm {
 public:
  static Schema schema() { return {integer("rank", "number of terms").at_least(1), schedule("pull", "to the last A").at_least(0)}; }
  void declare(Declaration& d, const Settings& s) override {
    const Expr x = d.data("X");
    const Index i = x.axis(0), j = x.axis(1), r("r", s.integer("rank"));
    pull_ = s.schedule("pull").values;
    a_ = d.unknown("A", {i, r}), b_ = d.unknown("B", {j, r});
    last_ = d.state("last", {i, r}), weight_ = d.parameter("weight", pull_[0]);
    fit_ = d.minimize(0.5 * norm2(x - einsum({a_, b_}, {i, j})) + 0.5 * norm2(weight_ * (a_ - last_)));
    keep_ = d.assign(last_, a_);
    solve_a_ = d.block_solve(fit_, a_), solve_b_ = d.block_solve(fit_, b_);
    distance_ = d.observe("distance", norm2(a_ - last_));
    d.observe("model", einsum({b_, a_}, {j, i}));
    largest_ = d.column("largest", "largest entry of B, which is then doubled");
  }
  void run(Iteration& it) const override {
    while (it.next(fit_)) {
      it.set(weight_, Schedule{pull_}[it.sweep()]);
      it.apply(keep_), it.apply(solve_a_), it.apply(solve_b_);
      if (it.value(distance_) > it.get(weight_)) it.warn("A moved far");
      const ConstArray b = it.read(b_);
      const auto top = std::max_element(b.as<double>(), b.as<double>() + b.size()) - b.as<double>();
      it.report(largest_, b.as<double>()[top]);
      it.write(b_).array.as<double>()[top] *= 2;
    }
  }

 private:
  Objective fit_;
  BlockSolve solve_a_, solve_b_;
  Assign keep_;
  Value distance_;
  Column largest_;
  Expr a_, b_, last_, weight_;
  std::vector<double> pull_;
};
TYTO_PLUGIN(Everything, "everything", "1.0.0", "matrix factorization that uses all there is")
