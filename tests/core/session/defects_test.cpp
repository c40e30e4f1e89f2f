// Defects known of systems of this kind, one test each: silent wrong results first, then failures, then designs that do not scale.
// The numbers D1 ... D20 are those of the list that the tests were written from.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include "evaluate/evaluate.hpp"
#include "graph/text.hpp"
#include "optimize/pipeline.hpp"
#include "tyto/compile.hpp"
#include "tyto/derivative.hpp"

namespace tyto::session {

namespace {

using test::distance;
using test::Numbers;
using test::Values;
using v1::einsum, v1::tensor;  // not the namespaces

/// The value of an expression as a program gives it, all passes on.
Numbers run(const Expr& e, const Values& values, const Exprs& leaves) {
  Program program({e});
  for (const Expr& leaf : leaves) {
    Extents extents;
    for (const Index& label : leaf.shape()) extents.push_back(label.extent());
    try {
      program.bind(leaf, ConstArray(values[leaf].data(), extents));
    } catch (const Error& error) {
      if (error.findings().front().code != Code::label) throw;  // the expression does not depend on it
    }
  }
  program.run();
  const ConstArray out = program.output(0);
  Numbers result(static_cast<std::size_t>(out.size()));
  Extents at(out.extents.size(), 0);
  for (double& value : result) {
    std::int64_t place = 0;
    for (std::size_t k = 0; k < at.size(); ++k) place += at[k] * out.strides[k];
    value = out.as<double>()[place];
    for (std::size_t k = at.size(); k-- > 0 && ++at[k] == out.extents[k];) at[k] = 0;
  }
  return result;
}

struct Fixture {
  Index i{"i", 3}, j{"j", 4}, k{"k", 5}, r{"r", 2};
  Expr x = tensor("X", {i, j, k}), a = tensor("A", {i, r}), b = tensor("B", {j, r}), c = tensor("C", {k, r});
  Expr h = tensor("H", {i, i.prime()}), v = tensor("v", {i});
  Exprs leaves{x, a, b, c, h, v};
  Values values;
  Fixture() {
    for (const Expr& leaf : leaves) values.randomize(leaf, 17);
  }
  Expr loss() const { return norm2(x - einsum({a, b, c}, {i, j, k})); }
  void check(const Expr& e) const { BOOST_TEST(distance(run(e, values, leaves), test::evaluate(e, values)) < 1e-11); }
};

double seconds_of(const std::function<void()>& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(defects, Fixture)

BOOST_AUTO_TEST_CASE(d1_a_pruned_identity_leaves_its_trace) {
  const Expr e = einsum({identity(k, k.prime())({k, k}), v}, {i});
  BOOST_TEST(distance(run(e, values, leaves), test::evaluate(5 * v, values)) < 1e-14);
}
BOOST_AUTO_TEST_CASE(d2_a_hessian_of_a_quadratic_form_is_simplified) {
  check(hessian(einsum({v, h, v({i.prime()})}, {}), v));
  BOOST_TEST(optimized(hessian(einsum({v, h, v({i.prime()})}, {}), v)).text() == "H(i,i') + H(i',i)");
}
BOOST_AUTO_TEST_CASE(d3_a_hessian_block_of_a_decomposition_runs) {
  check(hessian(loss(), a));
  check(hessian(loss(), a, b));
}
BOOST_AUTO_TEST_CASE(d4_a_hessian_product_of_a_decomposition_runs) { check(hvp(loss(), {a}, {square(a)})[0]); }
BOOST_AUTO_TEST_CASE(d5_differences_keep_their_order) {
  BOOST_TEST(distance(run(5 - v, values, leaves), run(-1 * (v - 5), values, leaves)) < 1e-15);
  check(v - square(v));
}
BOOST_AUTO_TEST_CASE(d6_jacobians_of_norms_powers_signs_constants_and_inverses) {
  for (const Expr& e : {norm(v) * v, pow(v, 3), -v, v + 1, 1 - v}) check(jacobian(e, v));
  check(jacobian(inverse(h + 3 * identity(i, i.prime()), {i}), h));
}
BOOST_AUTO_TEST_CASE(d7_what_an_expression_does_not_depend_on_has_derivative_zero) {
  BOOST_TEST(test::evaluate(gradient(norm2(a), b), values) == Numbers(8, 0), boost::test_tools::per_element());
  BOOST_TEST(test::evaluate(jacobian(a, v), values) == Numbers(18, 0), boost::test_tools::per_element());
}
BOOST_AUTO_TEST_CASE(d8_doubling_sixty_times_stays_small) {
  Expr e = v;
  for (int n = 0; n < 60; ++n) e = e + e;
  BOOST_TEST(e.text().size() < 2000U);
  BOOST_TEST(optimized(e).text() == "1.152921504606847e+18*v(i)");
}
BOOST_AUTO_TEST_CASE(d9_a_changed_array_is_never_stale) {
  Numbers numbers = values[v];
  Program program({norm2(v), gradient(norm2(v), v)});
  program.bind(v, ConstArray(numbers.data(), {3}));
  program.run();
  numbers = {1, 2, 2};
  program.run(0);
  BOOST_TEST(*program.output(0).as<double>() == 9);
}
BOOST_AUTO_TEST_CASE(d10_passes_leave_the_graph_of_the_user_alone) {
  const Expr f = gradient(loss(), a);
  const graph::Graph mine{f.store(), {{"f", f.id()}}};
  const std::string before = graph::print(mine), text = f.text();
  optimize::optimize(mine, {});
  BOOST_TEST(graph::print(mine) == before);
  BOOST_TEST(f.text() == text);
}
BOOST_AUTO_TEST_CASE(d11_d12_kernels_that_leave_out_any_operand_share_a_tree_without_outer_products_of_data) {
  for (const Expr& e : {a, b, c}) check(gradient(einsum({x, a, b, c}, {}), e));
}
BOOST_AUTO_TEST_CASE(d13_two_tensors_of_one_name_are_two) {
  const Expr other = tensor("v", {i});
  const Values both = Values(values).set(other, {10, 20, 30});
  BOOST_TEST(distance(run(v - other, both, {v, other}), {values[v][0] - 10, values[v][1] - 20, values[v][2] - 30}) < 1e-14);
}
BOOST_AUTO_TEST_CASE(d14_d15_names_and_powers_survive_simplification) {
  const Expr odd = tensor("x-1", {i});
  BOOST_TEST(optimized(odd + odd).text() == "2*x-1(i)");
  BOOST_TEST(optimized(v * v + v * v).text() == "2*v(i)^2");
}
BOOST_AUTO_TEST_CASE(d16_extents_may_be_unequal) { check(gradient(loss(), c)); }
BOOST_AUTO_TEST_CASE(d17_values_repeat_along_labels_that_are_asked_for) { check(a + expand(v, {r})); }
BOOST_AUTO_TEST_CASE(d18_singular_systems_have_a_solution_of_minimum_norm) {
  const Expr gram = einsum({v, v({i.prime()})}, {i, i.prime()});  // of rank one
  const Numbers solved = run(solve(gram, v, {i}, Matrix::positive_definite), values, leaves);
  const double size = test::evaluate(norm2(v), values)[0];
  for (std::size_t e = 0; e < 3; ++e) BOOST_TEST(std::abs(solved[e] - values[v][e] / size) < 1e-9);
}
BOOST_AUTO_TEST_CASE(d19_a_chain_of_a_hundred_operands_has_a_hessian_product) {
  Exprs operands, first;
  Index bond("b0", 1);
  for (int site = 0; site < 50; ++site) {
    const Index next("b" + std::to_string(site + 1), site == 49 ? 1 : 4), s("s" + std::to_string(site), 2);
    const Expr core = tensor("core" + std::to_string(site), {bond, s, next});
    operands.push_back(core);
    operands.push_back(core({bond.prime(), s, next.prime()}));
    first.push_back(core);
    bond = next;
  }
  const Expr f = einsum(operands, {});
  const double seconds = seconds_of([&] { Program program({hvp(f, {first[25]}, {square(first[25])})[0]}); });
  BOOST_TEST_MESSAGE("a chain of 100 operands: " << seconds << " s");
  BOOST_TEST(seconds < 20);  // a guard against exponential behaviour, not a measurement
}
BOOST_AUTO_TEST_CASE(d20_what_is_used_twice_is_walked_once) {
  Expr e = v;
  for (int n = 0; n < 40; ++n) e = 0.5 * (e * e + e);
  Program program({sum(e), gradient(sum(e), v)});
  const Numbers half{0.5, 0.25, 0.125};
  program.bind(v, ConstArray(half.data(), {3}));
  program.run();
  BOOST_TEST(std::isfinite(*program.output(0).as<double>()));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
