// Paths against the enumeration of all trees, and what holds for those of networks too large for that.
#include "cost/path.hpp"
#include <boost/test/unit_test.hpp>
#include <functional>
#include "core/cost/random_network.hpp"

using namespace tyto::v1;
using namespace tyto;
using namespace tyto::cost;

namespace {

/// Every tree once, as pairs of sets in the order of a path that finishes each value before it begins its sibling, both ways round.
void for_each_depth_first_path(const Network& network, const std::function<void(const Path&)>& visit) {
  using Pairs = std::vector<std::pair<std::int32_t, std::int32_t>>;
  using Set = std::uint32_t;
  // All ways to make a set: pairs numbered from `next` on; the last one makes it.
  const auto n = static_cast<std::int32_t>(network.subscripts.inputs.size());
  std::function<void(Set, const Pairs&, const std::function<void(const Pairs&, std::int32_t)>&)> make =
      [&](Set set, const Pairs& before, const std::function<void(const Pairs&, std::int32_t)>& then) {
        if (std::has_single_bit(set)) return then(before, std::countr_zero(set));
        for (Set part = (set - 1) & set; part != 0; part = (part - 1) & set)
          make(part, before, [&, part](const Pairs& with_part, std::int32_t a) {
            make(set ^ part, with_part, [&, a](const Pairs& with_both, std::int32_t b) {
              Pairs pairs = with_both;
              pairs.emplace_back(a, b);
              then(pairs, n + static_cast<std::int32_t>(pairs.size()) - 1);
            });
          });
      };
  make((Set{1} << n) - 1, {}, [&](const Pairs& pairs, std::int32_t) { visit(measured(network, pairs)); });
}

/// Each operand changes on some of four occasions, or never.
Network with_changes(Network network, std::mt19937_64& engine) {
  const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine); };
  for (int occasion = 0; occasion < 4; ++occasion) network.changes.times.push_back(1 + below(20));
  for (std::size_t k = 0; k < network.subscripts.inputs.size(); ++k)
    network.changes.operands.push_back(static_cast<std::uint64_t>(below(4) == 0 ? 0 : below(16)));
  return network;
}

