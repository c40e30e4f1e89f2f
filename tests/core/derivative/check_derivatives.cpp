#include "core/derivative/check_derivatives.hpp"
#include <boost/test/unit_test.hpp>
#include "evaluate/finite_difference.hpp"

namespace tyto::test {
namespace {

void check(const std::string& what, const Expr& y, const Numbers& found, const Differences& expected) {
  const std::string difference = disagreement(found, expected);
  BOOST_CHECK_MESSAGE(difference.empty(), what << " of " << y.text() << ": " << difference);
}

Indices side_by_side(const Indices& y, const Indices& x) {
  Indices all = y;
  for (Index label : x) {
    label = label.prime();
    while (std::find(all.begin(), all.end(), label) != all.end()) label = label.prime();
    all.push_back(label);
  }
  return all;
}

struct Point {
  Values values;
  Exprs directions;                ///< a leaf per variable
  std::vector<Numbers> direction;  ///< its values
};

void check_first(const Expr& y, const Exprs& xs, Point& at) {
  const Expr w = tensor("w", y.shape());
  at.values.randomize(w, 17);
  const Exprs backward = vjp(y, xs, w), gradients = gradient(inner(w, y), xs);
  for (std::size_t n = 0; n < xs.size(); ++n) {
    const Differences matrix = differences(y, xs[n], at.values);
    const Expr symbolic = jacobian(y, xs[n]);
    BOOST_CHECK((symbolic.shape() == side_by_side(y.shape(), xs[n].shape())));
    check("jacobian by " + xs[n].name(), y, evaluate(symbolic, at.values), matrix);
    check("vjp by " + xs[n].name(), y, evaluate(backward[n], at.values), transposed_times(matrix, at.values[w]));
    BOOST_CHECK((gradients[n].shape() == xs[n].shape()));
    check("gradient by " + xs[n].name(), y, evaluate(gradients[n], at.values), transposed_times(matrix, at.values[w]));
    check("jvp by " + xs[n].name(), y, evaluate(jvp(y, {xs[n]}, {at.directions[n]}), at.values), times(matrix, at.direction[n]));
  }
  const Differences forward = differences(y, xs, at.direction, at.values);
  check("jvp by all", y, evaluate(jvp(y, xs, at.directions), at.values), forward);
  const Exprs products = gauss_newton(y, xs, at.directions);
  for (std::size_t n = 0; n < xs.size(); ++n) {
    Differences expected = transposed_times(differences(y, xs[n], at.values), forward.value);
    for (double& bound : expected.bound) bound += 1e-8 * (1 + largest(expected.value));  // the product's own error, of J^T J v
    check("gauss_newton by " + xs[n].name(), y, evaluate(products[n], at.values), expected);
  }
}

void check_second(const Expr& y, const Exprs& xs, Point& at) {
  const Expr f = 0.5 * norm2(y);
  const Exprs products = hvp(f, xs, at.directions);
  for (std::size_t n = 0; n < xs.size(); ++n) {
    const Expr slope = gradient(f, xs[n]);
    check("hvp by " + xs[n].name(), y, evaluate(products[n], at.values), differences(slope, xs, at.direction, at.values));
    for (std::size_t m = n; m < xs.size(); ++m) {
      const Numbers upper = evaluate(hessian(f, xs[n], xs[m]), at.values), lower = evaluate(hessian(f, xs[m], xs[n]), at.values);
      check("hessian by " + xs[n].name() + ", " + xs[m].name(), y, upper, differences(slope, xs[m], at.values));
      const std::size_t rows = static_cast<std::size_t>(count(xs[n].shape())),
                        columns = static_cast<std::size_t>(count(xs[m].shape()));
      Numbers transposed(lower.size());
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c) transposed[r * columns + c] = lower[c * rows + r];
      BOOST_CHECK_MESSAGE(distance(upper, transposed) <= 1e-11 * (1 + largest(upper)),
                          "second derivatives of " << y.text() << " are not symmetric");
    }
  }
}

}  // namespace

void check_derivatives(const Expr& y, const Exprs& xs, Values values, double low, double high) {
  Point at{std::move(values), {}, {}};
  for (const Expr& x : xs) {
    at.values.fill_in(x, 5, low, high);
    at.directions.push_back(tensor("d" + x.name(), x.shape()));
    at.values.randomize(at.directions.back(), 9);
    at.direction.push_back(at.values[at.directions.back()]);
  }
  check_first(y, xs, at);
  check_second(y, xs, at);
}

}  // namespace tyto::test
