#pragma once
/// What must hold for every graph, whatever it computes.
#include <string>
#include "core/optimize/random_graph.hpp"
#include "fuzz/coverage.hpp"

namespace tyto::fuzz {

struct Outcome {
  std::int64_t compared = 0, skipped = 0;
  std::string failure;  ///< empty if all is well
  Coverage coverage;    ///< of every graph that was compared
};

/// Each pass alone, all together, and all but each one give the values of the graph as it stands.
void check_passes(const RandomGraph&, std::uint64_t seed, Outcome&);
/// The cpu executor agrees with the reference executor, and evaluating again after a leaf has changed gives what a fresh evaluation
/// does.
void check_execution(const RandomGraph&, std::uint64_t seed, Outcome&);
/// Reverse and forward mode agree with each other and with differences, second derivatives are symmetric, and derivatives taken
/// after optimization are those taken before.
void check_derivatives(const RandomGraph&, std::uint64_t seed, Outcome&);
/// The printed graph reads back as itself.
void check_text(const RandomGraph&, Outcome&);

}  // namespace tyto::fuzz
