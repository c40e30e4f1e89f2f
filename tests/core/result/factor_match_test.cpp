#include "result/factor_match.hpp"
#include "core/result/records.hpp"
#include "result/report.hpp"
#include "result/write.hpp"
#include <boost/test/unit_test.hpp>

using namespace tyto;
using namespace tyto::result;

namespace {

constexpr double rounding = 1e-14;  // a few operations on numbers up to 1

Ktensor small() { return with_unit_columns(small_cp()); }

/// The factors of small_cp() with columns in another order, each times a number.
struct Change {
  std::vector<std::int64_t> columns;
  std::vector<std::vector<double>> times;  ///< [factor][column of the result of the change]
};
Ktensor changed(const Change& change) {
  std::vector<NamedArray> factors;
  for (const char* name : {"A", "B", "C"}) {
    const NamedArray a = small_cp().result.values.at(name);
    NamedArray b{{a.extents[0], static_cast<std::int64_t>(change.columns.size())}, a.labels, {}};
    for (std::int64_t i = 0; i < a.extents[0]; ++i)
      for (std::size_t r = 0; r < change.columns.size(); ++r)
        b.values.push_back(change.times[factors.size()][r] *
                           a.values[static_cast<std::size_t>(i * a.extents[1] + change.columns[r])]);
    factors.push_back(b);
  }
  return with_unit_columns({"A", "B", "C"}, factors);
}

void check_is(double found, double expected) {
  BOOST_TEST(std::abs(found - expected) <= rounding, found << " is not " << expected);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(factor_match_score)

BOOST_AUTO_TEST_CASE(order_scales_and_signs_of_columns_do_not_count) {
  const FactorMatch match = factor_match(small(), changed({{1, 0}, {{-2, 3}, {0.5, -1.0 / 3}, {-1, -1}}}));
  check_is(match.score, 1);
  check_is(match.score_without_weights, 1);
  BOOST_TEST((match.permutation == std::vector<std::int64_t>{1, 0}));
  BOOST_REQUIRE(match.components.size() == 2);
  BOOST_TEST((match.components[0].signs == std::vector<int>{1, -1, -1}));
  BOOST_TEST((match.components[1].signs == std::vector<int>{-1, 1, -1}));
  for (const MatchedComponent& c : match.components)
    for (const double cosine : c.cosines) check_is(cosine, 1);
}

BOOST_AUTO_TEST_CASE(a_weight_that_is_half_of_the_other_halves_the_score_of_its_component) {
  const FactorMatch match = factor_match(small(), changed({{0, 1}, {{2, 1}, {1, 1}, {1, 1}}}));
  check_is(match.components[0].weights, 0.5);
  check_is(match.score, 0.75);
  check_is(match.score_without_weights, 1);
}

BOOST_AUTO_TEST_CASE(the_negative_of_a_component_is_no_match) {
  const FactorMatch match = factor_match(small(), changed({{0, 1}, {{1, 1}, {1, -1}, {1, 1}}}));
  check_is(match.components[1].congruence(), -1);
  check_is(match.score, 0);
  const std::vector<int>& signs = match.components[1].signs;
  BOOST_TEST(signs[0] * signs[1] * signs[2] == 1);
}

BOOST_AUTO_TEST_CASE(the_score_is_the_mean_of_products_of_cosines) {
  // Columns at an angle whose cosine is 0.6 in the first mode, 0.8 in the second, equal in the third; weights 1.
  const NamedArray here{{2, 1}, {"i", "r"}, {1, 0}}, six{{2, 1}, {"i", "r"}, {0.6, 0.8}}, eight{{2, 1}, {"i", "r"}, {0.8, -0.6}};
  const FactorMatch match =
      factor_match(with_unit_columns({"A", "B", "C"}, {here, here, here}), with_unit_columns({"A", "B", "C"}, {six, eight, here}));
  check_is(match.score, 0.48);
  check_is(match.components[0].cosines[0], 0.6);
  check_is(match.components[0].cosines[1], 0.8);
}

BOOST_AUTO_TEST_CASE(of_different_ranks_the_smaller_one_counts) {
  const Change doubled{{1, 0, 1}, {{1, 1, 5}, {1, 1, 1}, {1, 1, 1}}};
  const FactorMatch fewer = factor_match(small(), changed(doubled));
  check_is(fewer.score, 1);
  BOOST_TEST((fewer.permutation == std::vector<std::int64_t>{1, 0}));
  const FactorMatch more = factor_match(changed(doubled), small());
  check_is(more.score, 1);
  BOOST_TEST((more.permutation == std::vector<std::int64_t>{1, 0, -1}));
  BOOST_TEST(more.components.size() == 2);
}

BOOST_AUTO_TEST_CASE(a_component_that_vanished_scores_zero) {
  const FactorMatch match = factor_match(changed({{0, 1}, {{1, 1}, {0, 1}, {1, 1}}}), small());
  check_is(match.score, 0.5);
  BOOST_TEST(match.components[0].weights == 0);
}

BOOST_AUTO_TEST_CASE(weights_beyond_the_range_of_a_double_compare) {
  const Change huge{{0, 1}, {{1e200, 1}, {1e200, 1}, {1e200, 1}}};
  check_is(factor_match(changed(huge), changed(huge)).score, 1);
  check_is(factor_match(changed(huge), small()).score, 0.5);
}

BOOST_AUTO_TEST_CASE(the_text_names_columns_and_signs) {
  FactorMatch match = factor_match(changed({{1, 0, 1}, {{1, -1, 5}, {1, -1, 1}, {1, 1, 1}}}), small());
  match.reference = "out/earlier";
  BOOST_TEST(text_of(match) ==
             "factor match score 1 with out/earlier (1 without weights): columns 0, 1 are 1, 0 there, with signs +++, --+");
}

BOOST_AUTO_TEST_CASE(it_stands_in_the_summary_and_in_the_report) {
  Record record = small_cp();
  BOOST_TEST(result_json(record).find("factor_match") == std::string::npos);
  record.match = FactorMatch{"out/<earlier>", 0.375, 0.5, {{1, 0, 0.75, {1, 0.5}, {1, -1}}}, {-1, 0}};
  BOOST_TEST(result_json(record).find(R"(
  "factor_match": {
    "reference": "out/<earlier>",
    "score": 0.375,
    "score_without_weights": 0.5,
    "permutation": [null, 0],
    "components": [
      {"column": 1, "reference": 0, "score": 0.375, "weights": 0.75, "cosines": [1, 0.5], "signs": [1, -1]}
    ]
  },
)") != std::string::npos);
  const std::string html = report_html(record);
  BOOST_TEST(html.find("<h2>Match with out/&lt;earlier&gt;</h2>") != std::string::npos);
  BOOST_TEST(html.find("Factor match score 0.375, without weights 0.5.") != std::string::npos);
  BOOST_TEST(html.find("0.5000, turned") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
