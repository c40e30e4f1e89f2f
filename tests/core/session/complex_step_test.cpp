// Slopes by a step into the complex plane: exact but for rounding, so that a derivative that is wrong in its tenth digit is caught.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include "session/complex_step.hpp"

namespace tyto::session {

namespace {

using v1::einsum, v1::tensor;  // not the namespaces

struct Fixture {
  Index i{"i", 3};
  Expr x = tensor("x", {i}), c = tensor("c", {i}), z = tensor("z", {i}, Field::complex);
  Numbers of_x{-1.25, 0.5, 2}, of_c{1, -2, 3};
  Point point{{{x, ConstArray(of_x.data(), {3})}, {c, ConstArray(of_c.data(), {3})}}};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(complex_steps, Fixture)

BOOST_AUTO_TEST_CASE(slopes_are_exact_but_for_rounding_and_say_how_much_that_is) {
  const Slopes slopes = complex_slopes(c * pow(x, 3) + exp(x), x, point);
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column) {
      const double found = slopes.value[row * 3 + column], bound = slopes.bound[row * 3 + column],
                   expected = row == column ? 3 * of_c[row] * of_x[row] * of_x[row] + std::exp(of_x[row]) : 0;
      BOOST_TEST(std::abs(found - expected) <= bound);
      BOOST_TEST(bound < 1e-12);
    }
}

BOOST_AUTO_TEST_CASE(an_error_in_the_tenth_digit_is_caught) {
  const Slopes slopes = complex_slopes(norm2(c * x), x, point);
  Numbers derivatives;
  for (std::size_t k = 0; k < 3; ++k) derivatives.push_back(2 * of_c[k] * of_c[k] * of_x[k]);
  const auto place = [](std::int64_t k) { return std::to_string(k); };
  BOOST_TEST(compared(derivatives, slopes, "complex step", place).agrees);
  derivatives[1] *= 1 + 1e-10;
  const DerivativeCheck check = compared(derivatives, slopes, "complex step", place);
  BOOST_TEST(!check.agrees);
  BOOST_TEST(check.worst.starts_with("1: "), check.worst);
}

BOOST_AUTO_TEST_CASE(tiny_numbers_beside_large_ones_have_slopes) {
  of_x = {1e-6, 1e3, 1};
  Point uneven({{x, ConstArray(of_x.data(), {3})}});
  const Slopes slopes = complex_slopes(sum(sqrt(x)), x, uneven);
  for (std::size_t k = 0; k < 3; ++k) {
    const double expected = 0.5 / std::sqrt(of_x[k]);
    BOOST_TEST(std::abs(slopes.value[k] - expected) <= slopes.bound[k]);
    BOOST_TEST(slopes.bound[k] < 1e-9 * expected);
  }
}

BOOST_AUTO_TEST_CASE(what_has_no_complex_derivative_on_the_way_is_not_analytic) {
  const Expr m = c * x({i.prime()}) + 4 * identity(i, i.prime());
  for (const Expr& y : {c * x, norm2(x), x / (2 + c * x), inverse(m, {i}), solve(m, c, {i}), abs(c) * x, log(1 + x * x)})
    BOOST_TEST(is_analytic(y, x), y.text());
  for (const Expr& y : {abs(x), relu(x), greater(x, c) * c, max(x, {i}), logsumexp(x, {i}), real(z * x), z * x,
                        solve(m, c, {i}, Matrix::symmetric), cholesky(m, {i})})
    BOOST_TEST(!is_analytic(y, x), y.text());
  BOOST_TEST(!is_analytic(real(z), z));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
