// Inverses in products: those that meet their matrix are gone, the others are solutions of systems.
#include "core/optimize/passed.hpp"

namespace tyto::optimize {

namespace {

const std::vector<std::string> passes{"algebra", "distribute", "fuse", "prune_identities", "structured_solve", "prune_inverses"};

template <class Operation>
std::size_t count(const graph::Graph& graph) {
  std::size_t found = 0;
  for (const graph::NodeId id : reachable(graph)) found += std::size_t{graph::is<Operation>((*graph.store)[id])};
  return found;
}

const std::string leaves =
    "unknown A(i=4,i') B(i,i') C(i,i') F(i,r=3) G(i,r)\ndata S(i,i'; symmetric i i')\nV(i,i') = inverse[i](A(i,i'))\nP(i,i'') = "
    "A(i,i')*B(i',i'')\nQ(i,i'') = inverse[i](P(i,i''))\n";

/// X of these lines becomes the node that is last named in `wanted`.
void check_becomes(const std::string& lines, const std::string& wanted) {
  const Passed p = passed(passes, leaves + lines + "output x = X\n");
  check(p, leaves + wanted);
  BOOST_TEST(count<graph::Inverse>(p.after) == 0U, p.text());
  check_values(p);
}

}  // namespace

// V(row, column) is the transposed inverse of A: sum[column] A(row,column) V(row',column) = I(row,row').
BOOST_AUTO_TEST_CASE(an_inverse_meeting_its_matrix_is_an_identity) {
  check_becomes("X(i,r) = V(i,i')*A(i'',i')*F(i'',r)\n", "output x = F\n");
  check_becomes("X(i',r) = V(i,i')*A(i,i'')*F(i'',r)\n", "output x = F\n");
  check_becomes("X(i,r) = V(i,i')*A(i,i')*F(i,r)\n", "output x = F\n");
  check_becomes("W(i,i') = 2*A(i,i')\nU(i,i') = inverse[i](W(i,i'))\nX(i',r) = U(i,i')*A(i,i'')*F(i'',r)\n",
                "X(i,r) = 0.5*F(i,r)\noutput x = X\n");
}
BOOST_AUTO_TEST_CASE(so_is_the_inverse_of_a_product_meeting_its_factors) {
  check_becomes("X(i,r) = Q(i',i)*A(i',i'')*B(i'',i''')*F(i''',r)\n", "output x = F\n");
  check_becomes("X(i,r) = Q(i,i')*A(i''',i'')*B(i'',i')*F(i''',r)\n", "output x = F\n");
}
BOOST_AUTO_TEST_CASE(a_trace_of_a_matrix_times_its_inverse_is_its_order) {
  const Passed p =
      passed(passes, leaves + "X(r) = V(i,i')*A(i,i')*F(i'',r)\nY(r) = F(i,r)\nZ(r) = 4*Y(r)\noutput x = X\noutput z = Z\n");
  BOOST_TEST(p.after.outputs[0].node == p.after.outputs[1].node, p.text());
}
BOOST_AUTO_TEST_CASE(two_inverses_in_one_chain_are_both_gone) {
  check_becomes("X(i,r) = Q(i',i)*A(i',a)*B(a,b)*V(c,b)*A(c,d)*F(d,r)\n", "output x = F\n");
}
BOOST_AUTO_TEST_CASE(a_factor_of_an_inverted_product_meets_its_own) {
  // inv(A B) A F = inv(B) F
  check_becomes("X(i,r) = Q(i',i)*A(i',i'')*F(i'',r)\n", "X(i',r) = solve[i](B(i,i'), F(i,r))\noutput x = X\n");
}
BOOST_AUTO_TEST_CASE(a_symmetric_matrix_meets_its_inverse_from_either_side) {
  check_becomes("U(i,i') = inverse[i](S(i,i'))\nX(i,r) = U(i,i')*S(i',i'')*F(i'',r)\n", "output x = F\n");
  check_becomes("U(i,i') = inverse[i](S(i,i'))\nX(i,r) = U(i,i')*S(i'',i')*F(i'',r)\n", "output x = F\n");
}
BOOST_AUTO_TEST_CASE(other_products_with_an_inverse_are_solutions) {
  check_becomes("X(i',r) = V(i,i')*F(i,r)\n", "X(i',r) = solve[i](A(i,i'), F(i,r))\noutput x = X\n");
  check_becomes("X(i,r) = V(i,i')*F(i',r)\n", "T(i,i') = A(i',i)\nX(i',r) = solve[i](T(i,i'), F(i,r))\noutput x = X\n");
  check_becomes("U(i,i') = inverse[i](S(i,i'))\nX(i',r) = U(i,i')*F(i,r)\n",
                "X(i',r) = solve_symmetric[i](S(i,i'), F(i,r))\noutput x = X\n");
}
BOOST_AUTO_TEST_CASE(a_mismatched_transposition_is_no_identity) {
  const Passed p = passed(passes, leaves + "X(i,r) = V(i,i')*A(i',i'')*F(i'',r)\noutput x = X\n");
  BOOST_TEST(count<graph::Solve>(p.after) == 1U, p.text());
  check_values(p);
}
BOOST_AUTO_TEST_CASE(what_is_summed_elsewhere_too_is_no_identity) {
  for (const char* line :
       {"X(i,i') = V(i,i')*A(i,i')\n", "X(i'',r) = V(i,i')*A(i,i'')*F(i,r)\n", "X(i,i'') = Q(i',i)*A(i',a)*B(a,i'')*C(a,i'')\n"}) {
    const Passed p = passed(passes, leaves + line + "output x = X\n");
    BOOST_TEST(count<graph::Inverse>(p.after) + count<graph::Solve>(p.after) == 1U, p.text());
    check_values(p);
  }
}
BOOST_AUTO_TEST_CASE(many_equal_factors_are_not_tried_in_every_order) {
  std::string powers;
  for (int k = 0; k < 30; ++k) powers += "*p()";
  const Passed p = passed(passes, leaves + "weights p()\nM(i,i') = A(i,i')" + powers +
                                      "\nN(i,i') = inverse[i](M(i,i'))\nX(r) = N(i,i')*A(i'',i')*F(i'',r)*G(i',r)" + powers +
                                      "\noutput x = X\n");
  BOOST_TEST(count<graph::Inverse>(p.after) + count<graph::Solve>(p.after) == 1U);
}
BOOST_AUTO_TEST_CASE(a_right_side_is_made_small_before_it_is_solved_for) {
  // inv(A) F (G' C): two systems of order 4 for 3 columns, not for 4.
  const Passed p = passed(passes, leaves + "X(i,i''') = V(i',i)*F(i',r)*G(i'',r)*C(i'',i''')\noutput x = X\n");
  BOOST_TEST(count<graph::Solve>(p.after) == 1U);
  for (const graph::NodeId id : reachable(p.after))
    if (graph::is<graph::Solve>((*p.after.store)[id])) BOOST_TEST(p.after.store->element_count(id) == 12);
  check_values(p);
}
BOOST_AUTO_TEST_CASE(an_inverse_that_many_products_share_is_made_once) {
  std::string text = leaves;
  for (const std::string name : {"W", "X", "Y", "Z"})
    text += "unknown M" + name + "(i,r)\n" + name + "(i',r) = V(i,i')*M" + name + "(i,r)\n";
  const Passed p = passed(passes, text + "output w = W\noutput x = X\noutput y = Y\noutput z = Z\n");
  BOOST_TEST(count<graph::Solve>(p.after) == 0U);
  BOOST_TEST(count<graph::Inverse>(p.after) == 1U);
  BOOST_TEST(p.log.near_misses().back() == "an inverse that many products share is made once");
}
BOOST_AUTO_TEST_CASE(the_inverse_of_a_kronecker_product_leaves_no_identity_behind) {
  // The Newton step of one CP factor: inv(I x G) applied to a gradient is a solution with G.
  const Passed p =
      passed(passes,
             "unknown B(j=4,r=3) C(k=5,r)\ndata M(i=6,r)\nH(i,r,i',r') = I(i,i')*B(j,r)*B(j,r')*C(k,r)*C(k,r')\nV(i,r,i',r') "
             "= inverse[i,r](H(i,r,i',r'))\nX(i,r) = V(i,r,i',r')*M(i',r')\noutput x = X\n");
  BOOST_TEST(count<graph::Solve>(p.after) == 1U);
  BOOST_TEST(count<graph::Identity>(p.after) == 0U, p.text());
  BOOST_TEST(count<graph::Inverse>(p.after) == 0U);
  check_values(p);
}

}  // namespace tyto::optimize
