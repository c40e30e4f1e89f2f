// Common factors are taken out of sums where that costs less; kernels of an objective keep their products.
#include "core/optimize/passed.hpp"
#include "optimize/factor.hpp"
#include "optimize/work.hpp"
#include "tyto/derivative.hpp"

namespace tyto::optimize {

namespace {

using v1::einsum, v1::tensor;  // not the namespaces

double flops(const graph::Graph& graph) {
  const Context context;
  double total = 0;
  for (const graph::Output& output : graph.outputs) total += Work(*graph.store, context).flops(output.node);
  return total;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_sum_is_formed_before_it_is_multiplied_by_a_matrix) {
  check_both(
      passed(
          "factor",
          "unknown A(i=6,j=5) B(i,j) C(j,k=7)\nP(i,k) = A(i,j)*C(j,k)\nQ(i,k) = B(i,j)*C(j,k)\nS(i,k) = 2*P(i,k) - Q(i,k)\noutput "
          "s = S\n"),
      "unknown A(i=6,j=5) B(i,j) C(j,k=7)\nT(i,j) = 2*A(i,j) - B(i,j)\nS(i,k) = C(j,k)*T(i,j)\noutput s = S\n");
}
BOOST_AUTO_TEST_CASE(what_would_cost_more_stays_apart) {
  // u v' + w v' x is cheap as it is: the sum of the outer products would be a matrix.
  const Passed p =
      passed("factor",
             "unknown u(i=30) w(i) v(j=40) z(j) x(j)\nP(i) = u(i)*v(j)*x(j)\nQ(i) = w(i)*z(j)*x(j)\nS(i) = P(i) + Q(i)\noutput "
             "s = S\n");
  BOOST_TEST(p.is_unchanged(), p.text());
}
BOOST_AUTO_TEST_CASE(another_use_of_the_factor_is_no_common_one) {
  const Passed p = passed("factor",
                          "unknown A(i=5,j=5) B(i,j) C(i,j)\nP(i,k) = A(i,j)*C(j,k)\nQ(i,k) = B(i,j)*C(k,j)\nS(i,k) = P(i,k) + "
                          "Q(i,k)\noutput s = S\n");
  BOOST_TEST(p.is_unchanged(), p.text());
  check_values(p);
}
BOOST_AUTO_TEST_CASE(kernels_of_an_objective_keep_their_products) {
  const graph::Graph graph = graph::parse(
      "unknown A(i=6,j=5) B(i,j) C(j,k=7)\ndata X(i,k)\nF() = X(i,k)*A(i,j)*C(j,k)\nH() = X(i,k)*B(i,j)*C(j,k)\nP(i,j) = "
      "X(i,k)*C(j,k)\nQ(i,j) "
      "= X(i,k)*C(j,k)*F()\nE() = F() + H()\nR(j,k) = X(i,k)*A(i,j)\nS(j,k) = X(i,k)*B(i,j)\nT(j,k) = R(j,k) + S(j,k)\noutput t = "
      "T\noutput e = "
      "E\n");
  Context context;
  Log log;
  BOOST_TEST((factor(graph, context, log).outputs[0].node != graph.outputs[0].node));
  context.objectives = {graph.outputs[1].node};
  BOOST_TEST((factor(graph, context, log).outputs[0].node == graph.outputs[0].node));
}
BOOST_AUTO_TEST_CASE(a_gauss_newton_product_multiplies_each_factor_once) {
  // J'J v by A: V_A (B'B * C'C) + A (sum over the other modes), whatever the order.
  for (int order = 3; order <= 5; ++order) {
    Indices modes;
    Exprs factors, directions;
    const Index r("r", 4);
    for (int m = 0; m < order; ++m) {
      const std::string name(1, static_cast<char>('i' + m));
      modes.emplace_back(name, 20 + m);
      factors.push_back(tensor("A" + name, {modes.back(), r})), directions.push_back(tensor("V" + name, {modes.back(), r}));
    }
    const Expr product = gauss_newton(einsum(factors, modes), factors, directions)[0];
    const graph::Graph graph = simplify({product.store(), {{"p", product.id()}}}).graph;
    std::size_t uses = 0;
    for (const graph::NodeId id : reachable(graph)) {
      const std::vector<graph::NodeId>& operands = (*graph.store)[id].operands;
      uses += static_cast<std::size_t>(std::count(operands.begin(), operands.end(), factors[0].id()));
    }
    BOOST_TEST(uses == 1U, print(graph));
    const graph::Graph apart = simplify({product.store(), {{"p", product.id()}}}, {}, {"factor"}).graph;
    BOOST_TEST(flops(apart) - flops(graph) >= (order - 2) * 2 * 20 * 4 * 4);  // N - 2 products of an I x R and an R x R matrix
  }
}
BOOST_AUTO_TEST_CASE(shortest_and_longest_paths_share_their_last_leg) {
  // min(A + C, B + C) = min(A, B) + C in the algebra of minimum and sum; not of maximum and sum, nor of product.
  const auto text = [](const std::string& pair, const std::string& function) {
    return "data A(i=3,j=4) B(i,j) C(j,k=5)\nP(i,k) = " + pair + ": A(i,j)*C(j,k)\nQ(i,k) = " + pair +
           ": B(i,j)*C(j,k)\nR(i,k) = " + function + "(P(i,k), Q(i,k))\noutput r = R\n";
  };
  for (const auto& [pair, function] : {std::pair{"min,sum", "minimum"}, {"max,sum", "maximum"}}) {
    const Passed p = passed("factor", text(pair, function));
    std::size_t contractions = 0;
    for (const graph::NodeId id : reachable(p.after)) contractions += std::size_t{graph::is<graph::Einsum>((*p.after.store)[id])};
    BOOST_TEST(contractions == 1U, p.text());
    check_values(p);
  }
  for (const auto& [pair, function] : {std::pair{"min,sum", "maximum"}, {"min,product", "minimum"}})
    BOOST_TEST(passed("factor", text(pair, function)).is_unchanged());
}
BOOST_AUTO_TEST_CASE(a_mask_is_never_distributed) {
  for (const std::string mask :
       {"weights W(i=3,j=2)\n", "data Z(i=3,j=2)\nO(i,j) = 0*Z(i,j)\nW(i,j) = greater(Z(i,j), O(i,j))\n"}) {
    const Passed p =
        passed("distribute", mask +
                                 "data X(i,j) Y(j)\nunknown A(i,r=1) B(j,r)\nM(i,j) = A(i,r)*B(j,r)\nD(i,j) = X(i,j) - "
                                 "M(i,j)\nG(i) = W(i,j)*D(i,j)*Y(j)\noutput g = G\n");
    BOOST_TEST(p.is_unchanged(), p.text());
    BOOST_TEST(p.log.near_misses() == std::vector<std::string>{"a mask times a sum stays: the mask is never distributed"},
               boost::test_tools::per_element());
  }
}

}  // namespace tyto::optimize
