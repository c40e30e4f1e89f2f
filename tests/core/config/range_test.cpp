// Values of a scan: which numbers a range has, how they are written, and what is said of texts that are none.
#include "config/range.hpp"

#include <boost/test/unit_test.hpp>

#include "tyto/error.hpp"

namespace tyto::config {

using Values = std::vector<std::string>;

static std::string error_of(const std::string& text) {
  try {
    range_values(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

BOOST_AUTO_TEST_SUITE(range)

BOOST_AUTO_TEST_CASE(tenths_are_exact_and_reach_the_last_value) {
  const Values values = range_values("0:2:0.1");
  BOOST_TEST(values.size() == 21U);
  BOOST_TEST(values[0] == "0");
  BOOST_TEST(values[3] == "0.3");
  BOOST_TEST(values[7] == "0.7");
  BOOST_TEST(values[10] == "1");
  BOOST_TEST(values[20] == "2");
}

BOOST_AUTO_TEST_CASE(whole_numbers_stay_whole) {
  BOOST_TEST((range_values("1:6:1") == Values{"1", "2", "3", "4", "5", "6"}));
  BOOST_TEST((range_values("1.0:3:1.00") == Values{"1", "2", "3"}));
  BOOST_TEST((range_values("100:300:100") == Values{"100", "200", "300"}));
}

BOOST_AUTO_TEST_CASE(a_last_value_between_two_steps_is_left_out) {
  BOOST_TEST((range_values("0:1:0.4") == Values{"0", "0.4", "0.8"}));
  BOOST_TEST((range_values("1:8:3") == Values{"1", "4", "7"}));
}

BOOST_AUTO_TEST_CASE(ranges_go_down_and_through_zero) {
  BOOST_TEST((range_values("0.5:-0.5:-0.25") == Values{"0.5", "0.25", "0", "-0.25", "-0.5"}));
  BOOST_TEST((range_values("-.1:.1:.1") == Values{"-0.1", "0", "0.1"}));
}

BOOST_AUTO_TEST_CASE(one_value_is_a_range) { BOOST_TEST((range_values("3:3:1") == Values{"3"})); }

BOOST_AUTO_TEST_CASE(exponents_are_read_and_written_where_digits_would_be_many) {
  BOOST_TEST((range_values("1e-3:3e-3:1e-3") == Values{"0.001", "0.002", "0.003"}));
  BOOST_TEST((range_values("1e-9:2.5e-9:5e-10") == Values{"1e-9", "1.5e-9", "2e-9", "2.5e-9"}));
  BOOST_TEST((range_values("1e20:3e20:1e20") == Values{"1e20", "2e20", "3e20"}));
}

BOOST_AUTO_TEST_CASE(items_of_a_list_are_values_of_any_kind) {
  BOOST_TEST((range_values("[0, 1e-6, 1e-3]") == Values{"0", "1e-6", "1e-3"}));
  BOOST_TEST((range_values(" [builtin, \"petsc\"]") == Values{"builtin", "\"petsc\""}));
  BOOST_TEST((range_values("[[10, 20], {file: x.npy}]") == Values{"[10, 20]", "{\"file\": x.npy}"}));
}

BOOST_AUTO_TEST_CASE(what_is_no_range_is_refused_with_what_is_one) {
  BOOST_TEST(error_of("0:2") == "0:2: the range has no step\n  expected  FIRST:LAST:STEP\n  try       0:2:1");
  BOOST_TEST(error_of("0:1:2:3") == "0:1:2:3: this is no range\n  expected  FIRST:LAST:STEP\n  try       0:2:0.1");
  BOOST_TEST(error_of("0:x:1") ==
             "0:x:1: 'x' is no decimal number of at most 15 digits\n  expected  FIRST:LAST:STEP, as in 0:2:0.1\n"
             "  try       [a, b, c] for values that are no such numbers");
  for (const char* text : {"::", "0:1e:1", "0:--1:1", "0:.:1", "0:1.2.3:1", "0:1234567890123456:1", "0:inf:1", "0:0x1:1"})
    BOOST_TEST(error_of(text).find("is no decimal number") != std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(ranges_that_lead_nowhere_are_refused) {
  BOOST_TEST(error_of("0:2:0") == "0:2:0: the step is 0\n  expected  one that leads from FIRST to LAST\n  try       0:2:0.1");
  BOOST_TEST(error_of("0:2:-0.1") == "0:2:-0.1: steps of -0.1 lead away from 2\n  try       0:2:0.1");
  BOOST_TEST(error_of("2:0:1") == "2:0:1: steps of 1 lead away from 0\n  try       2:0:-1");
}

BOOST_AUTO_TEST_CASE(ranges_of_too_many_values_or_digits_are_refused) {
  BOOST_TEST(range_values("1:1000:1").size() == 1000U);
  BOOST_TEST(error_of("0:1000:1") == "0:1000:1: the range has 1001 values\n  expected  at most 1000\n  try       a larger step");
  BOOST_TEST(error_of("0:1e9:1e-9") ==
             "0:1e9:1e-9: these numbers are too far apart to be added\n  expected  15 digits in all\n  try       [a, b, c]");
}

BOOST_AUTO_TEST_CASE(lists_without_values_or_with_one_twice_are_refused) {
  BOOST_TEST(
      error_of("[]") ==
      "[]: there is nothing to scan\n  expected  FIRST:LAST:STEP or [a, b, c]\n  found     an empty list\n  try       0:2:0.1");
  BOOST_TEST(error_of("3") ==
             "3: there is nothing to scan\n  expected  FIRST:LAST:STEP or [a, b, c]\n  found     3\n  try       0:2:0.1");
  BOOST_TEST(error_of("[1, 2, 1]") == "[1, 2, 1]: the value 1 is given twice\n  try       removing one of them");
  BOOST_TEST(error_of("[1, 2").find("[1, 2: ") == 0U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::config
