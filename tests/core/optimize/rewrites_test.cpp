// What the passes together make of small formulas: sums inside products, products of products, identities, orthonormal tensors,
// numbers, inverses of Kronecker products, equal and transposed products.
#include "core/optimize/passed.hpp"
#include "core/optimize/same_form.hpp"

using namespace tyto;

namespace {

/// After all passes that keep closed forms. Factoring, which chooses by extents, is off.
Passed simplified(const std::string& text) {
  Passed p{graph::parse(text), {}, {}};
  p.after = optimize::simplify(p.before, {}, {"factor"}).graph;
  return p;
}
void check_form(const Passed& p, const std::string& wanted) {
  BOOST_TEST(test::has_form(p.after, wanted), p.text() << "instead of\n" << wanted);
  check_values(p);
}
/// Leaves, then what is given, then what is wanted; an output is named like the node that it shows.
void check_form(const std::string& leaves, const std::string& given, const std::string& wanted) {
  check_form(simplified(leaves + given), leaves + wanted);
}
std::string with_sign(std::string text, const char* sign) {
  for (std::size_t at = 0; (at = text.find('~')) != std::string::npos;) text.replace(at, 1, sign);
  return text;
}
/// The same with a sum and with a difference in the places of ~.
void check_both_signs(const std::string& leaves, const std::string& given, const std::string& wanted) {
  for (const char* sign : {"+", "-"}) check_form(leaves, with_sign(given, sign), with_sign(wanted, sign));
}

/// A and B are products of thin matrices, which cost less to multiply one after the other than to add.
const std::string thin =
    "unknown u(i=30,r=2) v(j=20,r) w(i,r) z(j,r) C(j,k=2) D(k,j) G(k,l=2) x(k) y(k)\n"
    "A(i,j) = u(i,r)*v(j,r)\nB(i,j) = w(i,r)*z(j,r)\n";

std::size_t inverted(const Passed& p, std::int64_t order) {
  std::size_t count = 0;
  for (const graph::NodeId id : reachable(p.after))
    if (const auto* inverse = graph::as<graph::Inverse>((*p.after.store)[id]); inverse != nullptr) {
      const graph::Node& node = (*p.after.store)[id];
      std::int64_t rows = 1;
      for (std::int32_t axis = 0; axis < inverse->rows; ++axis)
        rows *= p.after.store->extent(node.shape[static_cast<std::size_t>(inverse->batch + axis)]);
      count += rows == order ? 1 : 0;
    }
  return count;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rewrites)

BOOST_AUTO_TEST_CASE(a_sum_on_the_left_is_multiplied_out) {
  check_both_signs(thin, "S(i,j) = A(i,j) ~ B(i,j)\nP(i,k) = S(i,j)*C(j,k)\noutput p = P\n",
                   "S(i,k) = u(i,r)*v(j,r)*C(j,k)\nT(i,k) = w(i,r)*z(j,r)*C(j,k)\nP(i,k) = S(i,k) ~ T(i,k)\noutput p = P\n");
}
BOOST_AUTO_TEST_CASE(a_sum_on_the_right_is_multiplied_out) {
  check_both_signs(thin, "S(i,j) = A(i,j) ~ B(i,j)\nP(k,i) = D(k,j)*S(i,j)\noutput p = P\n",
                   "S(k,i) = u(i,r)*v(j,r)*D(k,j)\nT(k,i) = w(i,r)*z(j,r)*D(k,j)\nP(k,i) = S(k,i) ~ T(k,i)\noutput p = P\n");
}
BOOST_AUTO_TEST_CASE(a_sum_of_two_products_with_sums_is_one_sum) {
  check_both_signs(thin,
                   "S(i,j) = A(i,j) ~ B(i,j)\nP(i,k) = S(i,j)*C(j,k)\nQ(i,k) = S(i,j)*D(k,j)\nR(i,k) = P(i,k) ~ Q(i,k)\n"
                   "output r = R\n",
                   "P(i,k) = u(i,r)*v(j,r)*C(j,k)\nQ(i,k) = w(i,r)*z(j,r)*C(j,k)\nS(i,k) = u(i,r)*v(j,r)*D(k,j)\n"
                   "T(i,k) = w(i,r)*z(j,r)*D(k,j)\nU(i,k) = P(i,k) ~ Q(i,k) ~ S(i,k) + T(i,k)\noutput r = U\n");
}
BOOST_AUTO_TEST_CASE(two_sums_give_four_terms) {
  check_both_signs(
      "unknown u(i=40,r=1) v(j=40,r) w(i,r) z(j,r) a(j,r) b(k=40,r) c(j,r) d(k,r) x(k) y(i)\n"
      "A(i,j) = u(i,r)*v(j,r)\nB(i,j) = w(i,r)*z(j,r)\nE(j,k) = a(j,r)*b(k,r)\nF(j,k) = c(j,r)*d(k,r)\n",
      "S(i,j) = A(i,j) ~ B(i,j)\nT(j,k) = E(j,k) ~ F(j,k)\nP() = S(i,j)*T(j,k)*x(k)*y(i)\noutput p = P\n",
      "P() = u(i,r)*v(j,r)*a(j,r')*b(k,r')*x(k)*y(i)\nQ() = u(i,r)*v(j,r)*c(j,r')*d(k,r')*x(k)*y(i)\n"
      "R() = w(i,r)*z(j,r)*a(j,r')*b(k,r')*x(k)*y(i)\nV() = w(i,r)*z(j,r)*c(j,r')*d(k,r')*x(k)*y(i)\n"
      "M() = P() ~ Q() ~ R() + V()\noutput p = M\n");
}
BOOST_AUTO_TEST_CASE(a_sum_in_the_middle_under_a_diagonal_is_multiplied_out) {
  check_both_signs(
      "unknown u(i=30,r=2) v(k=20,r) w(i,r) z(k,r) C(j=2,i) D(l=2,k,k)\nA(i,k) = u(i,r)*v(k,r)\nB(i,k) = w(i,r)*z(k,r)\n",
      "S(i,k) = A(i,k) ~ B(i,k)\nP(j,l) = C(j,i)*S(i,k)*D(l,k,k)\noutput p = P\n",
      "S(j,l) = C(j,i)*u(i,r)*v(k,r)*D(l,k,k)\nT(j,l) = C(j,i)*w(i,r)*z(k,r)*D(l,k,k)\nP(j,l) = S(j,l) ~ T(j,l)\n"
      "output p = P\n");
}
BOOST_AUTO_TEST_CASE(a_sum_two_layers_down_is_multiplied_out) {
  check_both_signs(thin, "S(i,j) = A(i,j) ~ B(i,j)\nP(i,k) = S(i,j)*C(j,k)\nQ(i,l) = P(i,k)*G(k,l)\noutput q = Q\n",
                   "S(i,l) = u(i,r)*v(j,r)*C(j,k)*G(k,l)\nT(i,l) = w(i,r)*z(j,r)*C(j,k)*G(k,l)\nP(i,l) = S(i,l) ~ T(i,l)\n"
                   "output q = P\n");
}
BOOST_AUTO_TEST_CASE(a_sum_in_a_sum_is_multiplied_out) {
  check_both_signs(thin + "E(i,j) = u(i,r)*z(j,r)\n",
                   "S(i,j) = A(i,j) ~ B(i,j)\nT(i,j) = S(i,j) ~ E(i,j)\nP(i,k) = T(i,j)*C(j,k)\noutput p = P\n",
                   "S(i,k) = u(i,r)*v(j,r)*C(j,k)\nT(i,k) = w(i,r)*z(j,r)*C(j,k)\nU(i,k) = u(i,r)*z(j,r)*C(j,k)\n"
                   "P(i,k) = S(i,k) ~ T(i,k) ~ U(i,k)\noutput p = P\n");
}
BOOST_AUTO_TEST_CASE(a_square_of_a_sum_has_its_mixed_term_twice) {
  check_both_signs(thin, "S(i,j) = A(i,j) ~ B(i,j)\nP() = S(i,j)*S(i,j)\noutput p = P\n",
                   "P() = u(i,r)*v(j,r)*u(i,r')*v(j,r')\nQ() = u(i,r)*v(j,r)*w(i,r')*z(j,r')\nR() = w(i,r)*z(j,r)*w(i,r')*z(j,r')\n"
                   "T() = P() ~ 2*Q() + R()\noutput p = T\n");
}
BOOST_AUTO_TEST_CASE(a_sum_that_costs_less_than_its_terms_stays) {
  const std::string text = "unknown A(i=5,j=6) B(i,j) C(j,k=7)\nS(i,j) = A(i,j) + B(i,j)\nP(i,k) = S(i,j)*C(j,k)\noutput p = P\n";
  check_form(simplified(text), text);
}

BOOST_AUTO_TEST_CASE(two_layers_are_one_product) {
  check_form("unknown A(i=3,j=4) B(j,k=5) C(k,l=2)\n", "P(i,k) = A(i,j)*B(j,k)\nQ(i,l) = P(i,k)*C(k,l)\noutput q = Q\n",
             "Q(i,l) = A(i,j)*B(j,k)*C(k,l)\noutput q = Q\n");
}
BOOST_AUTO_TEST_CASE(a_product_used_twice_is_opened_at_each_place_where_that_costs_less) {
  const std::string given = "P(i,k) = A(i,j)*B(j,k)\nQ(i,i') = P(i,k)*P(i',k)\noutput q = Q\n";
  check_form("unknown A(i=30,j=2) B(j,k=30)\n", given, "Q(i,i') = A(i,j)*B(j,k)*A(i',j')*B(j',k)\noutput q = Q\n");
  check_form("unknown A(i=3,j=4) B(j,k=5)\n", given, given);
}
BOOST_AUTO_TEST_CASE(a_diamond_of_products_is_one) {
  check_form("unknown A(i=30,j=2) B(j,k=30) C(k,l=2) D(l,k)\n",
             "P(i,k) = A(i,j)*B(j,k)\nL(i,l) = P(i,k)*C(k,l)\nR(l,i) = D(l,k)*P(i,k)\nQ(l,l') = L(i,l)*R(l',i)\noutput q = Q\n",
             "Q(l,l') = A(i,j)*B(j,k)*C(k,l)*D(l',k')*A(i,j')*B(j',k')\noutput q = Q\n");
}
BOOST_AUTO_TEST_CASE(identities_inside_layers_vanish_with_them) {
  check_form("unknown A(i=3,j=4) B(j,k=5)\n", "P(i,j') = A(i,j)*I(j,j')\nQ(i,k) = P(i,j)*B(j,k)\noutput q = Q\n",
             "Q(i,k) = A(i,j)*B(j,k)\noutput q = Q\n");
}
BOOST_AUTO_TEST_CASE(layers_of_identities_are_one_identity) {
  check_form("dimension(i=3)\n", "P(i,i') = I(i,i'')*I(i'',i')\nQ(i,i') = P(i,i'')*I(i'',i')\noutput q = Q\n",
             "Q(i,i') = I(i,i')\noutput q = Q\n");
}
BOOST_AUTO_TEST_CASE(products_of_sums_of_products_are_sums_of_products) {
  const std::string leaves = "unknown u(i=30,r=2) v(j=30,r) w(i,r) z(j,r) a(j,r) b(k=30,r) c(j,r) d(k,r) x(k,n=2)\n";
  check_form(leaves,
             "A(i,j) = u(i,r)*v(j,r)\nB(i,j) = w(i,r)*z(j,r)\nE(j,k) = a(j,r)*b(k,r)\nF(j,k) = c(j,r)*d(k,r)\n"
             "S(i,j) = A(i,j) + B(i,j)\nT(j,k) = E(j,k) + F(j,k)\nP(i,n) = S(i,j)*T(j,k)*x(k,n)\noutput p = P\n",
             "P(i,n) = u(i,r)*v(j,r)*a(j,r')*b(k,r')*x(k,n)\nQ(i,n) = u(i,r)*v(j,r)*c(j,r')*d(k,r')*x(k,n)\n"
             "R(i,n) = w(i,r)*z(j,r)*a(j,r')*b(k,r')*x(k,n)\nV(i,n) = w(i,r)*z(j,r)*c(j,r')*d(k,r')*x(k,n)\n"
             "M(i,n) = P(i,n) + Q(i,n) + R(i,n) + V(i,n)\noutput p = M\n");
}
BOOST_AUTO_TEST_CASE(a_product_under_two_terms_of_a_sum_stays_two_products) {
  check_form("unknown A(i=3,j=4) B(j,k=5) C(k,l=2) D(k,l)\n",
             "P(i,k) = A(i,j)*B(j,k)\nQ(i,l) = P(i,k)*C(k,l)\nR(i,l) = P(i,k)*D(k,l)\nS(i,l) = Q(i,l) - 2*R(i,l)\noutput s = S\n",
             "Q(i,l) = A(i,j)*B(j,k)*C(k,l)\nR(i,l) = A(i,j)*B(j,k)*D(k,l)\nS(i,l) = Q(i,l) - 2*R(i,l)\noutput s = S\n");
}

BOOST_AUTO_TEST_CASE(of_three_identities_the_one_between_outputs_stays) {
  check_form("dimension(d=2)\nunknown A(a=3,b=4)\n", "T(a,b,d,d') = A(a,b')*I(b',b)*I(d,d'')*I(d'',d')\noutput t = T\n",
             "T(a,b,d,d') = A(a,b)*I(d,d')\noutput t = T\n");
}
BOOST_AUTO_TEST_CASE(a_tensor_times_identities_is_the_tensor_itself) {
  const Passed p = simplified("unknown A(i=3,j=3)\nP(i,j') = A(i,j)*I(j,j')\nQ(i,j') = P(i,j)*I(j,j')\noutput q = Q\n");
  BOOST_TEST(graph::is<graph::Leaf>((*p.after.store)[p.after.outputs[0].node]), p.text());
  const graph::Graph steps = optimize::optimize(p.before).graph;
  BOOST_TEST(graph::is<graph::Leaf>((*steps.store)[steps.outputs[0].node]));
}
BOOST_AUTO_TEST_CASE(numbers_leave_products) {
  check_form("unknown A(i=3,j=4) B(j,k=2)\n", "P(i,k) = fill(2)*A(i,j)*fill(0.5)*B(j,k)\noutput p = P\n",
             "P(i,k) = A(i,j)*B(j,k)\noutput p = P\n");
  check_form("unknown A(i=3,j=4)\n", "P(i,j) = fill(3)*A(i,j)\noutput p = P\n", "P(i,j) = 3*A(i,j)\noutput p = P\n");
}
BOOST_AUTO_TEST_CASE(two_orthonormal_pairs_are_two_identities) {
  const Passed p = simplified(
      "unknown Q(i=5,r=3; orthonormal r) R(j=4,s=2; orthonormal s)\n"
      "T(r,r',s,s') = Q(i,r)*Q(i,r')*R(j,s)*R(j,s')\noutput t = T\n");
  BOOST_TEST(test::has_form(p.after, "dimension(r=3,s=2)\nT(r,r',s,s') = I(r,r')*I(s,s')\noutput t = T\n"), p.text());
}
BOOST_AUTO_TEST_CASE(orthonormal_pairs_inside_a_chain_leave_the_rest) {
  const std::string leaves = "unknown Q(i=5,r=3; orthonormal r) A(k=2,r) B(r,s=2) C(s,l=4) D(l,k)\n";
  const Passed p = simplified(leaves + "T(k,k') = A(k,r)*Q(i,r)*Q(i,r')*B(r',s)*C(s,l)*D(l,k')\noutput t = T\n");
  BOOST_TEST(test::has_form(p.after, leaves + "T(k,k') = A(k,r)*B(r,s)*C(s,l)*D(l,k')\noutput t = T\n"), p.text());
}
BOOST_AUTO_TEST_CASE(an_orthonormal_tensor_three_times_on_one_label_stays) {
  const std::string text = "unknown Q(i=5,r=3; orthonormal r)\nT(r,r',r'') = Q(i,r)*Q(i,r')*Q(i,r'')\noutput t = T\n";
  const Passed p = simplified(text);
  BOOST_TEST(test::has_form(p.after, text), p.text());
}
BOOST_AUTO_TEST_CASE(equal_terms_are_merged_wherever_they_come_from) {
  const std::string leaves = "unknown A(i=3,j=4) B(j,k=2) D(i,k)\n";
  check_form(leaves, "S(i,j) = A(i,j) + A(i,j)\noutput s = S\n", "S(i,j) = 2*A(i,j)\noutput s = S\n");
  check_form(leaves, "C(i,k) = A(i,j)*B(j,k)\nE(i,k) = B(j,k)*A(i,j)\nS(i,k) = C(i,k) + E(i,k)\noutput s = S\n",
             "C(i,k) = A(i,j)*B(j,k)\nS(i,k) = 2*C(i,k)\noutput s = S\n");
  check_form(leaves, "C(i,k) = A(i,j)*B(j,k)\nS(i,k) = D(i,k) + C(i,k) + C(i,k)\noutput s = S\n",
             "C(i,k) = A(i,j)*B(j,k)\nS(i,k) = D(i,k) + 2*C(i,k)\noutput s = S\n");
}

BOOST_AUTO_TEST_CASE(products_are_one_node_whatever_order_an_identity_stands_in) {
  const Passed p = simplified(
      "dimension(k=2)\nunknown A(i=3,j=4) v(j)\nP(i,k,k') = A(i,j)*I(k,k')*v(j)\nQ(i,k,k') = v(j)*I(k',k)*A(i,j)\noutput p = "
      "P\noutput q "
      "= Q\n");
  BOOST_TEST(p.after.outputs[0].node == p.after.outputs[1].node, p.text());
  check_values(p);
}
BOOST_AUTO_TEST_CASE(products_that_are_no_transposes_of_each_other_stay_apart) {
  for (const std::string other :
       {"Q(i,k) = A(i,j)*C(j,k)", "Q(i,j) = A(i,j)*v(j)", "Q(i,k) = A(i,j)*B(j,k)*v(j)", "Q() = A(i,j)*B(j,k)*D(i,k)",
        "Q(i,k) = A(i,j)*B(j',k)*v(j)*v(j')", "Q(i,k) = A(i,j)*B(j,k)*fill(3)"}) {
    const Passed p = simplified("unknown A(i=3,j=4) B(j,k=2) C(j,k) D(i,k) v(j)\nP(i,k) = A(i,j)*B(j,k)\n" + other +
                                "\noutput p = P\noutput q = Q\n");
    BOOST_TEST(p.after.outputs[0].node != p.after.outputs[1].node, other);
    check_values(p);
  }
}
BOOST_AUTO_TEST_CASE(transposes_through_three_levels_are_one_product) {
  const Passed p = simplified(
      "unknown A(i=3,j=4,k=2) v(k)\nP(i,j) = A(i,j,k)*v(k)\nT(k,j,i) = A(i,j,k)\nU(j,k,i) = T(k,j,i)\nV(i,k,j) = U(j,k,i)\n"
      "Q(j,i) = V(i,k,j)*v(k)\nR(i,j) = Q(j,i)\noutput p = P\noutput r = R\n");
  BOOST_TEST(p.after.outputs[0].node == p.after.outputs[1].node, p.text());
  check_values(p);
}
BOOST_AUTO_TEST_CASE(two_routes_of_transposes_meet) {
  const Passed p = simplified(
      "unknown A(i=3,j=4) B(j,k=2)\nP(k,i) = A(i,j)*B(j,k)\nS(j,i) = A(i,j)\nT(k,j) = B(j,k)\nQ(i,k) = T(k,j)*S(j,i)\n"
      "R(k,i) = Q(i,k)\noutput p = P\noutput r = R\n");
  BOOST_TEST(p.after.outputs[0].node == p.after.outputs[1].node, p.text());
  check_values(p);
}

BOOST_AUTO_TEST_CASE(an_inverse_of_a_kronecker_product_of_two) {
  const Passed p = simplified(
      "unknown E(a=2,b=2) F(c=3,d=3)\nK(a,c,b,d) = E(a,b)*F(c,d)\nT(a,c,b,d) = inverse[a,c](K(a,c,b,d))\noutput t = T\n");
  BOOST_TEST(inverted(p, 2) == 1U);
  BOOST_TEST(inverted(p, 3) == 1U);
  BOOST_TEST(inverted(p, 6) == 0U);
  check_values(p);
}
BOOST_AUTO_TEST_CASE(an_inverse_of_a_kronecker_product_of_one_with_itself_inverts_once) {
  const Passed p = simplified(
      "unknown E(a=3,b=3)\ndimension(c=3,d=3)\nK(a,c,b,d) = E(a,b)*E(c,d)\nT(a,c,b,d) = inverse[a,c](K(a,c,b,d))\noutput t = T\n");
  BOOST_TEST(inverted(p, 3) == 1U, p.text());
  BOOST_TEST(inverted(p, 9) == 0U);
  check_values(p);
}
BOOST_AUTO_TEST_CASE(an_inverse_of_a_kronecker_product_of_products) {
  const Passed p = simplified(
      "unknown A(a=2,x=2) B(x,b=2) C(c=3,y=3) D(y,d=3)\nK(a,c,b,d) = A(a,x)*B(x,b)*C(c,y)*D(y,d)\n"
      "T(a,c,b,d) = inverse[a,c](K(a,c,b,d))\noutput t = T\n");
  BOOST_TEST(inverted(p, 6) == 0U, p.text());
  check_values(p);
}
BOOST_AUTO_TEST_CASE(an_inverse_of_a_kronecker_product_of_blocks_with_two_rows_each) {
  const Passed p = simplified(
      "unknown E(a=2,c=3,e=2,g=3) F(d=2,b=2,h=2,f=2)\nK(a,b,c,d,e,f,g,h) = E(a,c,e,g)*F(d,b,h,f)\n"
      "T(a,b,c,d,e,f,g,h) = inverse[a,b,c,d](K(a,b,c,d,e,f,g,h))\noutput t = T\n");
  BOOST_TEST(inverted(p, 6) == 1U, p.text());
  BOOST_TEST(inverted(p, 4) == 1U, p.text());
  BOOST_TEST(inverted(p, 24) == 0U);
  check_values(p);
}
BOOST_AUTO_TEST_CASE(an_inverse_of_parts_that_are_not_square_stays_whole) {
  const Passed p = simplified(
      "unknown E(a=2,b=3) F(c=3,d=2)\nK(a,c,b,d) = E(a,b)*F(c,d)\nT(a,c,b,d) = inverse[a,c](K(a,c,b,d))\noutput t = T\n");
  BOOST_TEST(inverted(p, 6) == 1U, p.text());
}
BOOST_AUTO_TEST_CASE(an_inverse_with_more_rows_than_columns_stays_whole) {
  const Passed p = simplified("unknown E(a=2,c=3,b=6)\nT(a,c,b) = inverse[a,c](E(a,c,b))\noutput t = T\n");
  BOOST_TEST(inverted(p, 6) == 1U, p.text());
  check_values(p);
}
BOOST_AUTO_TEST_CASE(an_inverse_of_an_identity_is_an_identity) {
  const Passed p =
      simplified("unknown A(i=3,j=3)\nE(j,j') = I(j,j')\nV(j,j') = inverse[j](E(j,j'))\nP(i,j') = A(i,j)*V(j,j')\noutput p = P\n");
  BOOST_TEST(inverted(p, 3) == 0U, p.text());
  check_values(p);
}

BOOST_AUTO_TEST_CASE(a_product_without_an_inverse_stays) {
  const std::string text = "unknown A(i=3,j=3) B(j,k=3)\nP(i,k) = A(i,j)*B(j,k)\nQ(i,j) = P(i,k)*B(j,k)\noutput q = Q\n";
  for (const std::string pass : {"structured_solve", "prune_inverses"}) BOOST_TEST(passed(pass, text).is_unchanged());
}

BOOST_AUTO_TEST_CASE(a_four_index_transform_ends_in_steps_of_two) {
  const std::string text =
      "data X(i=6,j=6,k=6,l=6)\nunknown A(i,a=4) B(j,b=4) C(k,c=4) D(l,d=4)\nT(a,b,c,d) = X(i,j,k,l)*A(i,a)*B(j,b)*C(k,c)*D(l,d)\n"
      "output t = T\n";
  Passed p{graph::parse(text), {}, {}};
  p.after = optimize::optimize(p.before).graph;
  std::size_t products = 0;
  for (const graph::NodeId id : reachable(p.after)) {
    const graph::Node& node = (*p.after.store)[id];
    if (!graph::is<graph::Einsum>(node) || node.operands.size() < 2) continue;
    BOOST_TEST(node.operands.size() == 2U);
    ++products;
  }
  BOOST_TEST(products == 4U);
  check_values(p);
}

BOOST_AUTO_TEST_SUITE_END()
