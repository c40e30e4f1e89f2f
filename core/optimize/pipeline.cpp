#include "optimize/pipeline.hpp"
#include <algorithm>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "graph/build.hpp"
#include "optimize/algebra.hpp"
#include "optimize/common_subexpressions.hpp"
#include "optimize/contraction_path.hpp"
#include "optimize/distribute.hpp"
#include "optimize/factor.hpp"
#include "optimize/fuse.hpp"
#include "optimize/message_tree.hpp"
#include "optimize/prune_identities.hpp"
#include "optimize/prune_inverses.hpp"
#include "optimize/prune_orthonormal.hpp"
#include "optimize/structured_solve.hpp"

namespace tyto::optimize {

const std::vector<Pass>& pipeline() {
  static const std::vector<Pass> passes = {
      {"algebra", "scalar factors out of products, like terms merged, zeros gone", {}, algebra},
      {"distribute", "products over sums where the terms cost less than the sum", {"algebra"}, distribute},
      {"fuse", "products of products become one", {"distribute"}, fuse},
      {"prune_identities", "identities that only rename a label, and traces", {"fuse"}, prune_identities},
      {"prune_orthonormal", "orthonormal tensors meeting themselves are identities", {"prune_identities"}, prune_orthonormal},
      {"structured_solve", "I x G, batched and Kronecker systems become small ones", {"prune_orthonormal"}, structured_solve},
      {"prune_inverses", "inverses meeting their matrix are identities, others solutions", {"structured_solve"}, prune_inverses},
      {"factor", "common factors out of sums where that costs less", {"prune_inverses"}, factor},
      {"common_subexpressions", "equal up to order of factors, labels and transposition", {"factor"}, common_subexpressions},
      {"message_tree", "one unrooted tree per network serves all its kernels", {"common_subexpressions"}, message_tree},
      {"contraction_path", "what is left of long products, pair by pair in the cheapest order", {"message_tree"}, contraction_path},
  };
  return passes;
}

namespace {

void check_order() {
  std::vector<std::string> before;
  for (const Pass& pass : pipeline()) {
    for (const std::string& needed : pass.requires_passes)
      if (std::find(before.begin(), before.end(), needed) == before.end())
        fail(Code::defect, fmt::format("pass {} must come after {}", pass.name, needed));
    before.push_back(pass.name);
  }
}

/// A complex output that a pass has found to be real, often to be zero, stays complex for those who read it.
void keep_fields(const graph::Graph& before, graph::Graph& after) {
  graph::Store& store = *after.store;
  for (std::size_t k = 0; k < after.outputs.size(); ++k)
    if (store[before.outputs[k].node].field == Field::complex)
      after.outputs[k].node = graph::map(store, operation::Function::complex, {after.outputs[k].node});
}

Optimized run(const graph::Graph& graph, const Context& context, const std::vector<std::string>& switched_off,
              const std::string& until) {
  const std::vector<Finding> unknown = unknown_passes(switched_off);
  if (!unknown.empty()) throw Error(unknown);
  check_order();
  Optimized result{graph, {}};
  for (const Pass& pass : pipeline()) {
    if (pass.name == until) break;
    if (std::find(switched_off.begin(), switched_off.end(), pass.name) != switched_off.end()) continue;
    Report report{pass.name, false, {}};
    const graph::Graph before = result.graph;
    result.graph =
        with_context(fmt::format("while the pass {} runs", pass.name), [&] { return pass.run(before, context, report.log); });
    keep_fields(before, result.graph);
    graph::verify(result.graph);
    TYTO_ASSERT(result.graph.outputs.size() == graph.outputs.size());
    if (context.check) context.check(before, result.graph, pass.name);
    report.changed = result.graph.outputs != before.outputs;
    result.reports.push_back(std::move(report));
  }
  return result;
}

}  // namespace

std::vector<Finding> unknown_passes(const std::vector<std::string>& switched_off, const std::vector<std::string>& others) {
  std::vector<std::string> names;
  for (const Pass& pass : pipeline()) names.push_back(pass.name);
  names.insert(names.end(), others.begin(), others.end());
  std::vector<Finding> findings;
  for (const std::string& name : switched_off)
    if (std::find(names.begin(), names.end(), name) == names.end())
      findings.push_back({.code = Code::unknown_word,
                          .what = fmt::format("there is no pass '{}'", name),
                          .expected = listed(names),
                          .found = name,
                          .hint = nearest(name, names)});
  return findings;
}

Optimized optimize(const graph::Graph& graph, const Context& context, const std::vector<std::string>& switched_off) {
  return run(graph, context, switched_off, {});
}
Optimized simplify(const graph::Graph& graph, const Context& context, const std::vector<std::string>& switched_off) {
  return run(graph, context, switched_off, "message_tree");
}

}  // namespace tyto::optimize
