// Numbers and flags: what is one, and what is said of everything else.
#include "config/number.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

#include "core/config/texts.hpp"

namespace tyto::config {

static std::int64_t integer_of(const std::string& yaml) { return checked("n: " + yaml, {integer("n", "n")}).integer("n"); }
static double real_of(const std::string& yaml) { return checked("x: " + yaml, {real("x", "x")}).real("x"); }
static bool flag_of(const std::string& yaml) { return checked("b: " + yaml, {flag("b", "b")}).flag("b"); }
static std::string integer_text(const std::string& yaml) { return check_text("n: " + yaml, {integer("n", "n").at_least(1)}); }
static std::string real_text(const std::string& yaml) { return check_text("x: " + yaml, {real("x", "x").above(0).at_most(1)}); }

BOOST_AUTO_TEST_SUITE(number)

BOOST_AUTO_TEST_CASE(reads_integers) {
  BOOST_TEST(integer_of("3") == 3);
  BOOST_TEST(integer_of("-3") == -3);
  BOOST_TEST(integer_of("+3") == 3);
  BOOST_TEST(integer_of("010") == 10);
  BOOST_TEST(integer_of("9223372036854775807") == std::numeric_limits<std::int64_t>::max());
  BOOST_TEST(integer_of("-9223372036854775808") == std::numeric_limits<std::int64_t>::min());
}

BOOST_AUTO_TEST_CASE(refuses_what_is_no_integer_and_says_what_was_meant) {
  BOOST_TEST(integer_text("3.5") == "x.yaml:1:4: 'settings.n' is not an integer\n  expected  an integer >= 1\n  found     3.5");
  BOOST_TEST(integer_text("1e3") ==
             "x.yaml:1:4: 'settings.n' is not an integer\n  expected  an integer >= 1\n  found     1e3\n  try       1000");
  BOOST_TEST(
      integer_text("\"3\"") ==
      "x.yaml:1:4: 'settings.n' is not an integer\n  expected  an integer >= 1\n  found     \"3\"\n  try       3 without quotes");
  BOOST_TEST(integer_text("3x") == "x.yaml:1:4: 'settings.n' is not an integer\n  expected  an integer >= 1\n  found     3x");
  BOOST_TEST(integer_text("0x10") == "x.yaml:1:4: 'settings.n' is not an integer\n  expected  an integer >= 1\n  found     0x10");
  BOOST_TEST(integer_text("+-3") == "x.yaml:1:4: 'settings.n' is not an integer\n  expected  an integer >= 1\n  found     +-3");
  BOOST_TEST(integer_text("true") == "x.yaml:1:4: 'settings.n' is not an integer\n  expected  an integer >= 1\n  found     true");
  BOOST_TEST(integer_text("[3]") == "x.yaml:1:4: 'settings.n' is not an integer\n  expected  an integer >= 1\n  found     a list");
}

BOOST_AUTO_TEST_CASE(refuses_integers_beyond_64_bits) {
  BOOST_TEST(integer_text("9223372036854775808") ==
             "x.yaml:1:4: 'settings.n' does not fit 64 bits\n"
             "  expected  an integer >= 1\n  found     9223372036854775808\n  try       at most 9223372036854775807");
}

BOOST_AUTO_TEST_CASE(reads_reals) {
  BOOST_TEST(real_of("1") == 1.0);
  BOOST_TEST(real_of("1e-12") == 1e-12);
  BOOST_TEST(real_of("+1.5E3") == 1500.0);
  BOOST_TEST(real_of(".5") == 0.5);
  BOOST_TEST(real_of("-2.") == -2.0);
  BOOST_TEST(real_of("0.1") == 0.1);
}

BOOST_AUTO_TEST_CASE(refuses_what_is_no_number_and_says_what_was_meant) {
  const std::string expected = "\n  expected  a number > 0 and <= 1\n  found     ";
  BOOST_TEST(real_text("0,5") == "x.yaml:1:4: 'settings.x' is not a number" + expected + "0,5\n  try       0.5");
  BOOST_TEST(real_text("1d-3") == "x.yaml:1:4: 'settings.x' is not a number" + expected + "1d-3\n  try       1e-3");
  BOOST_TEST(real_text("small") == "x.yaml:1:4: 'settings.x' is not a number" + expected + "small");
  BOOST_TEST(real_text("1e") == "x.yaml:1:4: 'settings.x' is not a number" + expected + "1e");
  BOOST_TEST(real_text("none") == "x.yaml:1:4: 'settings.x' is not a number" + expected + "none");
}

BOOST_AUTO_TEST_CASE(refuses_numbers_that_are_not_finite) {
  const std::string expected = "\n  expected  a number > 0 and <= 1\n  found     ";
  for (const std::string text : {".inf", "-.inf", ".nan", ".NaN", "inf", "nan"}) {
    BOOST_TEST(real_text(text) == "x.yaml:1:4: 'settings.x' is not finite" + expected + text);
  }
  BOOST_TEST(real_text("1e999") ==
             "x.yaml:1:4: 'settings.x' does not fit a double" + expected + "1e999\n  try       a magnitude from 1e-307 to 1e308");
}

BOOST_AUTO_TEST_CASE(refuses_numbers_outside_of_the_range) {
  const std::string expected = "\n  expected  a number > 0 and <= 1\n  found     ";
  BOOST_TEST(real_text("0") == "x.yaml:1:4: 'settings.x' is too small" + expected + "0\n  try       a number above 0");
  BOOST_TEST(real_text("1.5") == "x.yaml:1:4: 'settings.x' is too large" + expected + "1.5\n  try       1");
  BOOST_TEST(integer_text("0") ==
             "x.yaml:1:4: 'settings.n' is too small\n  expected  an integer >= 1\n  found     0\n  try       1");
  BOOST_TEST(
      check_text("t: -1", {real("t", "t").at_least(0).in("seconds").otherwise("0")}) ==
      "x.yaml:1:4: 'settings.t' is too small\n  expected  a number >= 0 in seconds\n  found     -1\n  try       0, the default");
}

BOOST_AUTO_TEST_CASE(reads_flags) {
  for (const char* text : {"true", "True", "yes", "on"}) BOOST_TEST(flag_of(text));
  for (const char* text : {"false", "FALSE", "no", "off"}) BOOST_TEST(!flag_of(text));
  BOOST_TEST(check_text("b: 1", {flag("b", "b")}) ==
             "x.yaml:1:4: 'settings.b' is not true or false\n  expected  true or false\n  found     1\n  try       true");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::config
