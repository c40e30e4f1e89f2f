/// tyto::optimized: the passes on one expression, for reading.
#include "graph/handle.hpp"
#include "optimize/pipeline.hpp"
#include "tyto/derivative.hpp"

namespace tyto::inline v1 {

Expr optimized(const Expr& e, const std::vector<std::string>& switched_off) {
  if (!e.store()) return e;
  const optimize::Optimized result = optimize::simplify({e.store(), {{"expression", e.id()}}}, {}, switched_off);
  return Expr(e.store(), result.graph.outputs[0].node, e.shape());
}

}  // namespace tyto::inline v1
