// Prints what random graphs are optimized to: texts N [PADDING]. The padding shifts the heap, so that addresses differ between runs
// also where the system does not randomize them; the first line of standard error is an address, to show that they did.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>
#include "core/optimize/random_graph.hpp"
#include "graph/text.hpp"
#include "optimize/pipeline.hpp"

int main(int argc, char** argv) {
  const long graphs = argc > 1 ? std::atol(argv[1]) : 100, padding = argc > 2 ? std::atol(argv[2]) : 0;
  std::vector<std::unique_ptr<char[]>> blocks;
  for (long k = 0; k < padding; ++k) blocks.push_back(std::make_unique<char[]>(static_cast<std::size_t>(17 * k % 4001 + 1)));
  for (long seed = 1; seed <= graphs; ++seed) {
    const tyto::RandomGraph random(static_cast<std::uint64_t>(seed));
    if (seed == 1) std::fprintf(stderr, "%p\n", static_cast<const void*>(random.graph.store.get()));
    const tyto::optimize::Optimized result = tyto::optimize::optimize(random.graph, random.context);
    std::printf("# seed %ld\n%s", seed, tyto::graph::print(result.graph).c_str());
    for (const tyto::optimize::Report& report : result.reports) {
      for (const std::string& text : report.log.rewrites()) std::printf("# %s: %s\n", report.pass.c_str(), text.c_str());
      for (const std::string& text : report.log.near_misses()) std::printf("# %s, nearly: %s\n", report.pass.c_str(), text.c_str());
    }
  }
  return 0;
}
