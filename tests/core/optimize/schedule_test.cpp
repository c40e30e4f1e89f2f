// The search for a schedule against an exhaustive one that knows no dominance, and against the figures of the literature.
#include <boost/test/unit_test.hpp>
#include <random>
#include "core/optimize/exhaustive_schedules.hpp"
#include "optimize/schedule.hpp"

using namespace tyto;
using optimize::Demand;
using optimize::Operands;

namespace {

/// X(i0,...,r-free) times factors A_n(i_n,r): operand 0 is the data.
cost::Network cp_network(const Extents& modes, std::int64_t rank) {
  cost::Network network{.extents = modes};
  const auto r = static_cast<einsum::Label>(modes.size());
  network.extents.push_back(rank);
  network.subscripts.inputs.emplace_back();
  for (einsum::Label n = 0; n < r; ++n) {
    network.subscripts.inputs[0].push_back(n);
    network.subscripts.inputs.push_back({n, r});
  }
  return network;
}

/// Each sweep updates every factor in order; with the objective, it is asked for at the end of each.
std::vector<Demand> sweeps(std::size_t order, std::size_t count, bool with_objective) {
  const Operands all = (Operands{1} << (order + 1)) - 1;
  std::vector<Demand> cycle;
  for (std::size_t sweep = 0; sweep < count; ++sweep) {
    for (std::size_t n = 1; n <= order; ++n) cycle.push_back({{all & ~(Operands{1} << n)}, Operands{1} << n});
    if (with_objective) cycle.push_back({{all}, 0});
  }
  return cycle;
}

Extents random_modes(std::mt19937_64& engine, std::size_t order) {
  Extents modes(order);
  for (std::int64_t& n : modes) n = std::uniform_int_distribution<std::int64_t>(1, 40)(engine);
  return modes;
}

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

}  // namespace

BOOST_AUTO_TEST_CASE(is_as_cheap_as_the_best_of_all_schedules) {
  std::mt19937_64 engine(11);
  for (std::size_t order = 3; order <= 4; ++order)
    for (std::size_t count = 1; count <= 4; ++count)
      for (const bool with_objective : {false, true}) {
        const cost::Network network =
            cp_network(random_modes(engine, order), std::uniform_int_distribution<std::int64_t>(1, 20)(engine));
        const std::vector<Demand> cycle = sweeps(order, count, with_objective);
        const auto found = optimize::cheapest_schedule(network, cycle);
        BOOST_TEST_REQUIRE(found.has_value());
        BOOST_TEST(found->is_exact());
        BOOST_TEST(found->total().flops == ExhaustiveSchedules(network, cycle).least_flops(),
                   "order " << order << ", " << count << " sweeps");
        BOOST_TEST(followed(*found, network, cycle) == found->total().flops,
                   "order " << order << ", " << count << " sweeps, objective " << with_objective << ": "
                            << followed(*found, network, cycle) << " instead of " << found->total().flops);
      }
}
