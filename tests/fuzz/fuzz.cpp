/// Random expressions over all operations, for a given processor time: fuzz SECONDS [FIRST_SEED]. Prints the seed and the graphs of
/// the first failure and what was covered; exit status 1 on a failure, 2 if too much had to be skipped.
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include "error/fail.hpp"
#include "fuzz/checks.hpp"

using namespace tyto;

namespace {

constexpr double most_skipped = 0.05;

void check(std::uint64_t seed, fuzz::Outcome& outcome) {
  {
    const RandomGraph random(seed);
    fuzz::check_text(random, outcome);
    if (outcome.failure.empty()) fuzz::check_execution(random, seed, outcome);
    if (outcome.failure.empty()) fuzz::check_passes(random, seed, outcome);
  }
  const RandomGraph random(seed);  // anew: derivatives add to the store
  if (outcome.failure.empty()) fuzz::check_derivatives(random, seed, outcome);
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 10;
  const auto first = static_cast<std::uint64_t>(argc > 2 ? std::atoll(argv[2]) : 1);
  fuzz::Outcome outcome;
  std::uint64_t seed = first;
  for (; static_cast<double>(std::clock()) < seconds * CLOCKS_PER_SEC && outcome.failure.empty(); ++seed) {
    try {
      check(seed, outcome);
    } catch (const Error& error) {
      outcome.failure = error.what();
    }
    if (!outcome.failure.empty()) fmt::print("seed {}: {}\n", seed, outcome.failure);
  }
  const double skipped =
      static_cast<double>(outcome.skipped) / static_cast<double>(std::max<std::int64_t>(1, outcome.skipped + outcome.compared));
  fmt::print("{} graphs, {} comparisons, {:.1f} % skipped; {}\n", seed - first, outcome.compared, 100 * skipped,
             outcome.coverage.text());
  if (!outcome.coverage.missing_operations().empty())
    fmt::print("never met: {}\n", fmt::join(outcome.coverage.missing_operations(), ", "));
  if (!outcome.failure.empty()) return 1;
  return skipped > most_skipped ? 2 : 0;
}
