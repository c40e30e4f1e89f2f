// Fusion and identities: repeated operands, diagonals, traces, ties between outputs, sums of ones.
#include "core/optimize/passed.hpp"

using namespace tyto;

BOOST_AUTO_TEST_CASE(an_operand_used_twice_is_opened_twice_with_labels_of_its_own) {
  const std::string leaves = "unknown A(i=3,r=2) B(j=4,r)\n";
  const Passed p = passed("fuse", leaves + "M(i,j) = A(i,r)*B(j,r)\nf() = M(i,j)*M(i,j)\noutput f = f\n");
  check_both(p, leaves + "f() = A(i,r)*B(j,r)*A(i,r')*B(j,r')\noutput f = f\n");
}
BOOST_AUTO_TEST_CASE(the_diagonal_of_a_product_is_fused) {
  const std::string leaves = "unknown A(i=3,r=2) B(r,j=3)\ndimension(q=5)\n";
  const Passed p = passed("fuse", leaves + "M(i,j) = A(i,r)*B(r,j)\nd(i) = M(i,i)\nt() = M(i,i)\noutput d = d\noutput t = t\n");
  check_both(p, leaves + "d(i) = A(i,r)*B(r,i)\nt() = A(i,r)*B(r,i)\noutput d = d\noutput t = t\n");
}
BOOST_AUTO_TEST_CASE(three_layers_and_a_scalar_factor_become_one_product) {
  const std::string leaves = "unknown A(i=3,j=2) B(j,k=4) C(k,l=2) v(i)\n";
  const Passed p = passed(
      "fuse", leaves + "P(i,k) = A(i,j)*B(j,k)\nS(i,k) = 0.5*P(i,k)\nQ(i,l) = S(i,k)*C(k,l)\nf(l) = Q(i,l)*v(i)\noutput f = f\n");
  check_both(p, leaves + "F(l) = A(i,j)*B(j,k)*C(k,l)*v(i)\nf(l) = 0.5*F(l)\noutput f = f\n");
}
BOOST_AUTO_TEST_CASE(a_sum_and_another_pair_of_operations_are_not_opened) {
  const std::string text =
      "unknown A(i=3,j=2) B(i,j) v(j)\nS(i,j) = A(i,j) + B(i,j)\nP(i) = S(i,j)*v(j)\nM(i) = min,sum: A(i,j)*v(j)\nQ() = "
      "M(i)*P(i)\noutput q = Q\n";
  const Passed p = passed("fuse", text);
  check_both(p,
             "unknown A(i=3,j=2) B(i,j) v(j)\nS(i,j) = A(i,j) + B(i,j)\nM(i) = min,sum: A(i,j)*v(j)\nQ() = "
             "M(i)*S(i,j)*v(j)\noutput q = Q\n");
}

BOOST_AUTO_TEST_CASE(a_trace_of_an_identity_is_its_extent) {
  check_both(passed("prune_identities", "unknown A(i=3,j=4)\nT(i,j) = I(j',j')*A(i,j)\nn() = I(i,i)\noutput t = T\noutput n = n\n"),
             "unknown A(i=3,j=4)\nT(i,j) = 4*A(i,j)\nn() = fill(3)\noutput t = T\noutput n = n\n");
}
BOOST_AUTO_TEST_CASE(an_identity_twice_is_once) {
  check_both(
      passed(
          "prune_identities",
          "dimension(i=5)\nunknown v(j=3)\nT(i,i',j) = I(i,i')*I(i',i)*v(j)\nn() = I(i,i')*I(i,i')\noutput t = T\noutput n = n\n"),
      "dimension(i=5)\nunknown v(j=3)\nT(i,i',j) = I(i,i')*v(j)\nn() = fill(5)\noutput t = T\noutput n = n\n");
}
BOOST_AUTO_TEST_CASE(a_chain_of_identities_vanishes) {
  check_both(
      passed("prune_identities", "unknown A(i=3,j=3)\nT(i,j') = A(i,j'')*A(i',j)*I(j'',i')*I(j,j''')*I(j''',j')\noutput t = T\n"),
      "unknown A(i=3,j=3)\nT(i,j) = A(i,j')*A(j',j)\noutput t = T\n");
}
BOOST_AUTO_TEST_CASE(identities_that_tie_two_outputs_stay) {
  const Passed p = passed("prune_identities",
                          "dimension(j=2)\nunknown A(i=3,r=2)\nT(i,i',r,j,j') = I(i,i')*A(i,r)*I(j,j')\nU(i,i') = I(i,i')\noutput "
                          "t = T\noutput u = U\n");
  BOOST_TEST(p.is_unchanged());
  check_values(p);
}
BOOST_AUTO_TEST_CASE(a_tie_between_a_sum_and_an_output_renames) {
  check_both(
      passed(
          "prune_identities",
          "unknown A(i=3,r=2) v(i)\nT(i,r) = I(i',i)*A(i',r)*v(i')\nd(i) = I(i,i')*A(i,r)*A(i',r)\noutput t = T\noutput d = d\n"),
      "unknown A(i=3,r=2) v(i)\nT(i,r) = A(i,r)*v(i)\nd(i) = A(i,r)*A(i,r)\noutput t = T\noutput d = d\n");
}
BOOST_AUTO_TEST_CASE(sums_of_ones_are_extents_and_a_summed_identity_is_ones) {
  check_both(passed("prune_identities",
                    "dimension(i=5,j=3)\nunknown v(k=2)\nF(i,j) = fill(2; i,j)\nT(k,i) = F(i,j)*v(k)\nU(i,k) = "
                    "I(i,i')*v(k)\noutput t = T\noutput u = U\n"),
             "dimension(i=5,j=3)\nunknown v(k=2)\nO(i) = fill(1; i)\nW(k,i) = O(i)*v(k)\nT(k,i) = 6*W(k,i)\nU(i,k) = "
             "v(k)*O(i)\noutput t = T\noutput u = U\n");
}

BOOST_AUTO_TEST_CASE(squares_of_squares_are_formed_once_each) {
  std::string text = "dimension(k=6)\nunknown T0(i=6,j=6)\n";
  for (int n = 1; n <= 20; ++n) text += fmt::format("T{0}(i,j) = T{1}(i,k)*T{1}(k,j)\n", n, n - 1);
  const Passed p = passed("fuse", text + "output f = T20\n");
  BOOST_TEST(p.is_unchanged());
}
BOOST_AUTO_TEST_CASE(products_that_contain_each_other_do_not_grow_without_bound) {
  std::string text = "dimension(k=6)\nunknown T0(i=6,j=6) T1(i,j)\n";
  for (int n = 2; n <= 24; ++n) text += fmt::format("T{}(i,j) = T{}(i,k)*T{}(k,j)\n", n, n - 2, n - 1);
  const Passed p = passed("fuse", text + "output f = T24\n");
  std::size_t largest = 0;
  for (const graph::NodeId id : reachable(p.after)) largest = std::max(largest, (*p.after.store)[id].operands.size());
  BOOST_TEST(largest < 64U);
}
