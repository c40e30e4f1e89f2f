// A block update is the dense least-squares solution, whatever the objective.
#include <boost/test/unit_test.hpp>
#include "core/derivative/declared.hpp"
#include "core/derivative/least_squares.hpp"
#include "derivative/derivative.hpp"
#include "evaluate/error_text.hpp"

using namespace tyto::v1;
using namespace tyto::test;
namespace derivatives = tyto::derivative;  // tyto::v1::derivative is a function

namespace {

struct Fixture {
  Index i{"i", 3}, j{"j", 4}, k{"k", 2}, l{"l", 3}, r{"r", 2};
  Values values;

  Expr unknown(Declared& d, const std::string& name, const Indices& labels) {
    const Expr u = d->unknown(name, labels, {});
    values.randomize(u, 3);
    return u;
  }
  Expr data(Declared& d, const std::string& name, const Indices& labels) {
    const Expr x = d->constant(name, labels, random_numbers(count(labels), 11));
    values.randomize(x, 4);
    return x;
  }
  void check(Declared& d, const std::vector<Square>& squares, const Expr& block) {
    Expr f = 0.0;
    for (const Square& s : squares) f = f + s.coefficient * norm2(s.residual);
    const Numbers found = d.updated(f, block, values), expected = least_squares(squares, block, values);
    BOOST_CHECK_MESSAGE(distance(found, expected) < 1e-10 * (1 + largest(expected)),
                        block.name() << " is wrong by " << distance(found, expected));
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(block_update, Fixture)

BOOST_AUTO_TEST_CASE(each_factor_of_a_cp) {
  for (int block = 0; block < 3; ++block) {
    Declared d;
    const Exprs factors{unknown(d, "A", {i, r}), unknown(d, "B", {j, r}), unknown(d, "C", {k, r})};
    const Expr x = data(d, "X", {i, j, k});
    check(d, {{0.5, x - einsum(factors, {i, j, k})}}, factors[static_cast<std::size_t>(block)]);
  }
}

BOOST_AUTO_TEST_CASE(a_factor_shared_by_two_terms_of_different_weight) {
  Declared d;
  const Expr a = unknown(d, "A", {i, r}), b = unknown(d, "B", {j, r}), c = unknown(d, "C", {k, r}), e = unknown(d, "E", {l, r});
  const Expr x = data(d, "X", {i, j, k}), y = data(d, "Y", {i, l});
  check(d, {{0.5, x - einsum({a, b, c}, {i, j, k})}, {2, y - einsum({a, e}, {i, l})}}, a);
}

BOOST_AUTO_TEST_CASE(a_masked_cp) {
  Declared d;
  const Expr a = unknown(d, "A", {i, r}), b = unknown(d, "B", {j, r}), c = unknown(d, "C", {k, r}), x = data(d, "X", {i, j, k});
  const Expr mask = d->constant("W", {i, j, k}, Numbers(24, 1));
  values.set(mask, {1, 0, 1, 1, 1, 0.5, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 2, 1, 1, 0, 1, 1, 1, 1});
  check(d, {{0.5, mask * (x - einsum({a, b, c}, {i, j, k}))}}, a);
}

BOOST_AUTO_TEST_CASE(a_factor_that_is_a_product_with_data) {
  Declared d;
  const Index m("m", 2);
  const Expr a = unknown(d, "A", {i, r}), b = unknown(d, "B", {m, r}), basis = data(d, "Q", {j, m}), x = data(d, "X", {i, j});
  check(d, {{1, x - einsum({a, basis, b}, {i, j})}}, b);
}

BOOST_AUTO_TEST_CASE(a_core_of_a_tensor_train) {
  Declared d;
  const Index p("p", 2), q("q", 2);
  const Expr g0 = unknown(d, "G0", {i, p}), g1 = unknown(d, "G1", {p, j, q}), g2 = unknown(d, "G2", {q, k}),
             x = data(d, "X", {i, j, k});
  check(d, {{0.5, x - einsum({g0, g1, g2}, {i, j, k})}}, g1);
}

BOOST_AUTO_TEST_CASE(a_block_inside_a_linear_solve) {
  Declared d;
  const Expr a = unknown(d, "A", {i, r}), x = data(d, "X", {i, r}), m = data(d, "M", {i, i.prime()});
  values.set(m, {3, 1, 0, -1, 4, 1, 0, 0, 2});
  check(d, {{1, x - 2 * a}, {3, solve(m, a, {i})({i, r}) - x}}, a);
}

BOOST_AUTO_TEST_CASE(a_singular_system_gives_the_solution_of_least_norm) {
  Declared d;
  const Expr a = unknown(d, "A", {i, r}), b = unknown(d, "B", {j, r}), x = data(d, "X", {i, j});
  values.set(b, {1, 1, 2, 2, -1, -1, 3, 3});  // equal columns
  check(d, {{0.5, x - einsum({a, b}, {i, j})}}, a);
}

BOOST_AUTO_TEST_CASE(a_ridge_is_part_of_the_objective) {
  Declared d;
  const Expr a = d->unknown("A", {i, r}, Traits{.ridge = 0.3}), b = unknown(d, "B", {j, r}), x = data(d, "X", {i, j});
  const Expr residual = x - einsum({a, b}, {i, j});
  const Numbers found = d.updated(0.5 * norm2(residual), a, values);
  BOOST_TEST(distance(found, least_squares({{0.5, residual}, {0.15, a * 1.0}}, a, values)) < 1e-10);
}

BOOST_AUTO_TEST_CASE(the_present_value_of_the_block_does_not_matter) {
  Declared d;
  const Expr a = unknown(d, "A", {i, r}), b = unknown(d, "B", {j, r}), x = data(d, "X", {i, j});
  const tyto::graph::NodeId node = d.update(norm2(x - einsum({a, b}, {i, j})), a);
  BOOST_TEST(!depends_on(*d.problem().store, node, a.id()));
}

BOOST_AUTO_TEST_CASE(of_an_unknown_that_is_not_negative_it_keeps_that) {
  Declared d;
  const Expr a = d->unknown("A", {i, r}, {.nonnegative = true}), b = unknown(d, "B", {j, r}), x = data(d, "X", {i, j});
  const tyto::graph::NodeId node = d.update(norm2(x - einsum({a, b}, {i, j})), a);
  const auto* solve = tyto::graph::as<tyto::graph::Solve>((*d.problem().store)[node]);
  BOOST_REQUIRE(solve != nullptr);
  BOOST_TEST((solve->system == tyto::operation::System::nonnegative));
  BOOST_TEST(error_of([&] {
               derivatives::jacobian(*d.problem().store, node, b.id());
             }).find("the derivative of a solve with non-negative unknowns") == 0U);
}

BOOST_AUTO_TEST_CASE(gradients_leave_out_fixed_unknowns_and_those_of_other_objectives) {
  Declared d;
  const Expr a = unknown(d, "A", {i}), b = d->unknown("B", {i}, {}), c = unknown(d, "C", {i});
  d->minimize(norm2(a - b));
  d->minimize(norm2(c));
  tyto::problem::Problem p = d->finish();
  p.unknowns[1].traits.fixed = true;
  const std::vector<derivatives::UnknownGradient> of_first = derivatives::gradients(p, p.objectives[0]);
  BOOST_TEST(of_first.size() == 1);
  BOOST_TEST(of_first[0].unknown == 0);
  values.set(a, {5, 6, 7}).set(b, {1, 1, 1}).set(c, {1, 2, 3});
  BOOST_TEST(evaluate(p.store, of_first[0].node, values) == (Numbers{8, 10, 12}), boost::test_tools::per_element());
  BOOST_TEST(evaluate(p.store, derivatives::at_zero(p, p.objectives[0].fit), values) == Numbers{3},
             boost::test_tools::per_element());
  BOOST_TEST(evaluate(p.store, derivatives::at_zero(p, p.objectives[1].fit), values) == Numbers{0},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
