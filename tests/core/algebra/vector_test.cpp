// The operations of a HostVector.
#include "algebra/vector.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

namespace tyto::algebra {

using Values = std::vector<double>;

BOOST_AUTO_TEST_SUITE(vector)

BOOST_AUTO_TEST_CASE(computes_as_written) {
  HostVector x(Values{1, 2, -2});
  const HostVector y(Values{4, 0, 1});
  BOOST_TEST(x.norm() == 3);
  BOOST_TEST(x.dot(y) == 2);
  x.axpy(2, y);
  BOOST_TEST(x.values() == (Values{9, 2, 0}), boost::test_tools::per_element());
  x.scale(-1);
  BOOST_TEST(x.values() == (Values{-9, -2, 0}), boost::test_tools::per_element());
  x.copy(y);
  BOOST_TEST(x.values() == y.values(), boost::test_tools::per_element());
  x.fill(7);
  BOOST_TEST(x.values() == (Values{7, 7, 7}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(norm_neither_overflows_nor_underflows) {
  BOOST_TEST(HostVector(Values{3e200, 4e200}).norm() == 5e200, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(HostVector(Values{3e-200, 4e-200}).norm() == 5e-200, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(HostVector(Values{}).norm() == 0);
  BOOST_TEST(std::isnan(HostVector(Values{1, std::nan(""), 2}).norm()));
  BOOST_TEST(HostVector(Values{1, -std::numeric_limits<double>::infinity()}).norm() == std::numeric_limits<double>::infinity());
}

BOOST_AUTO_TEST_CASE(created_vectors_are_zero_and_clones_are_independent) {
  HostVector x(Values{1, 2});
  BOOST_TEST(x.create()->norm() == 0);
  BOOST_TEST(x.create()->size() == 2);
  const std::unique_ptr<Vector> copy = clone(x);
  x.fill(0);
  BOOST_TEST(copy->norm() == std::sqrt(5.0));
}

BOOST_AUTO_TEST_CASE(numbers_are_shared_with_arrays) {
  HostVector x(Values{1, 2});
  x.write().as<double>()[1] = 5;
  BOOST_TEST(x.values()[1] == 5);
  BOOST_TEST(x.read().as<double>() == x.values().data());
}

BOOST_AUTO_TEST_CASE(vectors_of_different_size_are_a_defect) {
  HostVector x(2);
  BOOST_CHECK_THROW(x.copy(HostVector(3)), Error);
  BOOST_CHECK_THROW(x.axpy(1, HostVector(3)), Error);
  BOOST_CHECK_THROW(x.dot(HostVector(3)), Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::algebra
