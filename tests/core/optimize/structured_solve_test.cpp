// Systems that fall apart into small ones, compared in numbers with the system as a whole.
#include "core/optimize/passed.hpp"

using namespace tyto;

namespace {

/// Orders of the systems that are solved, largest first.
std::vector<std::int64_t> orders(const graph::Graph& graph) {
  std::vector<std::int64_t> result;
  for (const graph::NodeId id : reachable(graph)) {
    const graph::Node& node = (*graph.store)[id];
    const auto* solve = graph::as<graph::Solve>(node);
    if (solve == nullptr) continue;
    std::int64_t order = 1;
    for (std::int32_t m = 0; m < solve->rows; ++m)
      order *= graph.store->extent((*graph.store)[node.operands[0]].shape[static_cast<std::size_t>(solve->batch + m)]);
    result.push_back(order);
  }
  std::sort(result.rbegin(), result.rend());
  return result;
}

/// SPD matrices named G, H, K over r, s, t: B'B + 2 I.
std::string spd(const std::string& name, const std::string& axis) {
  return fmt::format(
      "P{0}({1},{1}') = F{0}(w,{1})*F{0}(w,{1}')\nE{0}({1},{1}') = I({1},{1}')\n{0}({1},{1}') = P{0}({1},{1}') + "
      "2*E{0}({1},{1}')\n",
      name, axis);
}
const std::string leaves =
    "dimension(w=4)\nunknown FG(w,r=3) FH(w,s=4) FK(w,t=2)\nweights p1(i=5) p2(r) p3(i,j=2) p4()\ndata M(i,r) N(i,r,s) O(r,s,t) "
    "Q(r,s,i) Y(i,j) Z(r,s)\n";
std::string with_matrices(const std::string& text) { return leaves + spd("G", "r") + spd("H", "s") + spd("K", "t") + text; }

void check_orders(const std::string& text, const std::vector<std::int64_t>& wanted) {
  for (const std::string kind : {"solve", "solve+"}) {
    std::string with_kind = text;
    with_kind.replace(with_kind.find("SOLVE"), 5, kind);
    const Passed p = passed("structured_solve", with_matrices(with_kind));
    BOOST_TEST(orders(p.after) == wanted, boost::test_tools::per_element());
    BOOST_TEST(p.log.rewrites().size() == 1U);
    check_values(p);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_tied_axis_leaves_one_small_system) {
  check_orders("S(i,r,i',r') = I(i,i')*G(r,r')\nx(i',r') = SOLVE[i,r](S(i,r,i',r'), M(i,r))\noutput x = x\n", {3});
}
BOOST_AUTO_TEST_CASE(a_tied_axis_that_the_matrix_depends_on_leaves_one_system_per_entry) {
  check_orders("S(i,r,i',r') = I(i',i)*p1(i)*G(r,r')\nx(i',r') = SOLVE[i,r](S(i,r,i',r'), M(i,r))\noutput x = x\n", {3});
  check_orders("S(i,r,i',r') = I(i,i')*p1(i')*p4()*G(r',r)\nx(i',r') = SOLVE[i,r](S(i,r,i',r'), M(i,r))\noutput x = x\n", {3});
}
BOOST_AUTO_TEST_CASE(a_masked_gram_is_one_system_per_entry) {
  check_orders(
      "S0(i,r,i',r') = I(i,i')*p1(i)*FG(w,r)*FG(w,r')\nS1(i,r,i',r') = I(i,i')*I(r,r')\nS(i,r,i',r') = S0(i,r,i',r') + "
      "S1(i,r,i',r')\n"
      "x(i',r') = SOLVE[i,r](S(i,r,i',r'), M(i,r))\noutput x = x\n",
      {3});
}
BOOST_AUTO_TEST_CASE(two_parts_of_unequal_size_are_solved_one_after_the_other) {
  check_orders("S(r,s,r',s') = G(r,r')*H(s,s')\nx(r',s') = SOLVE[r,s](S(r,s,r',s'), Z(r,s))\noutput x = x\n", {4, 3});
  check_orders(
      "T(r,s,r',s') = H(s,s')*G(r',r)\nS(r,s,r',s') = 0.5*T(r,s,r',s')\nx(r',s',i) = SOLVE[r,s](S(r,s,r',s'), Q(r,s,i))\noutput x "
      "= "
      "x\n",
      {4, 3});
}
BOOST_AUTO_TEST_CASE(three_parts_are_three_systems) {
  check_orders(
      "S(r,s,t,r',s',t') = K(t,t')*G(r,r')*H(s,s')\nx(r',s',t') = SOLVE[r,s,t](S(r,s,t,r',s',t'), O(r,s,t))\noutput x = x\n",
      {4, 3, 2});
}
BOOST_AUTO_TEST_CASE(a_tie_beside_two_parts_leaves_both) {
  check_orders(
      "S(i,r,s,i',r',s') = I(i,i')*G(r,r')*H(s,s')*p1(i)\nx(i',r',s') = SOLVE[i,r,s](S(i,r,s,i',r',s'), N(i,r,s))\noutput x = x\n",
      {4, 3});
}
BOOST_AUTO_TEST_CASE(terms_with_a_common_identity_are_one_small_system) {
  check_orders(
      "S0(i,r,i',r') = I(i,i')*G(r,r')\nS1(i,r,i',r') = I(i,i')*FG(w,r)*FG(w,r')*p1(i)\nS(i,r,i',r') = S0(i,r,i',r') + "
      "3*S1(i,r,i',r')\n"
      "x(i',r') = SOLVE[i,r](S(i,r,i',r'), M(i,r))\noutput x = x\n",
      {3});
}
BOOST_AUTO_TEST_CASE(a_ridge_adds_to_the_small_system) {
  check_orders(
      "S0(i,r,i',r') = I(i,i')*G(r,r')\nS1(i,r,i',r') = I(r,r')*I(i',i)\nS(i,r,i',r') = S0(i,r,i',r') + 0.25*S1(i,r,i',r')\n"
      "x(i',r') = SOLVE[i,r](S(i,r,i',r'), M(i,r))\noutput x = x\n",
      {3});
}
BOOST_AUTO_TEST_CASE(where_all_axes_are_tied_nothing_but_a_division_is_left) {
  check_orders("S(i,r,i',r') = I(i,i')*I(r,r')*p1(i)*p2(r)\nx(i',r') = SOLVE[i,r](S(i,r,i',r'), M(i,r))\noutput x = x\n", {1});
  check_orders("S(i,r,i',r') = I(i,i')*I(r,r')*p4()\nx(i',r') = SOLVE[i,r](S(i,r,i',r'), M(i,r))\noutput x = x\n", {1});
}
BOOST_AUTO_TEST_CASE(a_scalar_network_is_a_factor_of_one_part) {
  check_orders("S(r,s,r',s') = G(r,r')*H(s,s')*p3(i,j)*p1(i)\nx(r',s') = SOLVE[r,s](S(r,s,r',s'), Z(r,s))\noutput x = x\n", {4, 3});
  check_orders("S(i,r,i',r') = I(i,i')*G(r,r')*FH(w,s)*FH(w,s)\nx(i',r') = SOLVE[i,r](S(i,r,i',r'), M(i,r))\noutput x = x\n", {3});
}
BOOST_AUTO_TEST_CASE(batch_axes_stay_batch_axes) {
  check_orders("S(i,r,s,r',s') = p1(i)*G(r,r')*H(s,s')\nx(i,r',s') = SOLVE[r,s](S(i,r,s,r',s'), N(i,r,s))\noutput x = x\n", {4, 3});
}

BOOST_AUTO_TEST_CASE(a_system_without_structure_is_left_alone) {
  for (const std::string text : {"S(r,r') = G(r,r')\nx(r',s) = solve+[r](S(r,r'), Z(r,s))\noutput x = x\n",
                                 "S0(r,s,r',s') = G(r,r')*H(s,s')\nS1(r,s,r',s') = I(r,r')*I(s,s')\nS(r,s,r',s') = S0(r,s,r',s') + "
                                 "S1(r,s,r',s')\nx(r',s') = solve+[r,s](S(r,s,r',s'), Z(r,s))\noutput x = x\n"}) {
    const Passed p = passed("structured_solve", with_matrices(text));
    BOOST_TEST(p.is_unchanged());
    BOOST_TEST(p.log.near_misses().size() == 1U);
    check_values(p);
  }
}
BOOST_AUTO_TEST_CASE(a_permuted_product_is_left_alone) {
  const Passed p = passed("structured_solve",
                          "unknown A(a=3,b=3) B(a,b)\ndata M(a,b)\nS(a,b,a',b') = A(a,b')*B(b,a')\nx(a',b') = "
                          "solve[a,b](S(a,b,a',b'), M(a,b))\noutput x = x\n");
  BOOST_TEST(p.is_unchanged());
}
BOOST_AUTO_TEST_CASE(parts_that_are_not_square_are_left_alone) {
  const Passed p = passed("structured_solve",
                          "unknown A(a=2,b=3) B(c=3,d=2)\ndata M(a,c)\nS(a,c,b,d) = A(a,b)*B(c,d)\nx(b,d) = solve[a,c](S(a,c,b,d), "
                          "M(a,c))\noutput x = x\n");
  BOOST_TEST(p.is_unchanged());
  BOOST_TEST(p.log.near_misses() == std::vector<std::string>{"a system of order 6 has no structure"},
             boost::test_tools::per_element());
}
