// When a solve ends, which rule comes first, and its words.
#include "solve/stopping.hpp"
#include <boost/test/unit_test.hpp>
#include <cmath>

namespace tyto::solve {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

const Limits limits{.max_sweeps = 10, .tolerance = 1e-6, .gradient_tolerance = 1e-3, .time_limit = 2};
/// A sweep after which the solve goes on.
SweepFacts going_on() {
  return {.sweep = 5, .objective = 1, .previous = 2, .relative_error = 0.5, .gradient_norm = 0.1, .seconds = 1};
}

void check(const std::optional<Outcome>& outcome, Stop stop, const std::string& reason) {
  BOOST_REQUIRE(outcome.has_value());
  BOOST_TEST((outcome->stop == stop));
  BOOST_TEST(outcome->reason == reason);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(stopping)

BOOST_AUTO_TEST_CASE(goes_on_while_no_rule_holds) {
  BOOST_TEST(!stop(limits, going_on()).has_value());
  SweepFacts first = going_on();
  first.previous = infinity;
  BOOST_TEST(!stop(limits, first).has_value());
}

BOOST_AUTO_TEST_CASE(gives_each_reason) {
  SweepFacts f = going_on();
  f.previous = 1 + 5e-7;
  check(stop(limits, f), Stop::converged, "relative change of the objective 5e-07 <= 1e-06");
  f = going_on(), f.gradient_norm = 2.5e-4;
  check(stop(limits, f), Stop::converged, "gradient norm 0.00025 of its first value <= 0.001");
  f = going_on(), f.relative_error = 1e-16;
  check(stop(limits, f), Stop::converged, "relative error 1e-16: exact to rounding");
  f = going_on(), f.interrupted = true;
  check(stop(limits, f), Stop::interrupted, "interrupted after sweep 5");
  f = going_on(), f.seconds = 2;
  check(stop(limits, f), Stop::time_limit, "time limit of 2 s");
  f = going_on(), f.sweep = 10;
  check(stop(limits, f), Stop::sweep_limit, "sweep limit of 10");
  for (const double value : {infinity, std::nan("")}) {
    f = going_on(), f.objective = value;
    check(stop(limits, f), Stop::failed,
          "the objective is not finite after sweep 5: it over- or underflows; scale the data (scale: auto)");
  }
}

BOOST_AUTO_TEST_CASE(prefers_convergence_to_limits) {
  SweepFacts f = going_on();
  f.previous = f.objective, f.interrupted = true, f.seconds = 9, f.sweep = 10;
  check(stop(limits, f), Stop::converged, "relative change of the objective 0 <= 1e-06");
  f.previous = 2;
  check(stop(limits, f), Stop::interrupted, "interrupted after sweep 10");
}

BOOST_AUTO_TEST_CASE(a_zero_switches_a_rule_off) {
  SweepFacts f = going_on();
  f.previous = f.objective, f.gradient_norm = -1, f.seconds = 1e9;
  BOOST_TEST(!stop({.max_sweeps = 10, .tolerance = 0, .gradient_tolerance = 0, .time_limit = 0}, f).has_value());
}

BOOST_AUTO_TEST_CASE(a_changed_parameter_is_no_progress) {
  SweepFacts f = going_on();
  f.previous = f.objective, f.parameter_changed = true;
  BOOST_TEST(!stop(limits, f).has_value());
}

BOOST_AUTO_TEST_CASE(change_is_relative_to_the_larger_value) {
  BOOST_TEST(relative_change(1, 2) == 0.5);
  BOOST_TEST(relative_change(2, 1) == 0.5);
  BOOST_TEST(relative_change(0, 0) == 0);
  BOOST_TEST(relative_change(0, 1e-300) == 1);
  BOOST_TEST(relative_change(-2, -1) == 0.5);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::solve
