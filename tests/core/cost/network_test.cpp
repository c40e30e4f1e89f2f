// Costs of pairs, and paths against the enumeration of all of them.
#include "cost/path.hpp"
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <random>
#include "core/cost/random_network.hpp"

using namespace tyto;
using cost::Cost;
using cost::Network;
using cost::random_network;
using einsum::Labels;

namespace {

/// The cheapest way to contract these values, trying every pair first.
Cost least_cost(const std::vector<Labels>& values, const Network& network) {
  if (values.size() < 2) return {};
  Cost least{.flops = 1e300};
  for (std::size_t a = 0; a < values.size(); ++a)
    for (std::size_t b = a + 1; b < values.size(); ++b) {
      std::vector<Labels> rest;
      for (std::size_t k = 0; k < values.size(); ++k)
        if (k != a && k != b) rest.push_back(values[k]);
      const Labels out = cost::joined_labels(values[a], values[b], rest, network.subscripts.output);
      const Cost here = cost::pair_cost(values[a], values[b], out, network.extents);
      rest.push_back(out);
      least = std::min(least, here + least_cost(rest, network));
    }
  return least;
}

/// What a path costs, checked to be one: every value is used once.
Cost cost_of(const cost::Path& path, const Network& network) {
  std::vector<Labels> values = network.subscripts.inputs;
  std::vector<char> used(values.size() + path.pairs.size(), 0);
  BOOST_TEST_REQUIRE(path.pairs.size() + 1 == values.size());
  Cost total;
  for (const auto& [a, b] : path.pairs) {
    for (const std::int32_t k : {a, b}) {
      BOOST_TEST_REQUIRE((k >= 0 && k < static_cast<std::int32_t>(values.size())));
      BOOST_TEST_REQUIRE(!used[static_cast<std::size_t>(k)]);
      used[static_cast<std::size_t>(k)] = 1;
    }
    std::vector<Labels> rest;
    for (std::size_t k = 0; k < values.size(); ++k)
      if (used[k] == 0) rest.push_back(values[k]);
    const Labels &left = values[static_cast<std::size_t>(a)], &right = values[static_cast<std::size_t>(b)];
    const Labels out = cost::joined_labels(left, right, rest, network.subscripts.output);
    total += cost::pair_cost(left, right, out, network.extents);
    values.push_back(out);
  }
  return total;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_matrix_product_counts_a_multiply_and_an_add_per_point) {
  const Cost c = cost::pair_cost({0, 1}, {1, 2}, {0, 2}, {3, 4, 5});
  BOOST_TEST(c.flops == 2 * 3 * 4 * 5);
  BOOST_TEST(c.elements == 3 * 4 + 4 * 5 + 3 * 5);
  BOOST_TEST(c.breaks == 0);
}
BOOST_AUTO_TEST_CASE(an_outer_product_counts_no_additions) { BOOST_TEST(cost::pair_cost({0}, {1}, {0, 1}, {3, 4}).flops == 12); }
BOOST_AUTO_TEST_CASE(a_diagonal_counts_its_points_once) {
  BOOST_TEST(cost::pair_cost({0, 0}, {0, 1}, {1}, {3, 4}).flops == 24);
  BOOST_TEST(cost::element_count({0, 0, 1}, {3, 4}) == 12);
}
BOOST_AUTO_TEST_CASE(axes_that_alternate_between_kept_and_summed_are_breaks) {
  BOOST_TEST(cost::pair_cost({0, 1, 2}, {1, 3}, {0, 2, 3}, {2, 2, 2, 2}).breaks == 1);
}
BOOST_AUTO_TEST_CASE(costs_compare_flops_then_elements_then_breaks) {
  BOOST_TEST((Cost{1, 9, 9} < Cost{2, 0, 0}));
  BOOST_TEST((Cost{1, 1, 9} < Cost{1, 2, 0}));
  BOOST_TEST((Cost{1, 1, 1} < Cost{1, 1, 2}));
}
BOOST_AUTO_TEST_CASE(the_path_of_few_operands_is_the_cheapest) {
  std::mt19937_64 engine(1);
  for (int k = 0; k < 120; ++k) {
    const Network network = random_network(engine, 1 + static_cast<std::size_t>(k % 6), 6);
    const cost::Path path = cost::best_path(network);
    BOOST_TEST((path.total == least_cost(network.subscripts.inputs, network)), "case " << k);
    BOOST_TEST((path.total == cost_of(path, network)), "case " << k);
  }
}
BOOST_AUTO_TEST_CASE(the_path_of_many_operands_is_one) {
  std::mt19937_64 engine(2);
  for (int k = 0; k < 20; ++k) {
    const Network network = random_network(engine, 17 + static_cast<std::size_t>(k), 12);
    const cost::Path path = cost::best_path(network);
    BOOST_TEST((path.total == cost_of(path, network)), "case " << k);
  }
}
BOOST_AUTO_TEST_CASE(a_chain_of_sixty_matrices_is_contracted_along_the_chain) {
  Network network;
  for (int k = 0; k < 60; ++k) network.subscripts.inputs.push_back({k, k + 1});
  network.subscripts.output = {0, 60};
  network.extents.assign(61, 2);
  const cost::Path path = cost::best_path(network);
  BOOST_TEST(path.total.flops == 59 * 16);  // every step a product of 2 x 2 matrices, never an outer product
  BOOST_TEST((path.total == cost_of(path, network)));
}
