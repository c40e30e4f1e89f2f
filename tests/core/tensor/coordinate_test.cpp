// Lists of entries: when they are a dense tensor, and which.
#include "tensor/coordinate.hpp"

#include <boost/test/unit_test.hpp>

using namespace tyto;
using namespace tyto::tensor;

BOOST_AUTO_TEST_CASE(a_list_is_complete_when_every_entry_is_there_once) {
  Coordinate list{{2, 2}, {0, 0, 1, 1, 1, 0, 0, 1}, {1, 4, 3, 2}};
  BOOST_TEST(list.is_complete());
  list.indices = {0, 0, 1, 1, 1, 0, 1, 0};
  BOOST_TEST(!list.is_complete());
  BOOST_TEST(!(Coordinate{{2, 2}, {0, 0}, {1}}.is_complete()));
  BOOST_TEST((Coordinate{{0, 2}, {}, {}}.is_complete()));
  const std::int64_t large = std::int64_t{1} << 40;
  BOOST_TEST(!(Coordinate{{large, large}, {0, 0}, {1}}.is_complete()));
}

BOOST_AUTO_TEST_CASE(duplicates_are_added_and_what_is_not_listed_is_zero) {
  const Coordinate list{{2, 3}, {1, 2, 0, 1, 1, 2}, {1.5, 2, 0.25}};
  const Dense dense = list.to_dense();
  const std::vector<double> expected{0, 2, 0, 0, 0, 1.75};
  BOOST_TEST(std::equal(expected.begin(), expected.end(), dense.view().as<double>()));
}
