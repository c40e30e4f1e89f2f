// Questions about the numbers of an array, at the edges of their range.
#include "tensor/statistics.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include "core/tensor/files.hpp"

using namespace tyto;
using namespace tyto::tensor;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan_value = std::nan("");
constexpr double eps = std::numeric_limits<double>::epsilon();

ConstArray vector_of(const std::vector<double>& values) {
  return ConstArray(values.data(), Extents{static_cast<std::int64_t>(values.size())});
}

}  // namespace

BOOST_AUTO_TEST_CASE(numbers_that_are_not_finite_are_counted_and_the_first_is_found) {
  std::vector<double> values(24, 1);
  BOOST_TEST(!count_non_finite(ConstArray(values.data(), {2, 3, 4})).any());
  values[17] = nan_value;
  values[20] = -infinity;
  values[22] = infinity;
  const NonFinite found = count_non_finite(ConstArray(values.data(), {2, 3, 4}));
  BOOST_TEST(found.nan == 1);
  BOOST_TEST(found.inf == 2);
  BOOST_TEST(found.first == (Extents{1, 1, 1}));
  const NonFinite transposed = count_non_finite(ConstArray(values.data(), Extents{4, 3, 2}, Extents{1, 4, 12}));
  BOOST_TEST(transposed.first == (Extents{0, 2, 1}));
  const std::vector<std::int32_t> integers(3, 5);
  BOOST_TEST(!count_non_finite(ConstArray(integers.data(), {3})).any());
}

BOOST_AUTO_TEST_CASE(norms_of_huge_and_tiny_tensors_are_right) {
  for (double x : {1.0, 1e200, 1e-200, 1.7e308, 5e-324}) {
    const std::vector<double> values(1000000, -x);
    const ScaledValue norm = frobenius_norm(vector_of(values));
    BOOST_TEST(
        std::abs(std::ldexp(norm.mantissa, 10) / std::ldexp(x, static_cast<int>(10 - norm.exponent)) - 1000) <= 1000 * 4 * eps, x);
    BOOST_TEST((norm.mantissa >= 1 && norm.mantissa < 2));
  }
  const std::vector<double> tiny(1000000, 1e-200), huge(1000000, 1.7e308);
  BOOST_TEST(std::abs(frobenius_norm(vector_of(tiny)).value() / 1e-197 - 1) <= 4 * eps);
  BOOST_TEST(frobenius_norm(vector_of(huge)).value() == infinity);
}

BOOST_AUTO_TEST_CASE(scaling_by_a_power_of_two_changes_only_the_exponent) {
  std::vector<double> values{3.7, -0.11, 1e5, 42, 1e-3}, scaled = values;
  for (double& x : scaled) x = std::ldexp(x, 900);
  const ScaledValue a = frobenius_norm(vector_of(values)), b = frobenius_norm(vector_of(scaled));
  BOOST_TEST(a.mantissa == b.mantissa);
  BOOST_TEST(b.exponent == a.exponent + 900);
}

BOOST_AUTO_TEST_CASE(norms_do_not_lose_many_small_numbers) {
  std::vector<double> values(4000001, 1e-8);
  values[0] = 1;
  BOOST_TEST(std::abs(frobenius_norm(vector_of(values)).value() - std::sqrt(1 + 4e-10)) <= 2 * eps);
}

BOOST_AUTO_TEST_CASE(norms_of_special_values_are_defined) {
  BOOST_TEST(frobenius_norm(vector_of({0, 0})).value() == 0);
  BOOST_TEST(frobenius_norm(vector_of({})).value() == 0);
  BOOST_TEST(frobenius_norm(vector_of({1, -infinity})).value() == infinity);
  BOOST_TEST(std::isnan(frobenius_norm(vector_of({3, nan_value, 4})).value()));
  BOOST_TEST(frobenius_norm(vector_of({3, nan_value, 4}), NanRule::skip).value() == 5);
}

BOOST_AUTO_TEST_CASE(integers_and_strided_arrays_have_norms) {
  const std::vector<std::int16_t> values{3, 100, 4, 100};
  const ConstArray every_second(values.data(), Extents{2}, Extents{2});
  BOOST_TEST(frobenius_norm(every_second).value() == 5);
  BOOST_TEST(minimum(every_second) == 3);
  BOOST_TEST(maximum(every_second) == 4);
}

BOOST_AUTO_TEST_CASE(smallest_and_largest_pass_over_nan) {
  BOOST_TEST(minimum(vector_of({nan_value, 2, -5, nan_value})) == -5);
  BOOST_TEST(maximum(vector_of({nan_value, 2, -5, infinity})) == infinity);
  BOOST_TEST(std::isnan(minimum(vector_of({nan_value}))));
  BOOST_TEST(std::isnan(maximum(vector_of({}))));
  BOOST_TEST(count_nonzeros(vector_of({0, -0.0, 1, nan_value})) == 2);
}

BOOST_AUTO_TEST_CASE(complex_numbers_have_a_norm_and_parts_that_are_finite_or_not) {
  const std::vector<std::complex<double>> values{{3, 4}, {0, nan_value}, {1, 0}, {HUGE_VAL, 0}};
  BOOST_TEST(frobenius_norm(ConstArray(values.data(), {1})).value() == 5);
  BOOST_TEST(frobenius_norm(ConstArray(values.data(), {2}, {2})).value() == std::sqrt(26.0));
  const NonFinite found = count_non_finite(ConstArray(values.data(), {2, 2}));
  BOOST_TEST(found.nan == 1);
  BOOST_TEST(found.inf == 1);
  BOOST_TEST((found.first == Extents{0, 1}));
}

BOOST_AUTO_TEST_CASE(other_statistics_of_complex_elements_are_refused_by_name) {
  const std::complex<double> value{1, 2};
  BOOST_TEST(error_of([&] { maximum(ConstArray(&value, {1})); }) ==
             "statistics of complex elements (c128) is not part of this version");
}
