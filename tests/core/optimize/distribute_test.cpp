// Sums inside products: multiplied out where that is cheaper, whatever scalar stands before them, and never without bound.
#include "core/optimize/passed.hpp"

using namespace tyto;

BOOST_AUTO_TEST_CASE(scalar_multiples_do_not_hide_a_sum) {
  const std::string leaves = "data X(i=20,j=30)\nunknown A(i,r=2) B(j,r)\n";
  const Passed p = passed(
      std::vector<std::string>{"algebra", "distribute"},
      leaves + "M(i,j) = A(i,r)*B(j,r)\nE(i,j) = X(i,j) - 3*M(i,j)\nF(i,j) = 2*E(i,j)\nG(i,r) = F(i,j)*B(j,r)\noutput g = G\n");
  check_both(p,
             leaves + "T1(i,r) = X(i,j)*B(j,r)\nT2(i,r) = A(i,r')*B(j,r)*B(j,r')\nG(i,r) = 2*T1(i,r) - 6*T2(i,r)\noutput g = G\n");
}

BOOST_AUTO_TEST_CASE(the_square_of_a_residual_becomes_three_terms) {
  const std::string leaves = "data X(i=20,j=30)\nunknown A(i,r=2) B(j,r)\n";
  const Passed p = passed(std::vector<std::string>{"algebra", "distribute"},
                          leaves + "M(i,j) = A(i,r)*B(j,r)\nE(i,j) = X(i,j) - M(i,j)\nf() = E(i,j)*E(i,j)\noutput f = f\n");
  BOOST_TEST(p.log.rewrites().size() == 1U);
  check_values(p);
  for (const graph::NodeId id : reachable(p.after))
    BOOST_TEST(
        ((*p.after.store)[id].shape.size() < 2 || !graph::is<graph::Combination>((*p.after.store)[id])), "a residual is formed\n"
                                                                                                             << p.text());
}

BOOST_AUTO_TEST_CASE(a_mask_keeps_its_residual_at_every_rank_and_extent) {
  for (const int rank : {2, 3, 5, 17, 40})
    for (const auto& [n, m, k] : {std::tuple{20, 30, 40}, {7, 5, 3}, {100, 4, 9}}) {
      const Passed p = passed(
          "distribute",
          fmt::format("data X(i={},j={},k={})\nweights W(i,j,k)\nunknown A(i,r={}) B(j,r) C(k,r)\n"
                      "M(i,j,k) = A(i,r)*B(j,r)*C(k,r)\nE(i,j,k) = X(i,j,k) - M(i,j,k)\nS(i,j,k) = W(i,j,k)*E(i,j,k)*E(i,j,k)\n"
                      "f() = S(i,j,k)\noutput f = f\n",
                      n, m, k, rank));
      const bool keeps = [&] {
        for (const graph::NodeId id : reachable(p.after))
          if (graph::is<graph::Combination>((*p.after.store)[id]) && (*p.after.store)[id].shape.size() == 3) return true;
        return false;
      }();
      BOOST_TEST(keeps, "rank " << rank << ", " << n << "x" << m << "x" << k << "\n" << p.text());
      if (n < 20) check_values(p);
    }
}

BOOST_AUTO_TEST_CASE(more_than_the_most_terms_stay_a_product_of_sums) {
  std::string text = "unknown", factors, sums;
  for (int k = 0; k < 7; ++k) {
    text += fmt::format(" A{0}({1}) B{0}(i)", k, k == 0 ? "i=3" : "i");
    sums += fmt::format("S{0}(i) = A{0}(i) + B{0}(i)\n", k);
    factors += fmt::format("{}S{}(i)", k == 0 ? "" : "*", k);
  }
  const Passed p = passed("distribute", text + "\n" + sums + "P(i) = " + factors + "\noutput p = P\n");
  BOOST_TEST(p.is_unchanged());
  BOOST_TEST(
      p.log.near_misses() == std::vector<std::string>{"a product has more than 64 terms when multiplied out and stays as it is"},
      boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(two_layers_and_both_sides_keep_their_values) {
  check_values(passed("distribute",
                      "data X(i=9,j=8) Y(j,k=7)\nunknown A(i,r=1) B(j,r) C(k,r)\n"
                      "M(i,j) = A(i,r)*B(j,r)\nN(j,k) = B(j,r)*C(k,r)\nE(i,j) = X(i,j) + 2*M(i,j)\nF(j,k) = Y(j,k) - "
                      "N(j,k)\nP(i,k) = E(i,j)*F(j,k)\n"
                      "R(i,k) = A(i,r)*C(k,r)\nQ(i,k) = P(i,k) - 3*R(i,k)\nf(i) = Q(i,k)*C(k,r)\ng(j,j') = F(j,k)*F(j',k)\noutput "
                      "f = f\noutput g = g\n"));
}
BOOST_AUTO_TEST_CASE(terms_that_cancel_leave_nothing) {
  const std::string leaves = "unknown A(i=4,j=3) B(j,k=2)\n";
  const Passed p = passed("distribute", leaves +
                                            "S(i,j) = 2*A(i,j)\nP(i,k) = S(i,j)*B(j,k)\nQ(i,k) = A(i,j)*B(j,k)\nE(i,k) = P(i,k) - "
                                            "2*Q(i,k)\nf() = E(i,k)*E(i,k)\noutput f = f\n");
  check_both(p, leaves + "f() = fill(0)\noutput f = f\n");
}

BOOST_AUTO_TEST_CASE(a_high_power_of_a_sum_is_given_up_at_once) {
  std::string factors;
  for (int k = 0; k < 40; ++k) factors += k == 0 ? "S(i)" : "*S(i)";
  const Passed p = passed("distribute", "unknown A(i=3) B(i)\nS(i) = A(i) + B(i)\nP(i) = " + factors + "\noutput p = P\n");
  BOOST_TEST(p.is_unchanged());
  BOOST_TEST(p.log.near_misses().size() == 1U);
}
