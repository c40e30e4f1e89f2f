// Sizes of memory as people write them.
#include "config/memory_size.hpp"

#include <boost/test/unit_test.hpp>

namespace tyto::config {

BOOST_AUTO_TEST_SUITE(memory_size)

BOOST_AUTO_TEST_CASE(reads_every_unit) {
  BOOST_TEST(parse_memory_size("8 GiB").value() == 8589934592);
  BOOST_TEST(parse_memory_size("800MB").value() == 800000000);
  BOOST_TEST(parse_memory_size("1.5 KiB").value() == 1536);
  BOOST_TEST(parse_memory_size("3 kB").value() == 3000);
  BOOST_TEST(parse_memory_size("2 MiB").value() == 2097152);
  BOOST_TEST(parse_memory_size("2 GB").value() == 2000000000);
  BOOST_TEST(parse_memory_size("1 TiB").value() == 1099511627776);
  BOOST_TEST(parse_memory_size("1024 bytes").value() == 1024);
  BOOST_TEST(parse_memory_size("64 B").value() == 64);
}

BOOST_AUTO_TEST_CASE(refuses_everything_else) {
  for (const char* text :
       {"", "8", "8 gib", "GiB", "0 GiB", "-1 GiB", "inf GiB", "8 GiB RAM", "9000000 TiB", "0.1 bytes", "nan GB"}) {
    BOOST_TEST(!parse_memory_size(text).has_value(), text);
  }
}

BOOST_AUTO_TEST_CASE(suggests_what_was_meant) {
  BOOST_TEST(suggest_memory_size("8 gib") == "8 GiB");
  BOOST_TEST(suggest_memory_size("16G") == "16 GiB");
  BOOST_TEST(suggest_memory_size("512") == "512 GiB");
  BOOST_TEST(suggest_memory_size("100 mb") == "100 MB");
  BOOST_TEST(suggest_memory_size("all") == "8 GiB");
  BOOST_TEST(suggest_memory_size("-3 GB") == "8 GiB");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::config
