// What the classes of tyto/plugin.hpp have outside their headers: their type information lives in libtyto, so that a cast or a
// catch in the host knows the classes of any plugin; and the default of run().
#include "tyto/plugin.hpp"

namespace tyto::inline v1 {

Declaration::~Declaration() = default;
Iteration::~Iteration() = default;
Algorithm::~Algorithm() = default;

void Algorithm::run(Iteration& iteration) const {
  for (const Objective objective : iteration.objectives()) {
    const std::vector<BlockSolve> blocks = iteration.block_solves(objective);
    const std::vector<Subspace> subspaces = iteration.subspaces(objective);
    const std::vector<Step> steps = iteration.steps(objective);
    const std::vector<Minimize> minimizers = iteration.minimizers(objective);
    while (iteration.next(objective)) {
      for (const BlockSolve block : blocks) iteration.apply(block);
      for (const Subspace subspace : subspaces) iteration.apply(subspace);
      for (const Step step : steps) iteration.apply(step);
      for (const Minimize minimizer : minimizers) iteration.apply(minimizer);
    }
  }
}

}  // namespace tyto::inline v1
