#pragma once
// Two components of a CP model that cancel each other while both grow: no best fit of that rank is near, however long one waits.
#include <cmath>
#include <sstream>
#include "cp.hpp"

namespace cp {

/// Looks at the components after each sweep, and tells the run what to call its end. De Silva and Lim, Tensor rank and the
/// ill-posedness of the best low-rank approximation problem, SIAM J. Matrix Anal. Appl. 30 (2008); the signs by which it shows:
/// Krijnen, Dijkstra, Stegeman, Psychometrika 73 (2008).
class Degeneracy {
 public:
  void declare(tyto::Declaration& d, const Model& model) {
    const tyto::Index r = model.factors.front().axis(1);
    tyto::Exprs grams;
    for (const tyto::Expr& a : model.factors) grams.push_back(a), grams.push_back(a({a.axis(0), r.prime()}));
    products_ = d.state("products of components", {r, r.prime()});
    update_ = d.assign(products_, einsum(grams, {r, r.prime()}));
    marks_ = d.state("growth of components", {tyto::Index("mark", 2), tyto::Index("sweep, objective, weight", 3)});
    fit_ = model.fit;
  }

  /// After the kernels of a sweep.
  void check(tyto::Iteration& it) const {
    it.apply(update_);
    const Opposed worst = most_opposed(numbers(it.read(products_)));
    const double f = it.objective(fit_);
    const std::vector<double> marks = numbers(it.read(marks_));  // sweep, objective and weight, of two sweeps
    if (marks[0] > 0 && worst.cosine < opposed && worst.weight > grown * marks[2] && f < fallen * marks[1])
      it.end_as(tyto::Stop::degenerate, text(worst, marks));
    const auto sweep = static_cast<double>(it.sweep());
    if (sweep >= 2 * marks[3]) write(it, marks_, {marks[3], marks[4], marks[5], sweep, f, worst.weight});
  }

 private:
  static constexpr double opposed = -0.95, grown = 1.02, fallen = 0.98;  // since at least half of all sweeps
  struct Opposed {
    double cosine = 1, weight = 0;  ///< weight: norm of the largest component
    std::size_t first = 0, second = 0;
  };
  static Opposed most_opposed(const std::vector<double>& p) {
    Opposed worst;
    const auto n = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(p.size()))));
    for (std::size_t r = 0; r < n; ++r) {
      worst.weight = std::max(worst.weight, std::sqrt(std::max(0.0, p[r * n + r])));
      for (std::size_t s = 0; s < r; ++s) {
        const double norms = std::sqrt(p[r * n + r]) * std::sqrt(p[s * n + s]), cosine = norms > 0 ? p[r * n + s] / norms : 0;
        if (cosine < worst.cosine) worst.cosine = cosine, worst.first = s, worst.second = r;
      }
    }
    return worst;
  }
  static std::string text(const Opposed& worst, const std::vector<double>& marks) {
    std::ostringstream out;
    out.precision(3);
    out << "components " << worst.first << " and " << worst.second << " cancel each other (cosine " << worst.cosine
        << ") and grow (" << marks[2] << " to " << worst.weight << " since sweep " << marks[0]
        << ") while the error falls: there is no best fit of this rank here. Try unknowns: {\"*\": {ridge: 0.001}}, more starts, "
           "or "
           "another rank";
    return out.str();
  }

  tyto::Expr products_, marks_;
  tyto::Assign update_;
  tyto::Objective fit_;
};

}  // namespace cp
