// Memory that is used again: what is taken, what is kept, and that programs compute the same in it.
#include <boost/test/unit_test.hpp>
#include <cstring>
#include "execute/arenas.hpp"

namespace tyto::execute {

BOOST_AUTO_TEST_SUITE(arenas)

BOOST_AUTO_TEST_CASE(what_was_given_back_is_taken_again) {
  Arenas arenas(1000);
  std::int64_t bytes = 300;
  char* const first = arenas.take(bytes);
  BOOST_REQUIRE(first != nullptr);
  BOOST_TEST(bytes >= 300);
  BOOST_TEST(reinterpret_cast<std::uintptr_t>(first) % 64 == 0U);
  arenas.give_back(first, bytes);
  BOOST_TEST(arenas.idle_bytes() == bytes);
  std::int64_t less = 200;
  BOOST_TEST(arenas.take(less) == first);
  BOOST_TEST(less == bytes);
  BOOST_TEST(arenas.idle_bytes() == 0);
  arenas.give_back(first, less);
}

BOOST_AUTO_TEST_CASE(the_smallest_that_is_large_enough_is_taken_unless_most_of_it_were_wasted) {
  Arenas arenas(10000);
  std::int64_t small = 100, middle = 500, large = 3000;
  char *const a = arenas.take(small), *const b = arenas.take(middle), *const c = arenas.take(large);
  arenas.give_back(a, small), arenas.give_back(b, middle), arenas.give_back(c, large);
  std::int64_t bytes = 400;
  BOOST_TEST(arenas.take(bytes) == b);
  arenas.give_back(b, bytes);
  bytes = 1000;
  char* const fresh = arenas.take(bytes);
  BOOST_TEST(fresh != c);
  arenas.give_back(fresh, bytes);
}

BOOST_AUTO_TEST_CASE(no_more_is_kept_than_was_said) {
  Arenas arenas(1000);
  std::int64_t small = 300, large = 900;
  char *const a = arenas.take(small), *const b = arenas.take(large);
  arenas.give_back(a, small), arenas.give_back(b, large);
  BOOST_TEST(arenas.idle_bytes() == large);
}

BOOST_AUTO_TEST_CASE(what_the_machine_does_not_have_is_null) {
  Arenas arenas(1000);
  std::int64_t bytes = available_bytes() + 1;
  BOOST_TEST(arenas.take(bytes) == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::execute
