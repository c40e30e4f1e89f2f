// Estimates from numbers of entries.
#include <boost/test/unit_test.hpp>
#include "core/cost/random_network.hpp"
#include "cost/value.hpp"

using namespace tyto;
using namespace tyto::cost;

namespace {

Network with_full_statistics(Network network) {
  for (const einsum::Labels& labels : network.subscripts.inputs) {
    Statistics full{element_count(labels, network.extents), {}};
    for (const einsum::Label label : labels)
      full.distinct.push_back(static_cast<double>(network.extents[static_cast<std::size_t>(label)]));
    network.statistics.push_back(full);
  }
  return network;
}

}  // namespace

BOOST_AUTO_TEST_CASE(statistics_of_full_operands_change_nothing) {
  std::mt19937_64 engine(7);
  for (int k = 0; k < 40; ++k) {
    const Network network = random_network(engine, 3 + static_cast<std::size_t>(k % 4), 6);
    const Path dense = best_path(network), estimated = best_path(with_full_statistics(network));
    BOOST_TEST(std::abs(estimated.total.flops - dense.total.flops) <= 1e-9 * dense.total.flops, "case " << k);
    const Path same = measured(with_full_statistics(network), dense.pairs);
    BOOST_TEST(std::abs(same.total.elements - dense.total.elements) <= 1e-9 * dense.total.elements, "case " << k);
    BOOST_TEST(std::abs(same.peak - dense.peak) <= 1e-9 * dense.peak, "case " << k);
  }
}
BOOST_AUTO_TEST_CASE(a_sparse_product_is_estimated_as_a_join) {
  // 200 entries in 20 rows and 10 columns join 50 entries in 5 rows and 25 columns: 200 * 50 / max(10, 5) pairs.
  Network network{{{{0, 1}, {1, 2}}, {0, 2}}, {1000, 1000, 1000}};
  network.statistics = {{200, {20, 10}}, {50, {5, 25}}};
  const Path path = measured(network, {{0, 1}});
  BOOST_TEST(std::abs(path.total.flops - 2 * 1000) < 1e-6);
  BOOST_TEST(std::abs(path.largest - 20 * 25) < 1e-6);  // fewer places than pairs
}
BOOST_AUTO_TEST_CASE(the_path_of_a_sparse_chain_begins_where_entries_are_few) {
  Network network{{{{0, 1}, {1, 2}, {2, 3}}, {0, 3}}, {100, 100, 100, 100}};
  network.statistics = {{10000, {100, 100}}, {100, {100, 100}}, {10, {10, 10}}};
  BOOST_TEST((best_path(network).pairs[0] == std::pair<std::int32_t, std::int32_t>{1, 2}));
  network.statistics = {{10, {10, 10}}, {100, {100, 100}}, {10000, {100, 100}}};
  BOOST_TEST((best_path(network).pairs[0] == std::pair<std::int32_t, std::int32_t>{0, 1}));
}
BOOST_AUTO_TEST_CASE(search_and_exact_solution_agree_on_estimates) {
  std::mt19937_64 engine(8);
  for (int k = 0; k < 20; ++k) {
    Network network = with_full_statistics(random_network(engine, 6, 7, 2));
    for (Statistics& s : network.statistics) {
      s.nonzeros = 1 + s.nonzeros / 4;
      for (double& distinct : s.distinct) distinct = 1 + distinct / 2;
    }
    const double exact = best_path(network).total.flops, searched = best_path(network, {.exact_operands = 2}).total.flops;
    BOOST_TEST(exact <= searched * (1 + 1e-9), "case " << k);
    BOOST_TEST(searched <= exact * 1.05, "case " << k);
  }
}
