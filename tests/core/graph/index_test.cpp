// Labels over dimensions.
#include <boost/test/unit_test.hpp>
#include "evaluate/error_text.hpp"
#include "tyto/expr.hpp"

using namespace tyto::v1;
using tyto::test::error_of;

BOOST_AUTO_TEST_CASE(labels_over_one_dimension_differ_by_name_and_indices_by_dimension) {
  const Index i("i", 3), other("i", 3);
  BOOST_TEST((i == i.as("i")));
  BOOST_TEST((i != i.prime()));
  BOOST_TEST((i != other));
  BOOST_TEST((i.prime() == i.as("i'")));
  BOOST_TEST(i.prime().prime().name() == "i''");
  BOOST_TEST((i.as("p").dimension() == i.dimension()));
}

BOOST_AUTO_TEST_CASE(extents_are_fixed_or_vary_up_to_a_capacity) {
  const Index fixed("i", 3), varying("s", 2, 8), empty("e", 0);
  BOOST_TEST(fixed.extent() == 3);
  BOOST_TEST(fixed.capacity() == 3);
  BOOST_TEST(!fixed.varies());
  BOOST_TEST(varying.extent() == 2);
  BOOST_TEST(varying.capacity() == 8);
  BOOST_TEST(varying.varies());
  BOOST_TEST(empty.extent() == 0);
}

BOOST_AUTO_TEST_CASE(extents_out_of_range_are_refused) {
  BOOST_TEST(error_of([] { Index("i", -1); }) == "index 'i' has a negative extent\n  expected  >= 0\n  found     -1");
  BOOST_TEST(error_of([] { Index("i", 0, 4); }) == "index 'i' starts outside its range\n  expected  1..4\n  found     0");
  BOOST_TEST(error_of([] { Index("i", 5, 4); }) == "index 'i' starts outside its range\n  expected  1..4\n  found     5");
}

BOOST_AUTO_TEST_CASE(an_index_that_was_never_made_is_refused_wherever_it_is_used) {
  const std::string refused = "an index that was never made is used\n  expected  Index(name, extent)\n  found     Index()";
  const Index none;
  BOOST_TEST(error_of([&] { (void)none.extent(); }) == refused);
  BOOST_TEST(error_of([&] { (void)none.capacity(); }) == refused);
  BOOST_TEST(error_of([&] { (void)none.varies(); }) == refused);
  BOOST_TEST(error_of([&] { (void)none.as("i"); }) == refused);
  BOOST_TEST(error_of([&] { (void)none.prime(); }) == refused);
  BOOST_TEST(error_of([&] { (void)tensor("A", {none}); }) == refused);
  BOOST_TEST(error_of([&] { (void)tensor("A", {Index("i", 2)})({none}); }) == refused);
  BOOST_TEST(error_of([&] { (void)identity(none, Index("i", 2)); }) == refused);
  BOOST_TEST(error_of([&] { (void)expand(tensor("A", {Index("i", 2)}), {none}); }) == refused);
}
