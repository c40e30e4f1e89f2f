#include "result/ktensor.hpp"
#include "core/result/records.hpp"
#include <boost/test/unit_test.hpp>
#include <limits>

using namespace tyto;
using namespace tyto::result;

namespace {

double entry(const NamedArray& a, std::int64_t i, std::int64_t r) {
  return a.values[static_cast<std::size_t>(i * a.extents[1] + r)];
}

/// X(i,j,k) = sum_r w(r) A(i,r) B(j,r) C(k,r)
std::vector<double> reconstruction(const std::vector<double>& w, const NamedArray& a, const NamedArray& b, const NamedArray& c) {
  std::vector<double> x;
  for (std::int64_t i = 0; i < a.extents[0]; ++i)
    for (std::int64_t j = 0; j < b.extents[0]; ++j)
      for (std::int64_t k = 0; k < c.extents[0]; ++k) {
        double sum = 0;
        for (std::size_t r = 0; r < w.size(); ++r) {
          const auto n = static_cast<std::int64_t>(r);
          sum += w[r] * entry(a, i, n) * entry(b, j, n) * entry(c, k, n);
        }
        x.push_back(sum);
      }
  return x;
}

std::string why_not(const std::vector<NamedAxes>& unknowns) {
  return why_not_ktensor(unknowns, {{"X", "", {2, 3, 4}, {"i", "j", "k"}, 1}});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ktensor)

BOOST_AUTO_TEST_CASE(normalization_keeps_the_tensor) {
  const Record record = small_cp();
  const Ktensor k = normalized_ktensor(record);
  const Result& r = record.result;
  const auto before = reconstruction({1, 1}, r.values.at("A"), r.values.at("B"), r.values.at("C"));
  const auto after = reconstruction(k.weights, k.factors[0], k.factors[1], k.factors[2]);
  const double tolerance = 16 * std::numeric_limits<double>::epsilon() * k.weights[0];
  BOOST_REQUIRE(before.size() == after.size());
  for (std::size_t n = 0; n < before.size(); ++n) BOOST_TEST(std::abs(before[n] - after[n]) < tolerance);
}

BOOST_AUTO_TEST_CASE(columns_have_unit_norm_and_weights_decrease) {
  const Ktensor k = normalized_ktensor(small_cp());
  BOOST_REQUIRE(k.rank() == 2);
  BOOST_TEST(k.weights[0] >= k.weights[1]);
  BOOST_TEST(k.weights[0] == std::sqrt(25.0 * 30 * 21), boost::test_tools::tolerance(1e-14));
  for (const NamedArray& a : k.factors)
    for (std::int64_t r = 0; r < 2; ++r) {
      double sum = 0;
      for (std::int64_t i = 0; i < a.extents[0]; ++i) sum += entry(a, i, r) * entry(a, i, r);
      BOOST_TEST(sum == 1, boost::test_tools::tolerance(1e-14));
    }
}

BOOST_AUTO_TEST_CASE(largest_entries_are_positive_in_every_mode_but_the_last) {
  const Ktensor k = normalized_ktensor(small_cp());
  BOOST_TEST(entry(k.factors[0], 1, 0) > 0);
  BOOST_TEST(entry(k.factors[1], 1, 0) > 0);
  BOOST_TEST(entry(k.factors[1], 1, 1) > 0);
  BOOST_TEST(entry(k.factors[2], 3, 0) < 0);  // A and C positive, B negative: the sign moves to C
  BOOST_TEST(entry(k.factors[2], 2, 1) > 0);  // B and C negative: a pair
}

BOOST_AUTO_TEST_CASE(modes_follow_the_data_not_the_order_of_declaration) {
  Record record = small_cp();
  record.result.unknowns = {"C", "A", "B"};
  BOOST_TEST((normalized_ktensor(record).unknowns == std::vector<std::string>{"A", "B", "C"}));
}

BOOST_AUTO_TEST_CASE(a_zero_column_has_weight_zero_and_no_nan) {
  Record record = small_cp();
  for (std::size_t i : {0U, 2U, 4U}) record.result.values["B"].values[i] = 0;
  const Ktensor k = normalized_ktensor(record);
  BOOST_TEST(k.weights[1] == 0);
  for (const NamedArray& a : k.factors)
    for (std::int64_t i = 0; i < a.extents[0]; ++i) {
      BOOST_TEST(entry(a, i, 1) == 0);
      BOOST_TEST(!std::signbit(entry(a, i, 1)));
    }
  BOOST_TEST(weight_shares(k)[0] == 1);
  BOOST_TEST(largest_congruences(k)[0] == 0);
}

BOOST_AUTO_TEST_CASE(norms_whose_partial_products_overflow_give_the_right_weight) {
  Record record = small_cp();
  for (double& v : record.result.values["A"].values) v *= 1e200;
  for (double& v : record.result.values["B"].values) v *= 1e200;
  for (double& v : record.result.values["C"].values) v *= 1e-300;
  const Ktensor plain = normalized_ktensor(small_cp()), scaled = normalized_ktensor(record);
  BOOST_TEST(scaled.weights[0] == plain.weights[0] * 1e100, boost::test_tools::tolerance(1e-13));
}

BOOST_AUTO_TEST_CASE(equal_components_have_congruence_one_and_cancelling_ones_minus_one) {
  Record record = small_cp();
  record.result.values["A"].values = {1, -1, 2, -2};
  record.result.values["B"].values = {1, 1, 2, 2, 3, 3};
  record.result.values["C"].values = {1, 1, 0, 0, 2, 2, 1, 1};
  BOOST_TEST(largest_congruences(normalized_ktensor(record))[0] == -1, boost::test_tools::tolerance(1e-14));
  record.result.values["A"].values = {1, 1, 2, 2};
  BOOST_TEST(largest_congruences(normalized_ktensor(record))[1] == 1, boost::test_tools::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(says_why_a_result_is_no_cp_decomposition) {
  BOOST_TEST(why_not({{"A", {"i", "r"}}, {"B", {"j", "r"}}, {"C", {"k", "r"}}}) == "");
  BOOST_TEST(why_not({}) == "there are no unknowns");
  BOOST_TEST(why_not({{"G", {"p", "q", "s"}}}) == "G(p,q,s) is not a matrix");
  BOOST_TEST(why_not({{"A", {"i", "r"}}, {"B", {"j", "s"}}, {"C", {"k", "r"}}}) == "B(j,s) does not share the label r of A(i,r)");
  BOOST_TEST(why_not({{"A", {"i", "r"}}, {"B", {"j", "r"}}}) == "mode k of X(i,j,k) has no factor");
  BOOST_TEST(why_not({{"A", {"i", "r"}}, {"B", {"j", "r"}}, {"C", {"k", "r"}}, {"D", {"m", "r"}}}) ==
             "D(m,r) belongs to no mode of X(i,j,k)");
  BOOST_TEST(why_not({{"A", {"i", "r"}}, {"B", {"j", "r"}}, {"C", {"k", "r"}}, {"D", {"i", "r"}}}) ==
             "A(i,r) and D(i,r) belong to one mode of X(i,j,k)");
  BOOST_TEST(why_not_ktensor({{"A", {"i", "r"}}}, {}) == "there is no data tensor");
  Record record = small_cp();
  record.result.values["B"].values[3] = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(why_not_ktensor(record) == "B has values that are not finite");
  record.result.values.erase("C");
  BOOST_TEST(why_not_ktensor(record) == "C has no values");
}

BOOST_AUTO_TEST_CASE(any_of_several_data_tensors_may_be_the_decomposed_one) {
  Record record = small_cp();
  record.data.insert(record.data.begin(), {"Y", "", {2, 5}, {"i", "m"}, 1});
  BOOST_TEST(why_not_ktensor(record) == "");
  BOOST_TEST(normalized_ktensor(record).factors.size() == 3U);
}

BOOST_AUTO_TEST_SUITE_END()