double minimized(const Path& path, Minimize minimize) {
  return minimize == Minimize::flops ? path.total.flops : minimize == Minimize::elements ? path.total.elements : path.peak;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_path_of_few_operands_is_the_cheapest_for_each_thing_to_minimize) {
  std::mt19937_64 engine(3);
  for (int k = 0; k < 60; ++k) {
    const Network network = random_network(engine, 2 + static_cast<std::size_t>(k % 4), 5, k % 2);
    for (const Minimize minimize : {Minimize::flops, Minimize::elements, Minimize::peak}) {
      double least = 1e300;
      for_each_depth_first_path(network, [&](const Path& path) { least = std::min(least, minimized(path, minimize)); });
      BOOST_TEST(minimized(best_path(network, {.minimize = minimize}), minimize) == least,
                 "case " << k << ", minimize " << static_cast<int>(minimize));
    }
  }
}
BOOST_AUTO_TEST_CASE(the_cheapest_paths_are_the_cheapest_trees_in_order) {
  std::mt19937_64 engine(4);
  for (int k = 0; k < 40; ++k) {
    const Network network = random_network(engine, 3 + static_cast<std::size_t>(k % 3), 5);
    std::vector<double> all;  // of each tree as often as it has orders of children: 2^(n-1)
    for_each_depth_first_path(network, [&](const Path& path) { all.push_back(path.total.flops); });
    std::sort(all.begin(), all.end());
    const std::size_t orders = std::size_t{1} << (network.subscripts.inputs.size() - 1);
    const std::vector<Path> paths = cheapest_paths(network, 7);
    BOOST_TEST_REQUIRE(paths.size() == std::min<std::size_t>(7, all.size() / orders));
    for (std::size_t m = 0; m < paths.size(); ++m) {
      BOOST_TEST(paths[m].total.flops == all[m * orders], "case " << k << ", path " << m);
      for (std::size_t other = 0; other < m; ++other) BOOST_TEST((paths[m].pairs != paths[other].pairs));
    }
  }
}
BOOST_AUTO_TEST_CASE(search_finds_the_cheapest_path_of_few_operands_too) {
  std::mt19937_64 engine(5);
  for (int k = 0; k < 30; ++k) {
    const Network network = random_network(engine, 7, 8);
    const Path exact = best_path(network), searched = best_path(network, {.exact_operands = 2});
    BOOST_TEST(searched.total.flops >= exact.total.flops, "case " << k);
    BOOST_TEST(searched.total.flops <= 1.0001 * exact.total.flops, "case " << k);
  }
}
BOOST_AUTO_TEST_CASE(a_contraction_costs_as_often_as_an_operand_below_it_has_changed) {
  // A and B change on one occasion that comes 3 times, C on two that come 5 times in all, D never.
  const Network network{{{{0, 1}, {1, 2}, {2, 3}, {3, 4}}, {0, 4}}, {2, 3, 4, 5, 6}, {}, {{3, 2}, {0b01, 0b01, 0b11, 0}}};
  const Path path = measured(network, {{0, 1}, {2, 3}, {4, 5}});
  BOOST_TEST(path.total.flops == 3 * (2 * 2 * 3 * 4) + 5 * (2 * 4 * 5 * 6) + 5 * (2 * 2 * 4 * 6));
  BOOST_TEST(path.peak == 2 * 4 + 4 * 6 + 2 * 6);
  const Network constant{{{{0, 1}, {1, 2}}, {0, 2}}, {2, 3, 4}, {}, {{}, {0, 0}}};
  BOOST_TEST(measured(constant, {{0, 1}}).total.flops == seldom * (2 * 2 * 3 * 4));
}
BOOST_AUTO_TEST_CASE(paths_are_the_cheapest_of_a_cycle_in_which_operands_change) {
  std::mt19937_64 engine(7);
  for (int k = 0; k < 60; ++k) {
    const Network network = with_changes(random_network(engine, 2 + static_cast<std::size_t>(k % 4), 5), engine);
    for (const Minimize minimize : {Minimize::flops, Minimize::elements}) {
      double least = 1e300;
      for_each_depth_first_path(network, [&](const Path& path) { least = std::min(least, minimized(path, minimize)); });
      BOOST_TEST(minimized(best_path(network, {.minimize = minimize}), minimize) <= least * (1 + 1e-12),
                 "case " << k << ", minimize " << static_cast<int>(minimize));
    }
    const Network larger = with_changes(random_network(engine, 7, 8), engine);
    const double exact = best_path(larger).total.flops, searched = best_path(larger, {.exact_operands = 2}).total.flops;
    BOOST_TEST(searched >= exact * (1 - 1e-12), "case " << k);
    BOOST_TEST(searched <= exact * 1.01, "case " << k << ": " << searched << " for " << exact);
  }
}
BOOST_AUTO_TEST_CASE(the_peak_counts_results_that_are_alive_at_once) {
  const Network network{{{{0, 1}, {1, 2}, {2, 3}, {3, 4}}, {0, 4}}, {2, 3, 4, 5, 6}};
  const Path path = measured(network, {{0, 1}, {2, 3}, {4, 5}});
  BOOST_TEST(path.peak == 2 * 4 + 4 * 6 + 2 * 6);
  BOOST_TEST(path.largest == 4 * 6);
  BOOST_TEST(path.total.flops == 2 * (2 * 3 * 4 + 4 * 5 * 6 + 2 * 4 * 6));
}
BOOST_AUTO_TEST_CASE(peaks_of_larger_networks_get_no_worse_by_asking_for_them) {
  const Network network = lattice(5, 5);
  BOOST_TEST(best_path(network, {.minimize = Minimize::peak}).peak <= best_path(network).peak);
}
BOOST_AUTO_TEST_CASE(a_lattice_is_contracted_along_its_shorter_side) {
  const Path path = best_path(lattice(40, 4));
  BOOST_TEST(path.largest <= 0x1p6);
  BOOST_TEST(path.total.flops <= 160 * 0x1p8);
}
BOOST_AUTO_TEST_CASE(parts_without_a_common_label_are_joined_last) {
  Network network;
  for (int k = 0; k < 20; ++k) network.subscripts.inputs.push_back({k / 2 * 2, k / 2 * 2 + 1});
  network.extents.assign(20, 10);
  const Path path = best_path(network);
  BOOST_TEST(path.total.flops == 10 * 200 + 9);
}
BOOST_AUTO_TEST_CASE(the_same_search_gives_the_same_path) {
  const Network network = lattice(6, 6, 3);
  const Path first = best_path(network), again = best_path(network);
  BOOST_TEST((first.pairs == again.pairs));
  BOOST_TEST((first.total == again.total));
}
BOOST_AUTO_TEST_CASE(cheapest_paths_of_many_operands_differ_and_ascend) {
  const std::vector<Path> paths = cheapest_paths(lattice(5, 6, 3), 4);
  BOOST_TEST_REQUIRE(paths.size() == 4u);
  for (std::size_t k = 1; k < paths.size(); ++k) {
    BOOST_TEST((paths[k - 1].total <= paths[k].total));
    BOOST_TEST((paths[k - 1].pairs != paths[k].pairs));
  }
}
BOOST_AUTO_TEST_CASE(nothing_and_one_operand_have_an_empty_path) {
  BOOST_TEST(best_path({}).pairs.empty());
  BOOST_TEST(best_path({{{{0, 0}}, {}}, {3}}).pairs.empty());
}
BOOST_AUTO_TEST_CASE(numbers_beyond_double_do_not_stop_the_search) {
  Network network;  // 40 operands, each with 40 labels of 1e9 of its own that the output keeps
  for (int k = 0; k < 40; ++k) {
    network.subscripts.inputs.emplace_back();
    for (int l = 0; l < 40; ++l)
      network.subscripts.inputs.back().push_back(40 * k + l), network.subscripts.output.push_back(40 * k + l);
  }
  network.extents.assign(1600, 1000000000);
  BOOST_TEST(best_path(network).pairs.size() == 39u);
  BOOST_TEST(best_path({{{network.subscripts.inputs[0], network.subscripts.inputs[1]}, {}}, network.extents}).pairs.size() == 1u);
}
BOOST_AUTO_TEST_CASE(thousands_of_operands_are_planned_at_once) {
  Network chain;
  for (int k = 0; k < 5000; ++k) chain.subscripts.inputs.push_back({k, k + 1});
  chain.subscripts.output = {0, 5000};
  chain.extents.assign(5001, 2);
  BOOST_TEST(best_path(chain).total.flops == 4999 * 16);
  Network star;  // a label of all
  for (int k = 0; k < 5000; ++k) star.subscripts.inputs.push_back({0, 1 + k});
  star.subscripts.output = {0};
  star.extents.assign(5001, 3);
  BOOST_TEST(best_path(star).pairs.size() == 4999u);
}
