// Gradients and products with Jacobians and Hessians of short expressions against the formulas that one writes down for them, as
// they are made and after the passes.
#include <boost/test/unit_test.hpp>
#include "evaluate/evaluate.hpp"
#include "tyto/derivative.hpp"

using namespace tyto::v1;
using namespace tyto::test;

namespace {

struct Fixture {
  Index i{"i", 3}, j{"j", 4}, k{"k", 2};
  Expr x = tensor("x", {i}), y = tensor("y", {i}), z = tensor("z", {i}), w = tensor("w", {i}), v = tensor("v", {i});
  Expr p = tensor("P", {i, j}), q = tensor("Q", {j, k}), t = tensor("T", {i, j, k}), h = tensor("H", {i, i.prime()});
  Expr one = ones({i});
  Values values;
  Fixture() {
    for (const Expr& e : {x, y, z, w, v, p, q, t, h}) values.randomize(e, 21, 0.5, 1.5);
  }
  /// One tensor, as it was made and after the passes.
  void same(const Expr& found, const Expr& expected) const {
    const Numbers wanted = evaluate(expected, values);
    BOOST_CHECK((found.shape() == expected.shape()));
    BOOST_CHECK_MESSAGE(distance(evaluate(found, values), wanted) < 1e-13 * (1 + largest(wanted)),
                        found.text() << " is not " << expected.text());
    BOOST_CHECK_MESSAGE(distance(evaluate(optimized(found), values), wanted) < 1e-13 * (1 + largest(wanted)),
                        optimized(found).text() << " is not " << expected.text());
  }
  Expr on_diagonal(const Expr& vector) const { return identity(i, i.prime()) * vector; }
  Expr times(const Expr& vector) const { return einsum({h, vector({i.prime()})}, {i}); }
  Expr transpose_times(const Expr& vector) const { return einsum({h({i.prime(), i}), vector({i.prime()})}, {i}); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(first_order, Fixture)

BOOST_AUTO_TEST_CASE(a_sum) { same(gradient(sum(x), x), one); }
BOOST_AUTO_TEST_CASE(a_constant_plus_a_tensor) { same(gradient(sum(5 + x), x), one); }
BOOST_AUTO_TEST_CASE(a_tensor_minus_a_constant) { same(gradient(sum(x - 5), x), one); }
BOOST_AUTO_TEST_CASE(a_constant_minus_a_tensor) { same(gradient(sum(5 - x), x), -1 * one); }
BOOST_AUTO_TEST_CASE(a_minus_sign) { same(gradient(sum(-x), x), -1 * one); }
BOOST_AUTO_TEST_CASE(a_constant_times_a_tensor) { same(gradient(sum(5 * x), x), 5 * one); }
BOOST_AUTO_TEST_CASE(an_integer_constant_is_the_real_one) {
  BOOST_TEST((5 * x).id() == (5.0 * x).id());
  BOOST_TEST((5 * x).id() != (5.5 * x).id());
}
BOOST_AUTO_TEST_CASE(a_cube) { same(gradient(sum(pow(x, 3)), x), 3 * x * x); }
BOOST_AUTO_TEST_CASE(a_sum_of_two) {
  for (const Expr& e : {x, y}) same(gradient(sum(x + y), e), one);
}
BOOST_AUTO_TEST_CASE(a_difference_of_two) {
  same(gradient(sum(x - y), x), one);
  same(gradient(sum(x - y), y), -1 * one);
}
BOOST_AUTO_TEST_CASE(an_elementwise_product) {
  same(gradient(sum(x * y), x), y);
  same(gradient(sum(x * y), y), x);
}
BOOST_AUTO_TEST_CASE(a_product_in_which_a_factor_stands_again) {
  const Expr f = sum(x + y * z * x);
  same(gradient(f, x), one + y * z);
  same(gradient(f, y), z * x);
  same(gradient(f, z), y * x);
}
BOOST_AUTO_TEST_CASE(a_product_of_three_beside_a_sum) {
  const Expr f = sum(x + y * z * w);
  same(gradient(f, x), one);
  same(gradient(f, y), z * w);
  same(gradient(f, w), y * z);
}
BOOST_AUTO_TEST_CASE(a_polynomial_that_is_used_twice) {
  const Expr inner_part = x * x + x + y + 3, f = sum(inner_part * inner_part + y);
  same(gradient(f, x), 2 * inner_part * (2 * x + 1));
  same(gradient(f, y), 2 * inner_part + one);
}
BOOST_AUTO_TEST_CASE(a_product_of_matrices) {
  const Expr f = sum(matmul(p, q)), all = ones({i, k});
  same(gradient(f, p), einsum({all, q}, {i, j}));
  same(gradient(f, q), einsum({all, p}, {j, k}));
}
BOOST_AUTO_TEST_CASE(an_einsum_of_three) {
  const Expr f = einsum({t, p, q}, {});
  same(gradient(f, t), p * q);
  same(gradient(f, p), einsum({t, q}, {i, j}));
  same(gradient(f, q), einsum({t, p}, {j, k}));
}
BOOST_AUTO_TEST_CASE(a_squared_norm) {
  same(gradient(pow(norm(x), 2), x), 2 * x);
  same(gradient(norm2(x), x), 2 * x);
}
BOOST_AUTO_TEST_CASE(a_sum_of_a_matrix) { same(gradient(sum(p), p), ones({i, j})); }
BOOST_AUTO_TEST_CASE(a_sum_of_a_transpose) { same(gradient(sum(permute(p, {j, i})), p), ones({i, j})); }
BOOST_AUTO_TEST_CASE(a_transpose_by_position) {
  const Expr weight = tensor("N", {j, i});
  values.randomize(weight, 4);
  same(gradient(sum(einsum("ij->ji", {p}) * weight), p), permute(weight, {i, j}));
}
BOOST_AUTO_TEST_CASE(a_permutation_of_three_axes) {
  const Expr seed = tensor("V", {k, i, j});
  values.randomize(seed, 5);
  same(vjp(permute(t, {k, i, j}), {t}, seed)[0], permute(seed, {i, j, k}));
}
BOOST_AUTO_TEST_CASE(a_row_times_its_transpose) {
  const Index row("o", 1);
  const Expr r = tensor("r", {row, i}), f = sum(matmul(r, permute(r, {i, row})({i, row.prime()})));
  values.randomize(r, 6);
  same(gradient(f, r), 2 * r);
}
BOOST_AUTO_TEST_CASE(an_inner_product_with_itself) { same(gradient(einsum("i,i->", {x, x}), x), 2 * x); }
BOOST_AUTO_TEST_CASE(all_labels_summed) { same(gradient(einsum("ij->", {p}), p), ones({i, j})); }
BOOST_AUTO_TEST_CASE(one_operand_summed_away) {
  const Expr f = sum(einsum("ij,ab->ab", {p, q}));
  same(gradient(f, p), expand(sum(q), {i, j}));
  same(gradient(f, q), expand(sum(p), {j, k}));
}
BOOST_AUTO_TEST_CASE(a_trace) { same(gradient(einsum("ii->", {h}), h), identity(i, i.prime())); }
BOOST_AUTO_TEST_CASE(a_matrix_times_a_vector) {
  same(vjp(times(x), {x}, v)[0], transpose_times(v));
  same(vjp(times(x), {h}, v)[0], v * x({i.prime()}));
}
BOOST_AUTO_TEST_CASE(a_forward_product_sums_over_its_variables) {
  const Expr dp = tensor("dP", {i, j}), dq = tensor("dQ", {j, k});
  values.randomize(dp, 7).randomize(dq, 8);
  same(jvp(matmul(p, q), {p, q}, {dp, dq}), einsum({dp, q}, {i, k}) + einsum({p, dq}, {i, k}));
  same(jvp_by_reverse(matmul(p, q), {p, q}, {dp, dq}), einsum({dp, q}, {i, k}) + einsum({p, dq}, {i, k}));
}
BOOST_AUTO_TEST_CASE(a_gauss_newton_product) { same(gauss_newton(times(x), {x}, {v})[0], transpose_times(times(v))); }
BOOST_AUTO_TEST_CASE(a_hessian_product_of_an_inner_product) { same(hvp(einsum("i,i->", {x, x}), {x}, {v})[0], 2 * v); }
BOOST_AUTO_TEST_CASE(a_hessian_product_of_an_elementwise_form) {
  same(hvp(sum(x * times(x)), {x}, {v})[0], times(v) + transpose_times(v));
}
BOOST_AUTO_TEST_CASE(a_hessian_product_of_a_quadratic_form) {
  same(hvp(einsum({x, h, x({i.prime()})}, {}), {x}, {v})[0], times(v) + transpose_times(v));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(explicit_jacobians, Fixture)

BOOST_AUTO_TEST_CASE(a_sum_of_tensors) {
  const Expr u = tensor("U", {i, j});
  const Expr unit = einsum({identity(i, i.prime()), identity(j, j.prime())}, {i, j, i.prime(), j.prime()});
  for (const Expr& e : {p, u}) same(jacobian(p + u, e), unit);
}
BOOST_AUTO_TEST_CASE(a_sum_of_scalars) {
  const Expr a = tensor("a", {}), b = tensor("b", {});
  same(jacobian(a + b, a), Expr(1.0));
  same(jacobian(a + b, b), Expr(1.0));
}
BOOST_AUTO_TEST_CASE(a_chain_of_two_products) {
  // z(i,j,k) -> y(j,k) = sum[i] x(i) z(i,j,k) -> u(k) = sum[j] y(j,k) m(j): du/dz = du/dy dy/dz.
  const Expr m = tensor("m", {j}), inside = einsum({x, t}, {j, k}), outside = einsum({inside, m}, {k});
  values.randomize(m, 9);
  const Expr outer = jacobian(outside, inside), inner_one = jacobian(inside, t);  // (k, j', k') and (j, k, i', j', k')
  const Index a("a", 4), b("b", 2);
  same(einsum({outer({k, a, b}), inner_one({a, b, i.prime(), j.prime(), k.prime()})}, {k, i.prime(), j.prime(), k.prime()}),
       permute(jacobian(outside, t), {k, i.prime(), j.prime(), k.prime()}));
  same(jacobian(outside, t),
       einsum({identity(k, k.prime()), x({i.prime()}), m({j.prime()})}, {k, i.prime(), j.prime(), k.prime()}));
}
BOOST_AUTO_TEST_CASE(a_chain_of_sums_of_tensors) {
  const Expr once = x + y, twice = once + z;
  for (const Expr& e : {x, y, z, once}) same(jacobian(twice, e), identity(i, i.prime()));
}
BOOST_AUTO_TEST_CASE(a_chain_of_sums_of_scalars) {
  const Expr a = tensor("a", {}), b = tensor("b", {}), c = tensor("c", {});
  for (const Expr& e : {a, b, c}) same(jacobian((a + b) + c, e), Expr(1.0));
}
BOOST_AUTO_TEST_CASE(a_difference) {
  same(jacobian(x - y, x), identity(i, i.prime()));
  same(jacobian(x - y, y), -1 * identity(i, i.prime()));
}
BOOST_AUTO_TEST_CASE(a_difference_inside_a_difference) {
  const Expr e = z - (x - y);
  same(jacobian(e, x), -1 * identity(i, i.prime()));
  same(jacobian(e, y), identity(i, i.prime()));
  same(jacobian(e, z), identity(i, i.prime()));
}
BOOST_AUTO_TEST_CASE(an_elementwise_product_of_two) {
  same(jacobian(x * y, x), on_diagonal(y));
  same(jacobian(x * y, y), on_diagonal(x));
}
BOOST_AUTO_TEST_CASE(an_elementwise_product_of_three) { same(jacobian(x * y * z, y), on_diagonal(x * z)); }
BOOST_AUTO_TEST_CASE(a_product_of_three_scalars) {
  const Expr a = tensor("a", {}), b = tensor("b", {}), c = tensor("c", {});
  for (const Expr& e : {a, b, c}) values.randomize(e, 10);
  same(jacobian(a * b * c, b), a * c);
}
BOOST_AUTO_TEST_CASE(a_product_of_two_scalars) {
  const Expr a = tensor("a", {}), b = tensor("b", {});
  values.randomize(a, 10).randomize(b, 10);
  same(jacobian(a * b, a), b);
}
BOOST_AUTO_TEST_CASE(a_scalar_times_a_tensor_in_both_orders) {
  const Expr a = tensor("a", {});
  values.randomize(a, 10);
  for (const Expr& e : {a * x, x * a}) {
    same(jacobian(e, x), a * identity(i, i.prime()));
    same(jacobian(e, a), x);
  }
}
BOOST_AUTO_TEST_CASE(a_number_times_a_tensor) { same(jacobian(2.5 * x, x), 2.5 * identity(i, i.prime())); }
BOOST_AUTO_TEST_CASE(a_batched_product_by_both_operands) {
  // ikl,jkl->ijk
  const Index l("l", 2), m("m", 3);
  const Expr a = tensor("A", {i, k, l}), b = tensor("B", {m, k, l}), product = einsum("ikl,jkl->ijk", {a, b});
  values.randomize(a, 11).randomize(b, 12);
  const Index ip = i.prime(), kp = k.prime(), lp = l.prime(), mp = m.prime();
  same(jacobian(product, a), einsum({identity(i, ip), identity(k, kp), b({m, kp, lp})}, {i, m, k, ip, kp, lp}));
  same(jacobian(product, b), einsum({identity(m, mp), identity(k, kp), a({i, kp, lp})}, {i, m, k, mp, kp, lp}));
}
BOOST_AUTO_TEST_CASE(a_total) { same(jacobian(einsum("ij->", {p}), p), ones({i.prime(), j.prime()})); }
BOOST_AUTO_TEST_CASE(by_the_operand_that_is_summed_away) {
  same(jacobian(einsum("ij,ab->ab", {p, q}), p), einsum({q, ones({i.prime(), j.prime()})}, {j, k, i.prime(), j.prime()}));
}
BOOST_AUTO_TEST_CASE(a_trace_of_a_matrix) {
  const Expr d = jacobian(einsum("ii->", {h}), h);
  same(d, identity(d.axis(0), d.axis(1)));
}
BOOST_AUTO_TEST_CASE(a_hessian_of_a_quadratic_form) {
  const Expr f = einsum({x, h, x({i.prime()})}, {});
  same(hessian(f, x), h + h({i.prime(), i}));
}

BOOST_AUTO_TEST_SUITE_END()
