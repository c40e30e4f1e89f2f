// What a declared symmetry lets be exchanged is one product; without the declaration nothing is.
#include <boost/test/unit_test.hpp>
#include "core/optimize/passed.hpp"
#include "tyto/compile.hpp"
#include "tyto/derivative.hpp"

namespace tyto::optimize {

namespace {

using v1::einsum, v1::tensor;  // not the namespaces

const std::vector<std::string> passes{"algebra", "distribute", "fuse", "common_subexpressions"};

}  // namespace

BOOST_AUTO_TEST_CASE(the_hessian_of_a_symmetric_form_is_twice_its_matrix) {
  const Index i("i", 3), p = i.prime();
  const Expr x = tensor("x", {i});
  for (const bool is_symmetric : {true, false}) {
    const Expr h = is_symmetric ? tensor("H", {i, p}, Field::real, {.symmetric = {{i, p}}}) : tensor("H", {i, p});
    const Expr form = einsum({x, h, x({p})}, {});
    BOOST_TEST(optimized(hessian(form, x)).text() == (is_symmetric ? "2*H(i,i')" : "H(i,i') + H(i',i)"));
  }
}
BOOST_AUTO_TEST_CASE(two_orders_of_a_symmetric_form_are_one_product) {
  check_both(passed(passes,
                    "data H(i=3,i'; symmetric i i') a(i) b(i)\nF() = H(i,i')*a(i)*b(i')\nG() = "
                    "H(i,i')*b(i)*a(i')\nS() = 0.5*F() + 0.5*G()\noutput s = S\n"),
             "data H(i=3,i'; symmetric i i') a(i) b(i)\nF() = H(i,i')*a(i)*b(i')\noutput s = F\n");
}
BOOST_AUTO_TEST_CASE(without_a_declaration_or_with_other_operands_they_are_two) {
  for (const char* text :
       {"data H(i=3,i') a(i) b(i)\nF() = H(i,i')*a(i)*b(i')\nG() = H(i,i')*b(i)*a(i')\noutput f = F\noutput g = G\n",
        "data H(i=3,i'; symmetric i i') a(i) b(i) c(i)\nF() = H(i,i')*a(i)*b(i')\nG() = H(i,i')*c(i)*a(i')\noutput f = "
        "F\noutput g = G\n"}) {
    const Passed p = passed(passes, text);
    BOOST_TEST(p.after.outputs[0].node != p.after.outputs[1].node, p.text());
    check_values(p);
  }
}
BOOST_AUTO_TEST_CASE(two_pairs_of_axes_are_exchanged_together) {
  const Passed p = passed(passes,
                          "data H(i=3,i',k=2,k'; symmetric i i'; symmetric k k') a(i,k)\nF(i',k') = H(i,i',k,k')*a(i,k)\nG(i,k) = "
                          "H(i,i',k,k')*a(i',k')\noutput f = F\noutput g = G\n");
  BOOST_TEST(p.after.outputs[0].node == p.after.outputs[1].node, p.text());
  check_values(p);
}
BOOST_AUTO_TEST_CASE(three_axes_of_one_group_are_sorted) {
  const Passed p = passed(passes,
                          "data T(i=3,i',i''; symmetric i i' i'') a(i) B(i,r=2)\nF(i,r) = T(i,i',i'')*a(i')*B(i'',r)\nG(i,r) = "
                          "T(i'',i,i')*B(i',r)*a(i'')\noutput f = F\noutput g = G\n");
  BOOST_TEST(p.after.outputs[0].node == p.after.outputs[1].node, p.text());
  check_values(p);
}
BOOST_AUTO_TEST_CASE(the_conjugate_of_a_symmetric_tensor_is_symmetric) {
  const Passed p = passed(passes,
                          "complex input H(i=3,i'; symmetric i i') a(i)\nC(i,i') = conj(H(i,i'))\nF(i) = C(i,i')*a(i')\nG(i) = "
                          "C(i',i)*a(i')\noutput f = F\noutput g = G\n");
  BOOST_TEST(p.after.outputs[0].node == p.after.outputs[1].node, p.text());
}
BOOST_AUTO_TEST_CASE(a_chain_of_symmetric_operators_is_one_product_from_either_side) {
  // <psi| H |psi> of five sites: by the middle ones, H psi and its transpose are one.
  constexpr int sites = 5;
  std::vector<Expr> operands;
  Index bra("a0", 1), ket("b0", 1), bond("w0", 1);
  Expr middle;
  for (int site = 0; site < sites; ++site) {
    const std::string n = std::to_string(site + 1);
    const bool last = site + 1 == sites;
    const Index s("s" + n, 2), t("t" + n, 2), left("l" + n, last ? 1 : 3), right("r" + n, last ? 1 : 3),
        next("w" + n, last ? 1 : 4);
    const Expr psi = tensor("A" + n, {bra, s, left});
    if (site == sites / 2) middle = psi;
    operands.push_back(psi);
    operands.push_back(tensor("W" + n, {bond, s, t, next}, Field::real, {.symmetric = {{s, t}}}));
    operands.push_back(psi({ket, t, right}));
    bra = left, ket = right, bond = next;
  }
  const Expr energy = einsum(operands, {});
  const graph::Graph graph = simplify({energy.store(), {{"g", gradient(energy, middle).id()}}}).graph;
  const graph::Node& node = (*graph.store)[graph.outputs[0].node];
  const auto* sum = graph::as<graph::Combination>(node);
  BOOST_TEST_REQUIRE(sum != nullptr);
  BOOST_TEST(sum->coefficients == std::vector<double>{2}, print(graph));
}

}  // namespace tyto::optimize
