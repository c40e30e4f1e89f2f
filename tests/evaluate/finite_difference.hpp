#pragma once
/// Derivatives by differences of values, with a bound of their own error: what symbolic derivatives are compared with.
#include "evaluate/evaluate.hpp"

namespace tyto::test {

struct Differences {
  Numbers value;
  Numbers bound;  ///< what each value may be wrong by: rounding, and what halving the step changes
};

/// The Jacobian: axes of y, then of the leaf x.
Differences differences(const Expr& y, const Expr& x, const Values&);
/// The Jacobian times a direction in several leaves.
Differences differences(const Expr& y, const Exprs& xs, const std::vector<Numbers>& direction, const Values&);
/// `matrix` is rows x columns, row-major.
Differences times(const Differences& matrix, const Numbers& vector);
Differences transposed_times(const Differences& matrix, const Numbers& vector);

/// Empty where the numbers agree within the bounds, and the bounds are small enough to mean something.
std::string disagreement(const Numbers& found, const Differences& expected);

}  // namespace tyto::test
