// Descriptors of arrays: counting elements and asking for a type.
#include "tyto/array.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>
#include "core/tensor/files.hpp"

using namespace tyto;
using tyto::tensor::error_of;

BOOST_AUTO_TEST_CASE(types_have_names) {
  BOOST_TEST(name_of(Dtype::i16) == std::string("i16"));
  BOOST_TEST(name_of(Dtype::f64) == std::string("f64"));
  BOOST_TEST(name_of(Dtype::c128) == std::string("c128"));
}

BOOST_AUTO_TEST_CASE(elements_are_counted_without_overflow) {
  BOOST_TEST(element_count({}) == 1);
  BOOST_TEST(element_count({2, 3, 4}) == 24);
  const std::int64_t large = std::int64_t{1} << 40;
  BOOST_TEST(element_count({large, large, 0}) == 0);
  BOOST_TEST(element_count({0, large, large}) == 0);
  BOOST_TEST(error_of([&] {
               element_count({large, large});
             }) ==
             "an array of 1099511627776 x 1099511627776 has too many elements\n"
             "  expected  fewer than 9223372036854775808 elements");
  BOOST_TEST(error_of([] {
               element_count({0, -2});
             }) ==
             "the extents 0 x -2 are not those of an array\n"
             "  expected  extents of 0 or more\n"
             "  found     -2");
}

BOOST_AUTO_TEST_CASE(strides_that_do_not_fit_are_the_largest_number_that_does) {
  BOOST_TEST((row_major({2, 3, 4}) == Extents{12, 4, 1}));
  BOOST_TEST((row_major({2, 0, 4}) == Extents{0, 4, 1}));
  BOOST_TEST(row_major({}).empty());
  const std::int64_t large = std::int64_t{1} << 40, largest = std::numeric_limits<std::int64_t>::max();
  BOOST_TEST((row_major({0, large, large}) == Extents{largest, large, 1}));
  BOOST_TEST((row_major({2, 0, large, large}) == Extents{0, largest, large, 1}));
}

BOOST_AUTO_TEST_CASE(another_type_is_refused_and_not_converted) {
  const std::vector<double> values(6);
  ConstArray array(values.data(), {2, 3});
  BOOST_TEST(array.as<double>() == values.data());
  BOOST_TEST(error_of([&] { array.as<float>(); }) ==
             "the array does not hold elements of type f32\n"
             "  expected  f32\n"
             "  found     f64\n"
             "  try       copying the array with the type you need: nothing is converted here");
  array.space = Space::device;
  BOOST_TEST(error_of([&] { array.as<double>(); }) ==
             "the array lies on a device\n"
             "  expected  an array in host memory\n"
             "  found     an array in device memory\n"
             "  try       copying it to the host first");
}
