// The communicator of one process.
#include "communicator/communicator.hpp"

#include <boost/test/unit_test.hpp>
#include <array>
#include <type_traits>
#include "tyto/error.hpp"

using namespace tyto;
using namespace tyto::communicator;

BOOST_AUTO_TEST_CASE(one_process_is_rank_zero_of_one) {
  const auto self = self_communicator();
  BOOST_TEST(self->rank() == 0);
  BOOST_TEST(self->size() == 1);
}

BOOST_AUTO_TEST_CASE(reductions_over_one_process_keep_the_values) {
  const auto self = self_communicator();
  std::array<double, 3> reals{1.5, -2.0, 1e300};
  std::array<std::int64_t, 2> integers{-7, 9};
  self->allreduce_sum(reals);
  self->allreduce_min(integers);
  self->allreduce_max(integers);
  BOOST_TEST((reals == std::array<double, 3>{1.5, -2.0, 1e300}));
  BOOST_TEST((integers == std::array<std::int64_t, 2>{-7, 9}));
}

BOOST_AUTO_TEST_CASE(a_broadcast_from_oneself_keeps_the_bytes) {
  const auto self = self_communicator();
  std::array<std::byte, 2> bytes{std::byte{1}, std::byte{2}};
  self->broadcast(bytes, 0);
  self->barrier();
  BOOST_TEST((bytes == std::array<std::byte, 2>{std::byte{1}, std::byte{2}}));
  BOOST_CHECK_THROW(self->broadcast(bytes, 1), Error);
}

BOOST_AUTO_TEST_CASE(a_part_of_one_process_is_one_process) {
  const auto part = self_communicator()->split(3, 5);
  BOOST_TEST(part->rank() == 0);
  BOOST_TEST(part->size() == 1);
  BOOST_CHECK_THROW(part->split(-1, 0), Error);
}

BOOST_AUTO_TEST_CASE(communicators_are_destroyed_through_the_interface) { BOOST_TEST(std::has_virtual_destructor_v<Communicator>); }
