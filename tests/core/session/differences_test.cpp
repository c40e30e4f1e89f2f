// Slopes by differences: right within their own bounds, and what is compared with them is found out where it is wrong.
#include <cmath>
#include <limits>
#include <boost/test/unit_test.hpp>
#include "session/differences.hpp"

namespace tyto::session {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

Slopes slopes_of(const Line& y, double scale) { return central_slopes(y, scale, rounding_of(y, scale)); }
std::string place(std::int64_t k) { return "entry " + std::to_string(k); }

}  // namespace

BOOST_AUTO_TEST_SUITE(differences)

BOOST_AUTO_TEST_CASE(slopes_are_right_within_their_bounds_and_the_bounds_are_small) {
  struct Case {
    double (*y)(double);
    double slope, scale, most = 1e-5;  // what the bound may be, beside the slope
  };
  const std::vector<Case> cases{
      {[](double t) { return 3 * t + 1; }, 3, 1},
      {[](double t) { return t * t - 7 * t; }, -7, 10},
      {[](double t) { return std::exp(t); }, 1, 1},
      {[](double t) { return 1e12 * std::sin(1e-6 * t); }, 1e6, 1e6},
      {[](double t) { return std::log(1e-3 + t); }, 1e3, 1e-3},
      {[](double t) { return std::sqrt(2e-3 + t); }, 0.5 / std::sqrt(2e-3), 1, 1e-3},  // the largest steps leave the domain
      {[](double t) { return std::abs(t - 1e-3); }, -1, 1},                            // and cross a kink
  };
  for (std::size_t n = 0; n < cases.size(); ++n) {
    const Slopes s = slopes_of([&](double t) { return Numbers{cases[n].y(t)}; }, cases[n].scale);
    BOOST_TEST(std::abs(s.value[0] - cases[n].slope) <= s.bound[0], "case " << n << ": " << s.value[0] << " +- " << s.bound[0]);
    BOOST_TEST(s.bound[0] <= cases[n].most * std::abs(cases[n].slope), "case " << n << ": " << s.bound[0]);
  }
}

BOOST_AUTO_TEST_CASE(rounding_is_seen_where_terms_cancel) {
  const double offset = 1e8;  // each value loses eight digits
  const Line y = [&](double t) { return Numbers{((offset + std::sin(1 + t)) - offset) + 0.5 * t}; };
  const Numbers rounding = rounding_of(y, 1);
  BOOST_TEST(rounding[0] > 0.02 * eps * offset);
  BOOST_TEST(rounding[0] < 10 * eps * offset);
  const Slopes s = slopes_of(y, 1);
  BOOST_TEST(std::abs(s.value[0] - (std::cos(1.0) + 0.5)) <= s.bound[0]);
}

BOOST_AUTO_TEST_CASE(nothing_is_known_where_values_are_not_finite) {
  const Slopes s = slopes_of([](double t) { return Numbers{std::sqrt(t), 1 / (t - t)}; }, 1);
  BOOST_TEST(std::isinf(s.bound[0]));
  BOOST_TEST(std::isinf(s.bound[1]));
  BOOST_TEST(!compared({1, 1}, s, "m", place).agrees);
}

BOOST_AUTO_TEST_CASE(derivatives_that_are_right_agree) {
  const Line y = [](double t) { return Numbers{std::sin(t), 5 * std::cos(t), 2}; };
  const DerivativeCheck check = compared({1, 0, 0}, slopes_of(y, 1), "central differences", place);
  BOOST_TEST(check.agrees);
  BOOST_TEST(check.largest_difference <= check.allowed);
  BOOST_TEST(check.allowed < 1e-7);
  BOOST_TEST(check.method == "central differences");
}

BOOST_AUTO_TEST_CASE(a_derivative_that_is_slightly_wrong_is_caught_and_named) {
  const Line y = [](double t) { return Numbers{std::sin(t), 5 * t, std::exp(t)}; };
  for (const double error : {1.0, 1e-3, 1e-7}) {
    const DerivativeCheck check = compared({1, 5, 1 + error}, slopes_of(y, 1), "m", place);
    BOOST_TEST(!check.agrees);
    BOOST_TEST(std::abs(check.largest_difference - error / 5) <= 1e-8);
    BOOST_TEST(check.worst.find("entry 2: ") == 0, check.worst);
  }
  BOOST_TEST(compared({1, 5, 0.5}, {{1, 5, 1}, {0, 0, 0}}, "m", place).worst == "entry 2: 0.5 against 1");
}

BOOST_AUTO_TEST_CASE(a_wrong_entry_is_named_before_a_larger_difference_that_is_allowed) {
  const DerivativeCheck check = compared({1000.5, 2, 3}, {{1000, 2, 3.1}, {0.6, 0, 0.01}}, "m", place);
  BOOST_TEST(!check.agrees);
  BOOST_TEST(check.worst == "entry 2: 3 against 3.1");
  BOOST_TEST(check.largest_difference > check.allowed);
}

BOOST_AUTO_TEST_CASE(differences_that_show_nothing_do_not_agree) {
  BOOST_TEST(!compared({1}, {{2}, {5}}, "m", place).agrees);
  BOOST_TEST(compared({1}, {{2}, {5}, 1e6}, "m", place).agrees);  // beside a typical slope both are 0
}

BOOST_AUTO_TEST_CASE(what_is_no_number_does_not_agree) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, infinity, -infinity}) {
    BOOST_TEST(!compared({1, bad}, {{1, 1}, {0.1, 0.1}}, "m", place).agrees);
    BOOST_TEST(!compared({1, 1}, {{1, bad}, {1e-9, infinity}}, "m", place).agrees);
    BOOST_TEST(!compared({1, 1}, {{1, bad}, {1e-9, infinity}, infinity}, "m", place).agrees);
  }
}

BOOST_AUTO_TEST_CASE(zeros_agree_with_zeros) {
  const DerivativeCheck check = compared({0, 0}, slopes_of([](double) { return Numbers{0, 7}; }, 1), "m", place);
  BOOST_TEST(check.agrees);
  BOOST_TEST(check.largest_difference == 0);
}

BOOST_AUTO_TEST_CASE(steps_are_as_large_as_the_numbers) {
  BOOST_TEST(size_of_step({3, -4}) == std::sqrt(12.5));
  BOOST_TEST(size_of_step({0, 0}) == 1);
  BOOST_TEST(size_of_step({}) == 1);
  BOOST_TEST(size_of_step({1e300}) == 1e300);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
