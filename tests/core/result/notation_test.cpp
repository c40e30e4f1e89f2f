#include "result/notation.hpp"
#include <boost/test/unit_test.hpp>
#include <limits>

using namespace tyto::result;

BOOST_AUTO_TEST_SUITE(notation)

BOOST_AUTO_TEST_CASE(numbers_have_four_significant_digits) {
  BOOST_TEST(written(0.0250485) == "0.02505");
  BOOST_TEST(written(33487.77) == "33488");
  BOOST_TEST(written(0.25) == "0.25");
  BOOST_TEST(written(-3.0) == "-3");
  BOOST_TEST(written(0.0) == "0");
  BOOST_TEST(written(1.2346e-7) == "1.235×10⁻⁷");
  BOOST_TEST(written(1e200) == "1×10²⁰⁰");
  BOOST_TEST(written(std::numeric_limits<double>::infinity()) == "not finite");
}

BOOST_AUTO_TEST_CASE(percentages_show_two_digits_of_what_is_missing) {
  BOOST_TEST(percentage(1 - 0.02504852 * 0.02504852) == "99.937 %");
  BOOST_TEST(percentage(0.644) == "64.4 %");
  BOOST_TEST(percentage(1) == "100 %");
  BOOST_TEST(percentage(-0.5) == "-50.0 %");
}

BOOST_AUTO_TEST_CASE(columns_show_no_negative_zero) {
  BOOST_TEST(with_decimals(-1e-9, 3) == "0.000");
  BOOST_TEST(with_decimals(-0.0005, 3) != "0.000");
}

BOOST_AUTO_TEST_CASE(modes_that_are_numbers_are_called_modes) {
  BOOST_TEST(mode_name("0") == "mode 0");
  BOOST_TEST(mode_name("emission") == "emission");
  BOOST_TEST(counted(1, "sweep") == "1 sweep");
  BOOST_TEST(counted(2, "sweep") == "2 sweeps");
}

BOOST_AUTO_TEST_CASE(html_is_escaped) {
  BOOST_TEST(escaped("<b a=\"1\" c='2'>&") == "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;");
}

BOOST_AUTO_TEST_SUITE_END()
