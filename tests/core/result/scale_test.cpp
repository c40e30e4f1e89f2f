#include "result/scale.hpp"
#include <boost/test/unit_test.hpp>

using namespace tyto::result;

namespace {

std::vector<std::string> labels(const Scale& scale) {
  std::vector<std::string> out;
  for (const Tick& tick : scale.ticks) out.push_back(tick.label);
  return out;
}
using Texts = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_SUITE(scale)

BOOST_AUTO_TEST_CASE(linear_ticks_are_round_and_zero_is_kept_where_it_is_near) {
  BOOST_TEST((labels(linear_scale(0.01, 0.83, 5, false)) == Texts{"0", "0.2", "0.4", "0.6", "0.8"}));
  BOOST_TEST(linear_scale(0.01, 0.83, 5, false).low == 0);
  BOOST_TEST(linear_scale(8, 9, 5, false).low > 7);
  BOOST_TEST(linear_scale(8, 9, 5, true).low == 0);
}

BOOST_AUTO_TEST_CASE(a_constant_still_has_a_range) {
  for (const double value : {0.0, 3.0, -1e-200, 1e200}) {
    const Scale s = linear_scale(value, value, 5, false);
    BOOST_TEST(s.low < s.high);
    BOOST_TEST(!s.ticks.empty());
  }
  BOOST_TEST(logarithmic_scale(3, 3).low < logarithmic_scale(3, 3).high);
}

BOOST_AUTO_TEST_CASE(logarithmic_ticks_get_coarser_with_the_range) {
  BOOST_TEST((labels(logarithmic_scale(0.025, 0.6)) == Texts{"0.05", "0.1", "0.2", "0.5"}));
  BOOST_TEST((labels(logarithmic_scale(1e-5, 1)) == Texts{"10⁻⁵", "10⁻⁴", "10⁻³", "0.01", "0.1", "1"}));
  BOOST_TEST(labels(logarithmic_scale(0.59, 0.61)).size() >= 3U);
  BOOST_TEST(labels(logarithmic_scale(1e-300, 1)).size() <= 8U);
}

BOOST_AUTO_TEST_CASE(indices_are_whole_numbers) {
  BOOST_TEST((labels(index_scale(0, 3, 10)) == Texts{"0", "1", "2", "3"}));
  BOOST_TEST((labels(index_scale(1, 1, 10)) == Texts{"1"}));
  BOOST_TEST((labels(position_scale(0.5, 1.5, 5)) == Texts{"0.6", "0.8", "1", "1.2", "1.4"}));
  BOOST_TEST((labels(position_scale(0, 40, 5)) == Texts{"0", "10", "20", "30", "40"}));
}

BOOST_AUTO_TEST_SUITE_END()
