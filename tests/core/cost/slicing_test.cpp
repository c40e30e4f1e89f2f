// Paths within a memory limit.
#include "cost/slicing.hpp"
#include <boost/test/unit_test.hpp>
#include "core/cost/random_network.hpp"
#include "tyto/error.hpp"

using namespace tyto::v1;
using namespace tyto;
using namespace tyto::cost;

BOOST_AUTO_TEST_CASE(a_limit_that_the_cheapest_path_keeps_slices_nothing) {
  const Network network = lattice(4, 4);
  const Sliced sliced = sliced_path(network, 1e9);
  BOOST_TEST(sliced.labels.empty());
  BOOST_TEST(sliced.slices == 1);
  BOOST_TEST((sliced.total == best_path(network).total));
}
BOOST_AUTO_TEST_CASE(slices_keep_the_limit_and_are_counted) {
  for (const Network& network : {lattice(4, 4, 4), lattice(5, 6, 3)})
    for (const Limited limited : {Limited::largest, Limited::peak}) {
      const double most = 80;
      const Sliced sliced = sliced_path(network, most, limited);
      BOOST_TEST(sliced.slices > 1);
      double product = 1;
      for (const einsum::Label label : sliced.labels)
        product *= static_cast<double>(network.extents[static_cast<std::size_t>(label)]);
      BOOST_TEST(sliced.slices == product);
      BOOST_TEST((limited == Limited::peak ? sliced.path.peak : sliced.path.largest) <= most);
      const Path one = measured(slice_of(network, sliced.labels), sliced.path.pairs);
      BOOST_TEST(sliced.total.flops == sliced.slices * one.total.flops + sliced.slices - 1);  // the sum of scalars
    }
}
BOOST_AUTO_TEST_CASE(another_path_is_taken_where_that_is_cheaper_than_slices) {
  // A (B C) has nothing larger than the 30 x 2 of B C; (A B) C has 30 x 30.
  const Network network{{{{0, 1}, {1, 2}, {2, 3}}, {0, 3}}, {30, 2, 30, 2}};
  const Sliced sliced = sliced_path(network, 60);
  BOOST_TEST(sliced.path.largest <= 60);
  BOOST_TEST(sliced.slices == 1);
}
BOOST_AUTO_TEST_CASE(random_networks_meet_any_limit_from_the_size_of_their_result_on) {
  std::mt19937_64 engine(6);
  for (int k = 0; k < 40; ++k) {
    const Network network = random_network(engine, 2 + static_cast<std::size_t>(k % 20), 9);
    const double least = element_count(network.subscripts.output, network.extents);
    for (const einsum::Label label : sliced_path(network, least).labels)
      BOOST_TEST(!einsum::contains(network.subscripts.output, label));
    BOOST_TEST(sliced_path(network, least).path.largest <= std::max(least, 0.0), "case " << k);
  }
}
BOOST_AUTO_TEST_CASE(a_limit_below_the_result_is_an_error_that_says_the_smallest) {
  const Network network{{{{0, 1}, {1, 2}, {2, 3}}, {0, 3}}, {30, 2, 30, 2}};
  try {
    sliced_path(network, 40);
    BOOST_FAIL("no error");
  } catch (const Error& error) {
    BOOST_TEST((error.findings()[0].code == Code::memory));
    BOOST_TEST(error.what() ==
               "the memory limit cannot be met\n"
               "  expected  a limit of at least 60 elements\n"
               "  found     40 elements\n"
               "  try       the result, and what is alive beside it, cannot be sliced");
  }
}
