// Rules of elementwise functions and of reductions that are no sums.
#include <boost/test/unit_test.hpp>
#include "core/derivative/check_derivatives.hpp"

using namespace tyto::v1;
using namespace tyto::test;

namespace {

struct Fixture {
  Index i{"i", 2}, j{"j", 3}, r{"r", 2};
  Expr a = tensor("A", {i, r}), b = tensor("B", {j, r}), c = tensor("C", {i, r}), s = tensor("s", {});
  Values values;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(elementwise_rules, Fixture)

BOOST_AUTO_TEST_CASE(smooth_functions) {
  for (const auto f : {&tyto::v1::exp, &tyto::v1::sin, &tyto::v1::cos, &tyto::v1::tanh, &tyto::v1::sigmoid})
    check_derivatives((*f)(a), {a}, values);
}

BOOST_AUTO_TEST_CASE(logarithms_and_powers_of_a_base) {
  check_derivatives(log(a), {a}, values, 0.5, 1.5);
  check_derivatives(log(a, 10), {a}, values, 0.5, 1.5);
  check_derivatives(pow(2.0, a), {a}, values);
  check_derivatives(log(a * a), {a}, values, -1.5, -0.5);
}

BOOST_AUTO_TEST_CASE(functions_with_kinks_away_from_them) {
  for (const auto f : {&tyto::v1::abs, &tyto::v1::relu}) {
    check_derivatives((*f)(a)*a, {a}, values, 0.3, 1);
    check_derivatives((*f)(a)*a, {a}, values, -1, -0.3);
  }
  check_derivatives(sign(a) * a, {a}, values, -1, -0.3);
  check_derivatives(maximum(a, c) * a, {a, c}, values);
  check_derivatives(minimum(a, square(c)) * c, {a, c}, values);
  check_derivatives(greater(a, 0.0) * square(a), {a}, values, 0.3, 1);
  check_derivatives(maximum(a, 0.2) * a, {a}, values);
}

BOOST_AUTO_TEST_CASE(at_a_kink_the_derivative_is_as_documented) {
  const Expr x = tensor("x", {i}), y = tensor("y", {i});
  const Values zero = Values().set(x, {0, 2}).set(y, {0, 1});
  BOOST_TEST(evaluate(gradient(sum(relu(x)), x), zero) == Numbers({0, 1}), boost::test_tools::per_element());
  BOOST_TEST(evaluate(gradient(sum(abs(x)), x), zero) == Numbers({0, 1}), boost::test_tools::per_element());
  BOOST_TEST(evaluate(gradient(sum(maximum(x, y)), x), zero) == Numbers({0.5, 1}), boost::test_tools::per_element());
  BOOST_TEST(evaluate(gradient(sum(minimum(x, y)), x), zero) == Numbers({0.5, 0}), boost::test_tools::per_element());
  const Values same = Values().set(x, {3, 3});
  BOOST_TEST(evaluate(gradient(max(x, {i}), x), same) == Numbers({0.5, 0.5}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(largest_and_smallest) {
  check_derivatives(max(a, {r}), {a}, values);
  check_derivatives(min(b, {j, r}) * s, {b, s}, values);
  check_derivatives(max(einsum({a, b}, {i, j}), {j}), {a, b}, values);
}

BOOST_AUTO_TEST_CASE(soft_maximum) {
  check_derivatives(logsumexp(b, {j}), {b}, values);
  check_derivatives(logsumexp(b, {j, r}), {b}, values);
  check_derivatives(softmax(b, {r}), {b}, values);
  check_derivatives(softmax(b, {j}) * b, {b}, values);
  check_derivatives(log(softmax(b, {j, r})), {b}, values);
}

BOOST_AUTO_TEST_CASE(chains_of_functions) {
  check_derivatives(exp(-square(a)) * tanh(a + c), {a, c}, values);
  check_derivatives(sigmoid(einsum({a, b}, {i, j})), {a, b}, values);
  check_derivatives(norm(exp(a), {r}), {a}, values);
  check_derivatives(mean(exp(a)), {a}, values);
}

BOOST_AUTO_TEST_CASE(intermediates_of_sums_have_derivatives) {
  const Expr inner = a + c, y = 2 * inner + square(a);
  check_derivatives(y, {a, c}, values);
  BOOST_TEST(distance(evaluate(jacobian(y, inner), values), evaluate(jacobian(2 * a, a), values)) == 0);
}

BOOST_AUTO_TEST_CASE(high_orders_repeat_the_rules) {
  const Expr x = tensor("x", {});
  const Values at = Values().set(x, {0.3});
  const auto nth = [&](const Expr& e, int n) { return evaluate(derivative(e, x, n), at)[0]; };
  BOOST_TEST(nth(exp(2 * x), 6) == 64 * std::exp(0.6), boost::test_tools::tolerance(1e-13));
  BOOST_TEST(nth(sin(x), 5) == std::cos(0.3), boost::test_tools::tolerance(1e-13));
  BOOST_TEST(nth(log(x), 6) == -120 / std::pow(0.3, 6), boost::test_tools::tolerance(1e-13));
  BOOST_TEST(nth(pow(x, 7), 4) == 840 * std::pow(0.3, 3), boost::test_tools::tolerance(1e-13));
  BOOST_TEST(nth(tanh(x), 3) == -2 * std::pow(std::cosh(0.3), -4) + 4 * std::pow(std::tanh(0.3) / std::cosh(0.3), 2),
             boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
