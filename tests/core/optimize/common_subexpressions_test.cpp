// Equal products are one node, however they are written.
#include "core/optimize/passed.hpp"

using namespace tyto;

namespace {

bool all_are_one(const Passed& p) {
  for (const graph::Output& output : p.after.outputs)
    if (output.node != p.after.outputs[0].node) return false;
  return true;
}

}  // namespace

BOOST_AUTO_TEST_CASE(order_of_factors_and_names_of_labels_do_not_matter) {
  const Passed p = passed("common_subexpressions",
                          "unknown A(i=3,r=2) B(j=4,r) C(j,r)\nP(i,r) = A(i,r')*B(j,r')*C(j,r)\nQ(i,r'') = "
                          "C(j,r'')*A(i,r)*B(j,r)\noutput p = P\noutput q = Q\n");
  BOOST_TEST(all_are_one(p), p.text());
  BOOST_TEST(p.log.rewrites() == std::vector<std::string>{"a product computed before serves again"},
             boost::test_tools::per_element());
  check_values(p);
}
BOOST_AUTO_TEST_CASE(a_transposed_product_is_a_view_of_the_first) {
  const Passed p =
      passed("common_subexpressions",
             "unknown A(i=3,r=2) B(j=4,r)\nP(i,j) = A(i,r)*B(j,r)\nQ(j,i) = A(i,r)*B(j,r)\noutput p = P\noutput q = Q\n");
  BOOST_TEST(!all_are_one(p));
  const graph::Node& second = (*p.after.store)[p.after.outputs[1].node];
  BOOST_TEST_REQUIRE(second.operands.size() == 1U);
  BOOST_TEST(second.operands[0] == p.after.outputs[0].node);
  check_values(p);
}
BOOST_AUTO_TEST_CASE(the_gram_of_a_factor_is_one_however_it_is_written) {
  const Passed p = passed("common_subexpressions",
                          "unknown A(i=3,r=2)\nG(r,r') = A(i,r)*A(i,r')\nH(r',r) = A(i,r)*A(i,r')\nK(r,r') = "
                          "A(i',r')*A(i',r)\noutput g = G\noutput h = H\noutput k = K\n");
  BOOST_TEST(all_are_one(p), p.text());
  check_values(p);
}
BOOST_AUTO_TEST_CASE(products_of_transposed_views_are_those_of_the_node_itself) {
  const Passed p = passed(
      "common_subexpressions",
      "unknown A(i=3,j=4) B(j,k=2)\nT(j,i) = A(i,j)\nP(i,k) = T(j,i)*B(j,k)\nQ(i,k) = A(i,j)*B(j,k)\noutput p = P\noutput q = Q\n");
  BOOST_TEST(all_are_one(p), p.text());
  check_values(p);
}
BOOST_AUTO_TEST_CASE(equal_operands_in_other_places_are_told_apart) {
  const Passed p = passed("common_subexpressions",
                          "unknown A(i=3,j=3)\nP(i,j) = A(i,i')*A(i',j)\nQ(i,j) = A(i',i)*A(j,i')\nR(i,j) = "
                          "A(i,i')*A(j,i')\noutput p = P\noutput q = Q\noutput r = R\n");
  BOOST_TEST(p.after.outputs[0].node != p.after.outputs[2].node);
  check_values(p);
}
BOOST_AUTO_TEST_CASE(long_products_of_one_factor_are_recognized) {
  const Passed p = passed("common_subexpressions",
                          "unknown A(i=3,r=2) B(j=2,r)\nP(r,r') = A(i,r)*A(i,r')*B(j,r)*B(j,r')*A(i',r)*A(i',r')\nQ(r',r) = "
                          "B(j,r')*A(i,r')*B(j,r)*A(i',r')*A(i',r)*A(i,r)\noutput p = P\noutput q = Q\n");
  BOOST_TEST(all_are_one(p), p.text());
  check_values(p);
}
