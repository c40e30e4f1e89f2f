// Compares the search for a schedule with an exhaustive one where that takes too long for the unit tests:
// exhaustive_schedules ORDER SWEEPS SEED, a sweep of CP with random modes and rank. Prints both costs; status 1 if they differ.
#include <cstdio>
#include <cstdlib>
#include <random>
#include "core/optimize/cp_sweeps.hpp"
#include "core/optimize/exhaustive_schedules.hpp"

int main(int count, char** words) {
  if (count != 4) return 2;
  const auto order = static_cast<std::size_t>(std::atoi(words[1])), sweeps = static_cast<std::size_t>(std::atoi(words[2]));
  std::mt19937_64 engine(static_cast<std::uint64_t>(std::atoll(words[3])));
  const tyto::cost::Network network = tyto::random_cp_network(engine, order);
  const std::vector<tyto::optimize::Demand> cycle = tyto::cp_sweeps(order, sweeps, false);
  const auto found = tyto::optimize::cheapest_schedule(network, cycle);
  const double least = tyto::ExhaustiveSchedules(network, cycle).least_flops();
  std::printf("%.0f flop found, %.0f flop at least\n", found->total().flops, least);
  return found->total().flops == least ? 0 : 1;
}
