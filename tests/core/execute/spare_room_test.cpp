// Memory that is reserved at its first use.
#include "execute/spare_room.hpp"
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include "tyto/error.hpp"

using namespace tyto;
using execute::SpareRoom;

BOOST_AUTO_TEST_CASE(spare_room_stays_where_it_is_and_is_aligned) {
  SpareRoom room(1000);
  char* const memory = room.memory();
  for (std::int64_t k = 0; k < room.bytes(); ++k) memory[k] = static_cast<char>(k);
  BOOST_TEST(reinterpret_cast<std::uintptr_t>(memory) % 64 == 0U);
  BOOST_TEST((room.memory() == memory));
}

BOOST_AUTO_TEST_CASE(spare_room_larger_than_the_machine_is_an_error_when_it_is_used_only) {
  SpareRoom room(std::int64_t{1} << 60);
  const auto is_of_memory = [](const Error& error) { return error.findings().front().code == Code::memory; };
  BOOST_CHECK_EXCEPTION(room.memory(), Error, is_of_memory);
}
