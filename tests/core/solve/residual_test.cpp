// When the expanded fit is not to be trusted.
#include "solve/residual.hpp"
#include <boost/test/unit_test.hpp>

namespace tyto::solve {

BOOST_AUTO_TEST_SUITE(residual)

BOOST_AUTO_TEST_CASE(is_summed_where_the_relative_error_is_below_one_in_ten_thousand) {
  BOOST_TEST(!expanded_cancels(1.1e-8, 1, 1e-3, Dtype::f64));
  BOOST_TEST(expanded_cancels(0.9e-8, 1, 1e-3, Dtype::f64));
  BOOST_TEST(!expanded_cancels(1.1e-8 * 1e10, 1e10, 1e-3, Dtype::f64));
  BOOST_TEST(expanded_cancels(-1e-17, 1, 1e-3, Dtype::f64));
  BOOST_TEST(expanded_cancels(0, 0, 1e-3, Dtype::f64));
}

BOOST_AUTO_TEST_CASE(is_summed_where_rounding_could_pass_for_convergence) {
  BOOST_TEST(!expanded_cancels(0.01, 1, 1e-12, Dtype::f64));  // rounding is 1.8e-13 of this fit
  BOOST_TEST(expanded_cancels(0.01, 1, 1e-13, Dtype::f64));
}

BOOST_AUTO_TEST_CASE(is_not_summed_only_because_no_tolerance_is_set) { BOOST_TEST(!expanded_cancels(0.01, 1, 0, Dtype::f64)); }

BOOST_AUTO_TEST_CASE(is_summed_in_single_precision_where_six_digits_are_wanted) {
  BOOST_TEST(expanded_cancels(0.1, 1, 0, Dtype::f32));
  BOOST_TEST(expanded_cancels(0.1, 1, 1e-3, Dtype::f32));
  BOOST_TEST(!expanded_cancels(0.9, 1, 1e-3, Dtype::f32));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::solve
