// Expressions and their derivatives as text: what is printed is parsed and run, and gives the numbers of the expression.
#include <boost/test/unit_test.hpp>
#include "evaluate/evaluate.hpp"
#include "graph/text.hpp"
#include "tyto/derivative.hpp"

using namespace tyto::v1;
using namespace tyto::test;

namespace {

struct Fixture {
  Index i{"i", 3};
  Expr x = tensor("x", {i}), h = tensor("H", {i, i.prime()}), v = tensor("v", {i});
  Expr form = einsum({x, h, x({i.prime()})}, {});
  Values values;  // by name: leaves that were read from text are not those of the expression
  Fixture() { values.set("x", random_numbers(3, 31)).set("v", random_numbers(3, 32)).set("H", {3, 1, 0.5, -1, 4, 1, 0.25, 0, 2}); }
  /// As made, and after the passes.
  void check(const Expr& e, const Expr& expected) const {
    for (const Expr& shown : {e, optimized(e)}) {
      const tyto::graph::Graph graph{shown.store(), {{"result", shown.id()}}}, read = tyto::graph::parse(tyto::graph::print(graph));
      BOOST_TEST(distance(evaluate(read, values)[0], evaluate(expected, values)) < 1e-12, tyto::graph::print(graph));
    }
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(printed, Fixture)

BOOST_AUTO_TEST_CASE(a_form_its_gradient_and_its_hessian_product) {
  const auto both = [&](const Expr& e) {
    return einsum({h, e({i.prime()})}, {i}) + einsum({h({i.prime(), i}), e({i.prime()})}, {i});
  };
  check(form, inner(x, einsum({h, x({i.prime()})}, {i})));
  check(gradient(form, x), both(x));
  check(hvp(form, {x}, {v})[0], both(v));
}
BOOST_AUTO_TEST_CASE(a_gauss_newton_product) {
  const Expr y = einsum({h, x({i.prime()})}, {i}), once = einsum({h, v({i.prime()})}, {i});
  check(gauss_newton(y, {x}, {v})[0], einsum({h({i.prime(), i}), once({i.prime()})}, {i}));
}
BOOST_AUTO_TEST_CASE(constants_and_identities) {
  check(2 * identity(i, i.prime()) * v + h, h + 2 * identity(i, i.prime()) * expand(v, {i.prime()}));
  check(jacobian(x, x), identity(i, i.prime()));
}
BOOST_AUTO_TEST_CASE(an_inverse) {
  const Expr inverted = inverse(h, {i});
  check(einsum({inverted, h({i.prime().prime(), i.prime()})}, {i, i.prime().prime()}), identity(i, i.prime().prime()));
  check(inverted, inverse(inverse(inverted, {i}), {i}));
}

BOOST_AUTO_TEST_SUITE_END()
