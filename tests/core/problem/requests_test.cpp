// Objectives and the kernels that are asked for.
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include "core/problem/recorded.hpp"
#include "evaluate/evaluate.hpp"

using namespace tyto::v1;
using namespace tyto::test;

namespace {

struct Fixture : Recorded {
  Expr a = recorder.unknown("A", {i, r}, {}), b = recorder.unknown("B", {j, r}, {.ridge = 0.5});
  Expr x = recorder.data("X", {i, j});
  Expr squares = 0.5 * norm2(x - einsum({a, b}, {i, j}));
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(requests, Fixture)

BOOST_AUTO_TEST_CASE(an_objective_is_a_scalar_expression) {
  BOOST_TEST(error_of([&] { recorder.minimize(a); }) ==
             "A(i,r): an objective is a scalar\n  expected  no labels\n  found     labels i,r\n  try       sum() over its labels");
  BOOST_TEST(error_of([&] { recorder.minimize(2.0); }) ==
             "an objective is a number\n  expected  an expression of unknowns\n  found     2");
  BOOST_TEST(recorder.minimize(squares).id == 0);
  BOOST_TEST(recorder.minimize(norm2(a)).id == 1);
}

BOOST_AUTO_TEST_CASE(ridges_are_added_to_the_value_and_not_to_the_fit) {
  recorder.minimize(squares);
  recorder.minimize(norm2(a));
  const tyto::problem::Problem p = recorder.finish();
  const Values values = Values().set("A", {1, 0, 0, 1}).set("B", {1, 2, 3, 4, 5, 6}).set("X", {1, 3, 5, 2, 4, 6});
  BOOST_TEST(evaluate(p.objectives[0].fit, values)[0] == 0);
  BOOST_TEST(evaluate(p.objectives[0].value, values)[0] == 0.25 * 91);
  BOOST_TEST(evaluate(p.objectives[1].value, values)[0] == 2);  // does not depend on B
}

BOOST_AUTO_TEST_CASE(the_objective_of_the_run_file_is_stated_when_it_is_asked_for) {
  BOOST_TEST(error_of([&] { recorder.declared_objective(); }) ==
             "the run file states no objective\n  expected  a scalar expression under 'minimize'\n"
             "  try       minimize: 0.5 * norm2(X[i,j] - A[i,r] * B[j,r])");
  int calls = 0;
  const auto state = [&](tyto::v1::Declaration& d) {
    ++calls;
    return norm2(d.unknown("C", {i, r}, {}));
  };
  tyto::problem::Recorder written(
      inputs, [](const std::string&) { return tyto::problem::UserTraits{}; }, state);
  BOOST_TEST(written.declared_objective().id == 0);
  BOOST_TEST(written.declared_objective().id == 0);
  BOOST_TEST(calls == 1);
  BOOST_TEST(written.finish().objectives.size() == 1U);
}

BOOST_AUTO_TEST_CASE(an_objective_of_the_run_file_that_nobody_asks_for_is_refused) {
  tyto::problem::Recorder written(
      inputs, [](const std::string&) { return tyto::problem::UserTraits{}; }, [](tyto::v1::Declaration&) { return Expr(); });
  written.minimize(norm2(written.unknown("C", {i, r}, {})));
  BOOST_TEST(error_of([&] { written.finish(); }) ==
             "the algorithm declares an objective of its own, so 'minimize' has no effect\n"
             "  expected  a method that takes the objective of the run file\n  try       method: alternating");
}

BOOST_AUTO_TEST_CASE(unknowns_of_an_objective_are_those_that_it_depends_on_and_are_not_fixed) {
  traits["F"].fixed = true;
  traits["F"].init_file = "f.npy";
  const Expr f = recorder.unknown("F", {i, r}, {});
  const tyto::v1::Objective both = recorder.minimize(squares + norm2(f)), one = recorder.minimize(norm2(b));
  const Exprs of_both = recorder.unknowns(both), of_one = recorder.unknowns(one);
  BOOST_TEST_REQUIRE(of_both.size() == 2U);
  BOOST_TEST(of_both[0].name() == "A");
  BOOST_TEST(of_both[1].name() == "B");
  BOOST_TEST_REQUIRE(of_one.size() == 1U);
  BOOST_TEST(of_one[0].name() == "B");
  BOOST_TEST(error_of([&] { recorder.unknowns({}); }) ==
             "unknowns names an objective that was never declared\n  expected  the handle that minimize() returned");
}

BOOST_AUTO_TEST_CASE(equal_requests_are_one_kernel) {
  const Objective f = recorder.minimize(squares), g = recorder.minimize(norm2(a));
  BOOST_TEST(recorder.block_solve(f, a).id == 0);
  BOOST_TEST(recorder.block_solve(f, b).id == 1);
  BOOST_TEST(recorder.block_solve(f, a({i.prime(), r})).id == 0);
  BOOST_TEST(recorder.block_solve(g, a).id == 2);
  const tyto::problem::Problem p = recorder.finish();
  BOOST_TEST(p.block_solves.size() == 3);
  BOOST_TEST(p.block_solves[1].unknown == 1);
  BOOST_TEST(p.block_solves[2].objective == 1);
}

BOOST_AUTO_TEST_CASE(a_subspace_needs_a_matrix_that_is_orthonormal_in_one_label) {
  const Expr u = recorder.unknown("U", {i, r}, {.orthonormal = {r}});
  const Objective f = recorder.minimize(-norm2(einsum({x, u}, {j, r})) + squares);
  BOOST_TEST(recorder.subspace(f, u).id == 0);
  BOOST_TEST(recorder.subspace(f, u({i.prime(), r})).id == 0);
  BOOST_TEST(error_of([&] { recorder.subspace(f, a); }) ==
             "subspace() is asked for A(i,r)\n  expected  a matrix declared orthonormal in one label\n"
             "  found     no orthonormal label\n  try       d.unknown(\"A\", {i, r}, {.orthonormal = {r}})");
  BOOST_TEST(error_of([&] { recorder.block_solve(f, u); }) ==
             "block_solve would not keep U orthonormal\n  expected  subspace()\n  found     block_solve()");
  BOOST_TEST((code_of([&] { recorder.step(f, {a, u}, Method::newton); }) == Code::plugin_rule));
  BOOST_TEST((code_of([&] { recorder.assign(u, a); }) == Code::plugin_rule));
  const tyto::problem::Problem p = recorder.finish();
  BOOST_TEST(p.subspaces.size() == 1U);
  BOOST_TEST(p.subspaces[0].unknown == 2);
}

BOOST_AUTO_TEST_CASE(ranks_come_from_the_values_of_an_input) {
  inputs[0].hosvd_ranks = [](double tolerance) { return Extents{1, tolerance > 0.1 ? 1 : 3}; };
  BOOST_TEST(recorder.hosvd_ranks(x, 0.2) == (Extents{1, 1}), boost::test_tools::per_element());
  BOOST_TEST(recorder.hosvd_ranks(x, 0.01) == (Extents{1, 3}), boost::test_tools::per_element());
  BOOST_TEST(error_of([&] { recorder.hosvd_ranks(a, 0.1); }) ==
             "hosvd_ranks() is asked for something that is no data\n  expected  a tensor from data()\n  found     A(i,r)");
}

BOOST_AUTO_TEST_CASE(a_block_solve_needs_an_objective_and_an_unknown) {
  BOOST_TEST(error_of([&] { recorder.block_solve({}, a); }) ==
             "block_solve names an objective that was never declared\n  expected  the handle that minimize() returned");
  const Objective f = recorder.minimize(squares);
  const std::string needed = "block_solve needs an unknown\n  expected  what unknown() returned\n  found     ";
  BOOST_TEST(error_of([&] { recorder.block_solve(f, x); }) == needed + "X(i,j)");
  BOOST_TEST(error_of([&] { recorder.block_solve(f, 2 * a); }) == needed + "2*A(i,r)");
  BOOST_TEST(error_of([&] { recorder.block_solve(f, Expr(1.0)); }) == needed + "1");
  BOOST_TEST((code_of([&] { recorder.block_solve(f, x); }) == Code::plugin_rule));
}

BOOST_AUTO_TEST_CASE(eigenpairs_and_splits_are_of_trains) {
  const Objective f = recorder.minimize(squares);
  const std::string needed =
      " needs a core of a train, or two merged\n  expected  what train() or merged() returned\n  found     A(i,r)";
  BOOST_TEST(error_of([&] { recorder.lowest_eigenpair(f, a, {}); }) == "lowest_eigenpair" + needed);
  BOOST_TEST(error_of([&] { recorder.split(a); }) == "split" + needed);
  const Exprs cores = recorder.train("psi", {i, j}, {4}, Field::real);
  BOOST_TEST(
      error_of([&] { recorder.lowest_eigenpair(f, cores[0], {x}); }) ==
      "lowest_eigenpair() is asked to be orthogonal to something that is no overlap\n  expected  a scalar\n  found     X(i,j)");
  BOOST_TEST(recorder.lowest_eigenpair(f, cores[0], {}).id == 0);
  BOOST_TEST(recorder.split(recorder.merged(cores[0], cores[1])).id == 0);
}

BOOST_AUTO_TEST_CASE(trains_start_from_one_vector_for_each_site) {
  const Exprs cores = recorder.train("psi", {i, j}, {4}, Field::real);
  const std::vector<double> up(static_cast<std::size_t>(i.extent()), 1), other(static_cast<std::size_t>(j.extent()), 1);
  recorder.start(cores, {up, other});
  BOOST_TEST(error_of([&] { recorder.start(cores, {up}); }) ==
             "the train psi starts from 1 vectors\n  expected  2, one for each site");
  BOOST_TEST(error_of([&] {
               recorder.start(cores, {up, {1}});
             }) == fmt::format("psi[1] starts from a vector of 1\n  expected  {}, the states of its site", j.extent()));
  BOOST_TEST((code_of([&] { recorder.start({}, {}); }) == Code::plugin_rule));
}

BOOST_AUTO_TEST_CASE(equal_steps_and_minimizers_are_one_kernel) {
  const Objective f = recorder.minimize(squares);
  BOOST_TEST(recorder.step(f, {a, b}, Method::gauss_newton).id == 0);
  BOOST_TEST(recorder.step(f, {a}, Method::gauss_newton).id == 1);
  BOOST_TEST(recorder.step(f, {a, b}, Method::newton).id == 2);
  BOOST_TEST(recorder.step(f, {a, b}, Method::gauss_newton).id == 0);
  BOOST_TEST(recorder.minimizer(f, {a, b}, Method::newton).id == 0);
  BOOST_TEST(recorder.minimizer(f, {a, b}, Method::quasi_newton).id == 1);
}

BOOST_AUTO_TEST_CASE(steps_and_minimizers_are_refused_by_name) {
  const Objective f = recorder.minimize(squares);
  BOOST_TEST(error_of([&] { recorder.step({}, {a}, Method::newton); }) ==
             "step names an objective that was never declared\n  expected  the handle that minimize() returned");
  BOOST_TEST(error_of([&] { recorder.step(f, {a, a}, Method::newton); }) == "step names the unknown A twice");
  BOOST_TEST(error_of([&] { recorder.minimizer(f, {x}, Method::newton); }) ==
             "minimizer needs an unknown\n  expected  what unknown() returned\n  found     X(i,j)");
  const Expr c = recorder.unknown("C", {r}, {});
  BOOST_TEST(error_of([&] { recorder.step(f, {c}, Method::newton); }) ==
             "step is asked for in C, which the objective does not depend on");
  BOOST_TEST(error_of([&] { recorder.step(f, {a}, Method::quasi_newton); }) ==
             "a single step of a quasi-Newton method is not part of this version\n  try       minimizer(), since such a method "
             "carries what it has seen");
  BOOST_TEST(
      error_of([&] { recorder.minimizer(f, {a}, Method::gauss_newton); }) ==
      "a minimizer by Gauss-Newton or gradient descent is not part of this version\n  try       step(), or the methods newton "
      "and quasi_newton");
}

BOOST_AUTO_TEST_CASE(values_are_assigned_to_unknowns_and_states_with_their_labels_in_any_order) {
  const Expr s = recorder.state("S", {j, r});
  recorder.minimize(squares);
  BOOST_TEST(recorder.assign(a, permute(2 * a, {r, i})).id == 0);
  BOOST_TEST(recorder.assign(s, 3.0).id == 1);
  const tyto::problem::Problem p = recorder.finish();
  BOOST_TEST((p.assigns[0].value.shape() == a.shape()));
  BOOST_TEST(evaluate(p.assigns[0].value, Values().set("A", {1, 2, 3, 4})) == (Numbers{2, 4, 6, 8}),
             boost::test_tools::per_element());
  BOOST_TEST(evaluate(p.assigns[1].value, {}) == Numbers(6, 3), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(nothing_else_can_be_assigned_to) {
  BOOST_TEST(error_of([&] { recorder.assign(x, x); }) ==
             "assign() needs an unknown or a state\n  expected  what unknown() or state() returned\n  found     X(i,j)");
  BOOST_TEST(error_of([&] { recorder.assign(a, b); }) ==
             "A(i,r) is assigned an expression with other labels\n  expected  labels i,r\n  found     labels j,r");
  BOOST_TEST(error_of([&] { recorder.assign(a, sum(b)); }) ==
             "A(i,r) is assigned an expression with other labels\n  expected  labels i,r\n  found     no labels");
}

BOOST_AUTO_TEST_CASE(observed_expressions_have_names_of_their_own) {
  BOOST_TEST(recorder.observe("size", norm(a)).id == 0);
  BOOST_TEST(recorder.observe("sum", sum(a)).id == 1);
  BOOST_TEST(error_of([&] { recorder.observe("size", norm(b)); }) ==
             "two observed expressions are called size\n  expected  a name of its own for each");
  BOOST_TEST(error_of([&] { recorder.observe("two", 2.0); }) ==
             "the observed expression two is a number\n  expected  an expression of unknowns\n  found     2");
  BOOST_TEST(recorder.column("swamp", "how deep").id == 0);
}

BOOST_AUTO_TEST_CASE(a_declaration_without_an_objective_is_refused) {
  BOOST_TEST(error_of([&] { recorder.finish(); }) == "the plugin declares no objective\n  expected  one call of minimize()");
}

BOOST_AUTO_TEST_CASE(an_unknown_that_no_objective_depends_on_is_refused) {
  recorder.minimize(norm2(a));
  BOOST_TEST(error_of([&] { recorder.finish(); }) ==
             "no objective depends on the unknown B(j,r)\n  expected  each unknown in some objective");
}

BOOST_AUTO_TEST_SUITE_END()
