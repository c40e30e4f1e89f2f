#pragma once
// Small random networks, and the costs of all their trees by enumeration.
#include <algorithm>
#include <random>
#include "cost/path.hpp"

namespace tyto::cost {

/// Labels are shared by any number of operands, repeated within one, summed in one alone, or kept; extents go from `least` on.
inline Network random_network(std::mt19937_64& engine, std::size_t operands, int label_count, int least = 1) {
  const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine); };
  Network network;
  for (int l = 0; l < label_count; ++l) network.extents.push_back(least + below(9));
  for (std::size_t k = 0; k < operands; ++k) {
    einsum::Labels labels;
    for (int axis = below(4); axis > 0; --axis) labels.push_back(below(label_count));
    network.subscripts.inputs.push_back(labels);
  }
  for (int l = 0; l < label_count; ++l) {
    const bool is_there = std::any_of(network.subscripts.inputs.begin(), network.subscripts.inputs.end(),
                                      [&](const einsum::Labels& in) { return einsum::contains(in, l); });
    if (is_there && below(3) == 0) network.subscripts.output.push_back(l);
  }
  return network;
}

/// A square array of matrices and the like: one operand for each point, one label for each pair of neighbours.
inline Network lattice(std::int32_t rows, std::int32_t columns, std::int64_t extent = 2) {
  Network network;
  network.subscripts.inputs.resize(static_cast<std::size_t>(rows * columns));
  const auto connect = [&](std::int32_t a, std::int32_t b) {
    for (const std::int32_t k : {a, b})
      network.subscripts.inputs[static_cast<std::size_t>(k)].push_back(static_cast<einsum::Label>(network.extents.size()));
    network.extents.push_back(extent);
  };
  for (std::int32_t row = 0; row < rows; ++row)
    for (std::int32_t column = 0; column < columns; ++column) {
      const std::int32_t here = row * columns + column;
      if (column + 1 < columns) connect(here, here + 1);
      if (row + 1 < rows) connect(here, here + columns);
    }
  return network;
}

}  // namespace tyto::cost
