#include "execute/occupancy.hpp"
#include <boost/test/unit_test.hpp>

using namespace tyto;
using execute::Occupancy;
using program::Buffer;

namespace {

/// So many numbers from a place on, in bytes.
Buffer buffer(std::int64_t offset, std::int64_t count) {
  return {.name = "T", .storage = program::Storage::arena, .extents = {count}, .strides = {1}, .offset = offset};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_value_is_there_until_something_is_written_over_it) {
  Occupancy arena({buffer(0, 4), buffer(32, 4), buffer(16, 4)});  // the third lies over halves of the others
  BOOST_TEST(!arena.holds(0));
  arena.clear(0), arena.fill(0);
  arena.clear(1), arena.fill(1);
  BOOST_TEST(arena.holds(0));
  BOOST_TEST(arena.holds(1));
  arena.clear(2);
  BOOST_TEST(!arena.holds(0));
  BOOST_TEST(!arena.holds(1));
  BOOST_TEST(!arena.holds(2));  // until it is written
  arena.fill(2);
  BOOST_TEST(arena.holds(2));
  arena.clear(1), arena.fill(1);
  BOOST_TEST(arena.holds(1));
  BOOST_TEST(!arena.holds(2));
}

BOOST_AUTO_TEST_CASE(neighbours_share_nothing) {
  Occupancy arena({buffer(0, 4), buffer(32, 4)});
  arena.clear(0), arena.fill(0);
  arena.clear(1), arena.fill(1);
  BOOST_TEST(arena.holds(0));
}

BOOST_AUTO_TEST_CASE(a_buffer_without_elements_is_there_once_it_was_written) {
  Occupancy arena({buffer(0, 0), buffer(0, 4)});
  BOOST_TEST(!arena.holds(0));
  arena.clear(0), arena.fill(0);
  arena.clear(1), arena.fill(1);
  BOOST_TEST(arena.holds(0));
  BOOST_TEST(arena.holds(1));
}

BOOST_AUTO_TEST_CASE(gaps_between_strides_belong_to_the_buffer) {
  Buffer strided = buffer(0, 4);
  strided.strides = {3};
  Occupancy arena({strided, buffer(8, 1)});
  arena.clear(0), arena.fill(0);
  arena.clear(1), arena.fill(1);
  BOOST_TEST(!arena.holds(0));
}
