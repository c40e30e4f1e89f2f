// The search for a schedule against an exhaustive one that knows no dominance, and against the count of the literature.
#include <boost/test/unit_test.hpp>
#include <random>
#include <fmt/format.h>
#include "core/optimize/cp_sweeps.hpp"
#include "core/optimize/exhaustive_schedules.hpp"

using namespace tyto;
using optimize::Demand;
using optimize::Operands;

namespace {

/// Flops of a schedule as somebody who follows it counts them, the third time around. Results are told apart by how they came
/// about.
double followed(const optimize::Schedule& schedule, const cost::Network& network, const std::vector<Demand>& cycle) {
  double flops = 0;
  std::set<std::pair<Operands, std::size_t>> current;  // messages, and the events that they are of
  const std::function<void(Operands, std::size_t)> need = [&](Operands message, std::size_t event) {
    if (std::has_single_bit(message)) return;
    const auto [at, left, right] = schedule.origin(message, event);
    BOOST_TEST_REQUIRE((left | right) == message);
    BOOST_TEST_REQUIRE((left & right) == 0U);
    if (!current.insert({message, at}).second) return;
    need(left, at), need(right, at);
    flops += flops_of_pair(labels_of_set(network.subscripts, left), labels_of_set(network.subscripts, right),
                           labels_of_set(network.subscripts, message), network.extents);
  };
  for (int round = 0; round < 3; ++round) {
    flops = 0;
    for (std::size_t event = 0; event < cycle.size(); ++event) {
      for (const Operands target : cycle[event].targets) need(target, event);
      std::erase_if(current, [&](const auto& m) { return (m.first & cycle[event].changed) != 0; });
    }
  }
  return flops;
}

/// Exact, consistent, and what an exhaustive search finds.
void check(const cost::Network& network, const std::vector<Demand>& cycle, const std::string& what) {
  const auto found = optimize::cheapest_schedule(network, cycle);
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST(found->is_exact());
  BOOST_TEST(found->total().flops == ExhaustiveSchedules(network, cycle).least_flops(), what);
  BOOST_TEST(followed(*found, network, cycle) == found->total().flops, what);
}

}  // namespace

BOOST_AUTO_TEST_CASE(is_as_cheap_as_the_best_of_all_schedules) {
  std::mt19937_64 engine(11);
  for (const bool with_objective : {false, true}) {
    for (int k = 0; k < 3; ++k)
      for (std::size_t count = 1; count <= 4; ++count)
        check(random_cp_network(engine, 3), cp_sweeps(3, count, with_objective), fmt::format("order 3, {} sweeps", count));
    check(random_cp_network(engine, 4), cp_sweeps(4, 1, with_objective), "order 4, 1 sweep");
  }
  for (std::size_t count = 2; count <= 4; ++count)
    check(random_cp_network(engine, 4), cp_sweeps(4, count, false), fmt::format("order 4, {} sweeps", count));
}

BOOST_AUTO_TEST_CASE(order_n_takes_n_products_with_the_data_in_one_sweep_less) {
  // Ma and Solomonik: with modes much larger than the rank the products with the data are all that counts.
  for (std::size_t order = 3; order <= 5; ++order) {
    const std::int64_t mode = 1000;
    const auto found = optimize::cheapest_schedule(cp_network(Extents(order, mode), 2), cp_sweeps(order, order - 1, false));
    BOOST_TEST_REQUIRE(found.has_value());
    const double product = 2 * 2 * std::pow(static_cast<double>(mode), static_cast<double>(order));
    BOOST_TEST(found->total().flops >= static_cast<double>(order) * product);
    BOOST_TEST(found->total().flops < 1.02 * static_cast<double>(order) * product);
  }
}

BOOST_AUTO_TEST_CASE(one_sweep_of_order_five_is_found_exactly) {
  std::mt19937_64 engine(12);
  const cost::Network network = random_cp_network(engine, 5);
  const std::vector<Demand> cycle = cp_sweeps(5, 1, true);
  const auto found = optimize::cheapest_schedule(network, cycle);
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST(found->is_exact());
  BOOST_TEST(followed(*found, network, cycle) == found->total().flops);
}

BOOST_AUTO_TEST_CASE(a_dropped_state_is_said) {
  std::mt19937_64 engine(13);
  const cost::Network network = random_cp_network(engine, 4);
  const std::vector<Demand> cycle = cp_sweeps(4, 2, false);
  const auto few = optimize::cheapest_schedule(network, cycle, {.most_states = 1}),
             all = optimize::cheapest_schedule(network, cycle);
  BOOST_TEST_REQUIRE((few && all));
  BOOST_TEST(!few->is_exact());
  BOOST_TEST(few->total().flops >= all->total().flops);
  BOOST_TEST(followed(*few, network, cycle) == few->total().flops);
}

BOOST_AUTO_TEST_CASE(operands_that_always_go_together_are_joined_first) {
  // Gram matrices: A(i,r) A(i,s) B(j,r) B(j,s) C(k,r) C(k,s).
  const cost::Network network{{{{0, 3}, {0, 4}, {1, 3}, {1, 4}, {2, 3}, {2, 4}}, {}}, {5, 6, 7, 3, 3}};
  std::vector<Demand> cycle;
  for (const Operands pair : {0b000011U, 0b001100U, 0b110000U}) cycle.push_back({{0b111111U & ~pair}, pair});
  const auto found = optimize::cheapest_schedule(network, cycle);
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST(found->total().flops == 2 * 9 * (5 + 6 + 7) + 3 * 9);
  BOOST_TEST(followed(*found, network, cycle) == found->total().flops);
}

BOOST_AUTO_TEST_CASE(seven_operands_are_too_many) {
  BOOST_TEST(!optimize::cheapest_schedule(cp_network({2, 3, 2, 3, 2, 3}, 2), cp_sweeps(6, 1, false)).has_value());
}
