// Sequentially truncated HOSVD: its bases, and the ranks that a tolerance asks for.
#include "solve/sequential_hosvd.hpp"
#include <boost/test/unit_test.hpp>
#include <cmath>
#include "objectives/plain.hpp"

namespace tyto::solve {

namespace {

using plain::Table;

ConstArray view(const Table& t) { return ConstArray(t.values.data(), t.extents); }

/// A core of those extents in random bases, plus noise of that size relative to it.
Table of_ranks(const Extents& extents, const Extents& ranks, double noise, unsigned seed) {
  const Table core = plain::random(ranks, seed), a = plain::random({extents[0], ranks[0]}, seed + 1),
              b = plain::random({extents[1], ranks[1]}, seed + 2), c = plain::random({extents[2], ranks[2]}, seed + 3);
  Table x = plain::contract({{core, "pqr"}, {a, "ip"}, {b, "jq"}, {c, "kr"}}, "ijk");
  const Table e = plain::random(extents, seed + 4);
  const double size = noise * plain::norm(x.values) / plain::norm(e.values);
  for (std::size_t k = 0; k < x.values.size(); ++k) x.values[k] += size * e.values[k];
  return x;
}

/// |X - projection of X on the bases| / |X|.
double left_out(const Table& x, const SequentialHosvd& h) {
  const Table a{{x.extents[0], h.ranks[0]}, h.bases[0]}, b{{x.extents[1], h.ranks[1]}, h.bases[1]},
      c{{x.extents[2], h.ranks[2]}, h.bases[2]};
  const Table core = plain::contract({{x, "ijk"}, {a, "ip"}, {b, "jq"}, {c, "kr"}}, "pqr");
  Table rest = plain::contract({{core, "pqr"}, {a, "ip"}, {b, "jq"}, {c, "kr"}}, "ijk");
  for (std::size_t k = 0; k < rest.values.size(); ++k) rest.values[k] = x.values[k] - rest.values[k];
  return plain::norm(rest.values) / plain::norm(x.values);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sequential_hosvd_of)

BOOST_AUTO_TEST_CASE(a_tensor_of_low_rank_is_reproduced) {
  const Table x = of_ranks({6, 7, 5}, {2, 3, 4}, 0, 11);
  BOOST_TEST(left_out(x, sequential_hosvd(view(x), {2, 3, 4})) <= 1e-14);
  BOOST_TEST(left_out(x, sequential_hosvd(view(x), {1, 3, 4})) > 0.1);
}

BOOST_AUTO_TEST_CASE(axes_may_stay_whole) {
  const Table x = of_ranks({6, 7, 5}, {2, 3, 4}, 0, 12);
  const SequentialHosvd h = sequential_hosvd(view(x), {-1, 3, -1});
  BOOST_TEST(h.bases[0].empty());
  BOOST_TEST(h.bases[1].size() == 21U);
  BOOST_TEST(h.bases[2].empty());
}

BOOST_AUTO_TEST_CASE(a_tolerance_is_kept_and_not_by_more_ranks_than_it_takes) {
  const Table x = of_ranks({8, 9, 7}, {2, 3, 4}, 1e-3, 13);
  for (const double tolerance : {0.5, 0.1, 1e-2, 1e-4, 1e-9, 1e-13}) {
    const SequentialHosvd h = truncated_hosvd(view(x), tolerance);
    BOOST_TEST(left_out(x, h) <= tolerance);
    if (tolerance == 1e-2) BOOST_TEST(h.ranks == (Extents{2, 3, 4}), boost::test_tools::per_element());
    if (tolerance <= 1e-9) BOOST_TEST(h.ranks == (Extents{8, 9, 7}), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(exact_ranks_are_seen_far_below_the_digits_of_a_gram_matrix) {
  const Table x = of_ranks({8, 9, 7}, {2, 3, 4}, 1e-11, 14);
  BOOST_TEST(truncated_hosvd(view(x), 1e-9).ranks == (Extents{2, 3, 4}), boost::test_tools::per_element());
  BOOST_TEST(truncated_hosvd(view(x), 1e-13).ranks == (Extents{8, 9, 7}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(ranks_are_at_least_one_and_scale_does_not_matter) {
  const Table zero = plain::filled({3, 4, 2}, 0);
  BOOST_TEST(truncated_hosvd(view(zero), 1e-3).ranks == (Extents{1, 1, 1}), boost::test_tools::per_element());
  Table x = of_ranks({6, 7, 5}, {2, 3, 4}, 1e-3, 15);
  const Extents ranks = truncated_hosvd(view(x), 0.01).ranks;
  for (double& v : x.values) v *= 1e250;
  BOOST_TEST(truncated_hosvd(view(x), 0.01).ranks == ranks, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::solve
