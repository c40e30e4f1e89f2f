#pragma once
/// Slopes of functions by differences of their values, each with a bound of its own error, and their comparison with derivatives.
/// Numbers only: where the function comes from is not its business.
#include <functional>
#include "tyto/compile.hpp"

namespace tyto::session {

using Numbers = std::vector<double>;
/// Values along a line: t -> y(x + t v).
using Line = std::function<Numbers(double t)>;

struct Slopes {
  Numbers value;
  Numbers bound;       ///< what each value may be wrong by; infinite where nothing is known
  double typical = 0;  ///< the largest |y| over the scale of x: what a slope of no special size would be
};

/// How much each value wavers when nothing but rounding changes: the fourth differences of five-point windows over a tiny range,
/// in which whatever is smooth vanishes (J. J. More, S. M. Wild, "Estimating computational noise", SIAM J. Sci. Comput. 33, 2011);
/// at least eps times the value, and the root mean square over all values. `scale` is the size of a large step. 13 evaluations.
Numbers rounding_of(const Line&, double scale);

/// dy/dt at 0. For three steps h = scale/100, scale/1000, scale/10000: central differences D(h), D(h/2), extrapolated to
/// (4 D(h/2) - D(h)) / 3, wrong by at most |D(h) - D(h/2)| and what rounding makes of it; each value from the step that bounds it
/// best. 12 evaluations.
Slopes central_slopes(const Line&, double scale, const Numbers& rounding);
/// Each value from whichever bounds it better.
void improve(Slopes&, const Slopes& others);
constexpr std::int64_t evaluations_for_rounding = 13, evaluations_for_slopes = 12;

/// Numbers that ought to be the slopes. They agree where each differs by no more than its bound, and the bound is small enough to
/// show something: a thousandth of the largest entry or of a typical slope. `place` says in words where entry k is.
DerivativeCheck compared(const Numbers& derivatives, const Slopes&, const std::string& method,
                         const std::function<std::string(std::int64_t k)>& place);

/// "(2,0)": the indices of element k in row-major order.
std::string place_in(const Extents&, std::int64_t k);

/// A step in which numbers of that size change by a sensible amount: their root mean square, 1 if they are 0.
double size_of_step(const Numbers&);

}  // namespace tyto::session
