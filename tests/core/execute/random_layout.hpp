#pragma once
/// Random shapes and strides for comparisons of executors.
#include <algorithm>
#include <numeric>
#include <random>
#include "tyto/array.hpp"

namespace tyto::execute {

using Engine = std::mt19937_64;

/// Uniform in [low, high].
inline std::int64_t between(Engine& engine, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(engine);
}
inline bool chance(Engine& engine, double probability) {
  return std::uniform_real_distribution<double>(0, 1)(engine) < probability;
}

/// Row-major, or axes in any order, with or without gaps between rows.
inline Extents random_strides(Engine& engine, const Extents& extents) {
  std::vector<std::size_t> order(extents.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (chance(engine, 0.6)) std::shuffle(order.begin(), order.end(), engine);
  const bool gaps = chance(engine, 0.3);
  Extents strides(extents.size(), 1);
  std::int64_t next = gaps && chance(engine, 0.3) ? 2 : 1;
  for (std::size_t a = order.size(); a-- > 0;) {
    strides[order[a]] = next;
    next *= std::max<std::int64_t>(extents[order[a]], 1) + (gaps ? between(engine, 0, 2) : 0);
  }
  return strides;
}

}  // namespace tyto::execute
