#pragma once
/// Whether two graphs over the same leaves mean the same, tried out on random numbers.
#include <cstdint>
#include <string>
#include "graph/graph.hpp"

namespace tyto::verify {

enum class Verdict : std::int8_t {
  same,
  different,
  skipped,  ///< no sample gave numbers that can be compared: outside a domain, or systems with a condition above 1e8
};

struct Comparison {
  Verdict verdict = Verdict::same;
  /// Of `different` where: "element 3 of output f is 0.25, before it was 0.75 (rounding explains 1.3e-15)"; of `skipped` why.
  std::string text;
};

/// Outputs may differ by 64 eps x the expressions evaluated with absolute terms (see Magnitudes); both graphs have the same
/// outputs. The first sample that can be compared decides if it agrees; a difference counts if a second sample shows it, or if no
/// other can be compared: what a comparison at a tie says may turn on rounding.
Comparison compare(const graph::Graph& before, const graph::Graph& after, std::uint64_t seed);

}  // namespace tyto::verify
