#include "result/names.hpp"
#include <boost/test/unit_test.hpp>

using tyto::result::array_files;
using Texts = std::vector<std::string>;

BOOST_AUTO_TEST_SUITE(names)

BOOST_AUTO_TEST_CASE(items_of_lists_keep_their_brackets) {
  BOOST_TEST((array_files("unknowns", {"A_0", "psi[3]"}) == Texts{"unknowns/A_0.npy", "unknowns/psi[3].npy"}));
}

BOOST_AUTO_TEST_CASE(no_name_leaves_the_folder) {
  BOOST_TEST(
      (array_files("u", {"../../etc/x", "..", "", "a\nb"}) == Texts{"u/_._.._etc_x.npy", "u/_..npy", "u/_.npy", "u/a_b.npy"}));
}

BOOST_AUTO_TEST_CASE(names_that_would_meet_get_a_number) {
  BOOST_TEST((array_files("u", {"a/b", "a_b", "a\\b"}) == Texts{"u/a_b.npy", "u/a_b~2.npy", "u/a_b~3.npy"}));
}

BOOST_AUTO_TEST_SUITE_END()
