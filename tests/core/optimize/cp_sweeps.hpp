#pragma once
/// The product of the data with all factors of a CP, and sweeps over it, as networks and demands.
#include <random>
#include "optimize/schedule.hpp"

namespace tyto {

/// X(i0,i1,...) times factors A_n(i_n,r): operand 0 is the data.
inline cost::Network cp_network(const Extents& modes, std::int64_t rank) {
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

inline cost::Network random_cp_network(std::mt19937_64& engine, std::size_t order) {
  Extents modes(order);
  for (std::int64_t& n : modes) n = std::uniform_int_distribution<std::int64_t>(1, 40)(engine);
  return cp_network(modes, std::uniform_int_distribution<std::int64_t>(1, 20)(engine));
}

/// Each sweep updates every factor in order; with the objective, it is asked for at the end of each.
inline std::vector<optimize::Demand> cp_sweeps(std::size_t order, std::size_t count, bool with_objective) {
  const optimize::Operands all = (optimize::Operands{1} << (order + 1)) - 1;
  std::vector<optimize::Demand> cycle;
  for (std::size_t sweep = 0; sweep < count; ++sweep) {
    for (std::size_t n = 1; n <= order; ++n) cycle.push_back({{all & ~(optimize::Operands{1} << n)}, optimize::Operands{1} << n});
    if (with_objective) cycle.push_back({{all}, 0});
  }
  return cycle;
}

}  // namespace tyto
