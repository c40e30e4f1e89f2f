// The functions of tyto/derivative.hpp: labels of results, special cases, refusals. That the numbers are right is checked rule by
// rule.
#include <boost/test/unit_test.hpp>
#include "evaluate/error_text.hpp"
#include "evaluate/evaluate.hpp"
#include "tyto/derivative.hpp"

using namespace tyto::v1;
using namespace tyto::test;

namespace {

struct Fixture {
  Index i{"i", 2}, j{"j", 3}, r{"r", 2};
  Expr a = tensor("A", {i, r}), b = tensor("B", {j, r}), v = tensor("v", {i}), s = tensor("s", {}), x = tensor("X", {i, j});
  Values values;
  Fixture() {
    for (const Expr& e : {a, b, v, s, x}) values.randomize(e, 1, 0.5, 1.5);
  }
  void check_equal(const Expr& found, const Expr& expected) const {
    BOOST_CHECK((found.shape() == expected.shape()));
    BOOST_CHECK_MESSAGE(distance(evaluate(found, values), evaluate(expected, values)) < 1e-13,
                        found.text() << " is not " << expected.text());
  }
  void check_zero(const Expr& found, const Indices& labels) const {
    BOOST_CHECK((found.shape() == labels));
    BOOST_TEST(evaluate(found, values) == Numbers(static_cast<std::size_t>(count(labels)), 0), boost::test_tools::per_element());
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(functions, Fixture)

BOOST_AUTO_TEST_CASE(a_tensor_by_itself_is_the_identity_of_twice_its_order) {
  check_equal(jacobian(a, a), einsum({identity(i, i.prime()), identity(r, r.prime())}, {i, r, i.prime(), r.prime()}));
}

BOOST_AUTO_TEST_CASE(labels_of_a_jacobian_are_those_of_y_then_new_primed_ones_of_x) {
  BOOST_TEST((jacobian(einsum({a, v}, {r}), v).shape() == Indices{r, i.prime()}));
  BOOST_TEST((jacobian(a * v, v).shape() == Indices{i, r, i.prime()}));
  BOOST_TEST((jacobian(v * v({i.prime()}), v).shape() == Indices{i, i.prime(), i.prime().prime()}));
  BOOST_TEST((hessian(norm2(a), a).shape() == Indices{i, r, i.prime(), r.prime()}));
  BOOST_TEST((hessian(inner(x, einsum({a, b}, {i, j})), a, b).shape() == Indices{i, r, j.prime(), r.prime()}));
}

BOOST_AUTO_TEST_CASE(derivatives_by_what_does_not_occur_are_zeros_of_the_right_shape) {
  check_zero(gradient(norm2(b), a), {i, r});
  check_zero(gradient(Expr(2.0), a), {i, r});
  check_zero(jacobian(b, a), {j, r, i.prime(), r.prime()});
  check_zero(jacobian(Expr(2.0), v), {i.prime()});
  check_zero(hessian(norm2(b), a), {i, r, i.prime(), r.prime()});
  check_zero(vjp(b, {a}, b)[0], {i, r});
  check_zero(jvp(b, {a}, {a}), {j, r});
  check_zero(hvp(norm2(b), {a}, {a})[0], {i, r});
  check_zero(gauss_newton(b, {a}, {a})[0], {i, r});
  check_zero(hessian(sum(a), a), {i, r, i.prime(), r.prime()});
}

BOOST_AUTO_TEST_CASE(gradients_are_like_x_under_the_labels_of_x) {
  check_equal(gradient(0.5 * norm2(a), a), a);
  check_equal(gradient(0.5 * norm2(a), a({i.prime(), r})), a({i.prime(), r}));
  check_equal(gradient(norm2(a) + sum(v), {v, a, s})[0], expand(Expr(1.0), {i}));
}

BOOST_AUTO_TEST_CASE(directions_may_have_their_labels_in_any_order) {
  const Expr d = tensor("D", {r, i}), w = tensor("W", {j, i});
  values.randomize(d, 2).randomize(w, 3);
  check_equal(jvp(square(a), {a}, {d}), 2.0 * a * d);
  check_equal(vjp(einsum({a, b}, {i, j}), {a}, w)[0], einsum({w, b}, {i, r}));
}

BOOST_AUTO_TEST_CASE(an_intermediate_counts_as_a_variable) {
  const Expr p = einsum({a, b}, {i, j}), stand_in = tensor("P", {i, j});
  values.set(stand_in, evaluate(p, values));
  const auto f = [&](const Expr& e) { return norm2(x - e) + sum(pow(e, 3)); };
  check_equal(gradient(f(p), p), gradient(f(stand_in), stand_in));
  check_equal(hessian(f(p), p), hessian(f(stand_in), stand_in));
  check_equal(jvp(square(p), {p}, {x}), 2.0 * x * stand_in);
}

BOOST_AUTO_TEST_CASE(variables_are_independent_of_each_other) {
  // p is made from a; by p and a together, a is what stands beside p only.
  const Expr p = einsum({a, b}, {i, j}), f = norm2(p) + 3 * sum(a);
  const Exprs both = gradient(f, {p, a});
  check_equal(both[0], 2.0 * p);
  check_equal(both[1], expand(Expr(3.0), {i, r}));
}

BOOST_AUTO_TEST_CASE(one_variable_may_be_asked_for_twice) {
  const Exprs both = gradient(norm2(v), {v, v});
  check_equal(both[0], 2.0 * v);
  check_equal(both[1], 2.0 * v);
}

BOOST_AUTO_TEST_CASE(higher_derivatives_prime_each_set_once_more) {
  const Index first = i.prime(), second = first.prime(), third = second.prime();
  check_equal(derivative(sum(pow(v, 3)), v, 0), sum(pow(v, 3)));
  check_equal(derivative(sum(pow(v, 3)), v, 1), 3.0 * square(v)({first}));
  check_equal(derivative(sum(pow(v, 3)), v, 3),
              6.0 * einsum({identity(i, first), identity(i, second), identity(i, third)}, {first, second, third}));
  check_equal(derivative(pow(s, 4), s, 3), 24.0 * s);
  check_equal(derivative(v, v, 1), identity(i, first));
  check_zero(derivative(sum(square(v)), v, 3), {first, second, third});
}

BOOST_AUTO_TEST_CASE(third_derivatives_of_a_trilinear_form_are_the_same_in_any_order) {
  const Expr c = tensor("C", {r}), f = einsum({a, b, c}, {});
  values.randomize(c, 4);
  const Expr abc = jacobian(jacobian(gradient(f, a), b), c), cba = jacobian(jacobian(gradient(f, c), b), a);
  const Numbers forward = evaluate(abc, values);
  check_equal(permute(cba({r.as("c"), j, r.as("b"), i, r.as("a")}), {i, r.as("a"), j, r.as("b"), r.as("c")}),
              abc({i, r.as("a"), j, r.as("b"), r.as("c")}));
  BOOST_TEST(largest(forward) == 1);
}

BOOST_AUTO_TEST_CASE(derivatives_of_f_are_the_same_from_another_store) {
  const auto other = std::make_shared<tyto::graph::Store>();
  const Expr f = norm2(x - einsum({a, b}, {i, j})), copy(other, other->import(*a.store(), a.id()), a.shape());
  BOOST_TEST((copy.store() != f.store()));
  check_equal(gradient(f, copy), -2.0 * einsum({x - einsum({a, b}, {i, j}), b}, {i, r}));
}

BOOST_AUTO_TEST_CASE(refusals_name_what_does_not_fit) {
  const std::string not_scalar =
      "A(i,r): the gradient is of a scalar\n  expected  no labels\n  found     labels i,r\n  try       sum() over its labels, or "
      "jacobian()";
  BOOST_TEST(error_of([&] { (void)gradient(a, a); }) == not_scalar);
  BOOST_TEST(error_of([&] { (void)hessian(a, a); }) == not_scalar);
  BOOST_TEST(error_of([&] { (void)hvp(a, {a}, {a}); }) == not_scalar);
  BOOST_TEST((code_of([&] { (void)gradient(a, a); }) == Code::not_scalar));
  BOOST_TEST(error_of([&] { (void)jvp(a, {a}, {}); }) == "there is one direction per variable\n  expected  1\n  found     0");
  BOOST_TEST(error_of([&] { (void)jvp(a, {a}, {b}); }) ==
             "B(j,r): the direction for A(i,r) has other labels\n  expected  i,r\n  found     j,r");
  BOOST_TEST(error_of([&] { (void)vjp(a, {a}, b); }) ==
             "B(j,r): the direction for A(i,r) has other labels\n  expected  i,r\n  found     j,r");
  BOOST_TEST(error_of([&] { (void)derivative(a, a, -1); }) ==
             "the order of a derivative is negative\n  expected  >= 0\n  found     -1");
}

BOOST_AUTO_TEST_SUITE_END()
