#include "derivative/kernels.hpp"
#include <fmt/format.h>
#include "derivative/degree.hpp"
#include "derivative/derivative.hpp"
#include "error/fail.hpp"
#include "graph/handle.hpp"

namespace tyto::derivative {

using graph::NodeId;

namespace {

/// Any labels for the axes of a node, for its text.
Indices some_labels(const graph::Store& store, NodeId node) {
  Indices labels;
  for (const graph::DimensionId d : store[node].shape) {
    Index label(store.shared_dimension(d), store(d).name);
    while (graph::contains(labels, label)) label = label.prime();
    labels.push_back(label);
  }
  return labels;
}

void check_quadratic(const problem::Problem& p, const problem::Objective& f, const Expr& block) {
  const NodeId to_blame = culprit(*p.store, f.value.id(), block.id());
  if (to_blame < 0) return;
  const int found = degree(*p.store, to_blame, block.id());
  const std::string text = Expr(p.store, to_blame, some_labels(*p.store, to_blame)).text();
  const std::string how = found >= not_polynomial ? "it is under a root, a quotient or an inverse"
                          : found == 2            ? "it appears twice"
                                                  : fmt::format("it appears {} times", found);
  fail({.code = Code::not_quadratic,
        .where = {.quote = fmt::format("block_solve({})", block.name())},
        .what = fmt::format("the objective is not quadratic in {}", block.name()),
        .expected = fmt::format("{} at most once in what is squared", block.name()),
        .found = fmt::format("{} in {}", how, text),
        .hint = "an unknown of its own for each place, or a block solve of another unknown"});
}

}  // namespace

NodeId block_update(problem::Problem& p, const problem::BlockSolve& request) {
  graph::Store& store = *p.store;
  const problem::Objective& f = p.objectives[static_cast<std::size_t>(request.objective)];
  const problem::Unknown& unknown = p.unknowns[static_cast<std::size_t>(request.unknown)];
  const Expr& block = unknown.expression;
  check_quadratic(p, f, block);
  const NodeId slope = gradient(store, f.value.id(), {block.id()})[0];
  const NodeId curvature = jacobian(store, slope, block.id());
  TYTO_ASSERT(!graph::depends_on(store, curvature, block.id()));
  const NodeId zero = graph::fill(store, 0, store[block.id()].shape);
  const NodeId right = graph::scaled(store, -1, graph::substituted(store, slope, block.id(), zero));
  if (is_zero(store, curvature) && !is_zero(store, right))
    fail({.code = Code::not_quadratic,
          .where = {.quote = fmt::format("block_solve({})", block.name())},
          .what = fmt::format("the objective is linear in {} and has no minimum", block.name()),
          .hint = "a squared norm, or a ridge on the unknown"});
  const auto system = unknown.lower == 0 ? operation::System::nonnegative : operation::System::semidefinite;
  return store.insert(graph::Solve{0, static_cast<std::int32_t>(block.order()), system}, {curvature, right});
}

std::vector<UnknownGradient> gradients(problem::Problem& p, const problem::Objective& f) {
  std::vector<UnknownGradient> result;
  std::vector<NodeId> leaves;
  for (std::size_t k = 0; k < p.unknowns.size(); ++k) {
    const problem::Unknown& u = p.unknowns[k];
    if (u.traits.fixed || !graph::depends_on(*p.store, f.value.id(), u.expression.id())) continue;
    result.push_back({static_cast<std::int32_t>(k), -1});
    leaves.push_back(u.expression.id());
  }
  const std::vector<NodeId> nodes = gradient(*p.store, f.value.id(), leaves);
  for (std::size_t k = 0; k < nodes.size(); ++k) result[k].node = nodes[k];
  return result;
}

NodeId at_zero(problem::Problem& p, const Expr& scalar) {
  NodeId node = scalar.id();
  for (const problem::Unknown& u : p.unknowns)
    if (!u.traits.fixed)
      node = graph::substituted(*p.store, node, u.expression.id(), graph::fill(*p.store, 0, (*p.store)[u.expression.id()].shape));
  return node;
}

}  // namespace tyto::derivative
