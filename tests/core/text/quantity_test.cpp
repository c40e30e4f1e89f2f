// How sizes, operations and times are written.
#include "text/quantity.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

namespace tyto {

BOOST_AUTO_TEST_SUITE(quantity)

BOOST_AUTO_TEST_CASE(sizes_have_three_digits_and_a_unit_in_powers_of_1000) {
  BOOST_TEST(text_of_bytes(0.0) == "0 bytes");
  BOOST_TEST(text_of_bytes(std::int64_t{1}) == "1 byte");
  BOOST_TEST(text_of_bytes(std::int64_t{999}) == "999 bytes");
  BOOST_TEST(text_of_bytes(std::int64_t{1000}) == "1.00 kB");
  BOOST_TEST(text_of_bytes(std::int64_t{1536}) == "1.54 kB");
  BOOST_TEST(text_of_bytes(std::int64_t{48'900'000}) == "48.9 MB");
  BOOST_TEST(text_of_bytes(std::int64_t{120} << 30) == "129 GB");
  BOOST_TEST(text_of_bytes(2425.0 * 10816 * 29567 * 8) == "6.20 TB");
}

BOOST_AUTO_TEST_CASE(what_rounds_up_to_a_thousand_takes_the_next_unit) {
  BOOST_TEST(text_of_bytes(std::int64_t{999'499}) == "999 kB");
  BOOST_TEST(text_of_bytes(std::int64_t{999'500}) == "1.00 MB");
  BOOST_TEST(text_of_bytes(std::int64_t{9'996}) == "10.0 kB");
  BOOST_TEST(text_of_bytes(std::int64_t{99'960}) == "100 kB");
}

BOOST_AUTO_TEST_CASE(sizes_beyond_all_units_are_still_written) {
  BOOST_TEST(text_of_bytes(std::numeric_limits<std::int64_t>::max()) == "9.22 EB");
  BOOST_TEST(text_of_bytes(1e40) == "1.0e+22 EB");
}

BOOST_AUTO_TEST_CASE(megaflops_fit_a_column) {
  BOOST_TEST(text_of_megaflops(0) == "0.00");
  BOOST_TEST(text_of_megaflops(2'100) == "0.0021");
  BOOST_TEST(text_of_megaflops(13'930'000) == "13.93");
  BOOST_TEST(text_of_megaflops(1'234'400'000) == "1234");
}

BOOST_AUTO_TEST_CASE(times_take_the_unit_that_people_would_use) {
  BOOST_TEST(text_of_seconds(0.0042) == "0.0042 s");
  BOOST_TEST(text_of_seconds(0.3123) == "0.31 s");
  BOOST_TEST(text_of_seconds(12.34) == "12.3 s");
  BOOST_TEST(text_of_seconds(75) == "1 min 15 s");
  BOOST_TEST(text_of_seconds(7380) == "2 h 3 min");
  BOOST_TEST(text_of_seconds(std::numeric_limits<double>::infinity()) == "unknown");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto
