#include "session/subspace_kernels.hpp"
#include <algorithm>
#include <fmt/format.h>
#include "derivative/degree.hpp"
#include "derivative/derivative.hpp"
#include "error/fail.hpp"
#include "graph/handle.hpp"
#include "optimize/least_squares.hpp"
#include "optimize/projection.hpp"
#include "solve/subspace.hpp"

namespace tyto::session {

using graph::NodeId;

namespace {

std::string whole_name(const solve::Objective& f) { return "whole of " + f.name; }
std::string core_name(const solve::Objective& f) { return "core of " + f.name; }

const problem::Unknown& unknown_of(const Declared& d, std::size_t subspace) {
  return d.problem.unknowns[static_cast<std::size_t>(d.problem.subspaces[subspace].unknown)];
}
const problem::Objective& objective_of(const Declared& d, std::size_t subspace) {
  return d.problem.objectives[static_cast<std::size_t>(d.problem.subspaces[subspace].objective)];
}

[[noreturn]] void refuse(const Declared& d, std::size_t subspace, const std::string& found) {
  const std::string name = unknown_of(d, subspace).expression.name();
  fail({.code = Code::contradiction,
        .where = {.quote = objective_of(d, subspace).fit.text()},
        .what = fmt::format("{} cannot be a subspace of this objective", name),
        .expected = fmt::format("-norm2(L) with L linear in {}, the label {} of both the same", name,
                                unknown_of(d, subspace).traits.orthonormal[0].name()),
        .found = found,
        .hint = "an objective that each basis enters once"});
}

/// L of the objective -c |L|^2.
NodeId linear_part(Declared& d, std::size_t subspace) {
  graph::Store& store = *d.problem.store;
  const Expr& u = unknown_of(d, subspace).expression;
  const NodeId scalar = objective_of(d, subspace).fit.id();
  const auto squares = optimize::squared_terms(store, graph::scaled(store, -1, scalar));
  if (!squares) refuse(d, subspace, "an objective that is not minus a sum of squares");
  if (squares->size() != 1) refuse(d, subspace, fmt::format("{} squares", squares->size()));
  if (!squares->front().weights.empty()) refuse(d, subspace, "weights");
  const NodeId inner = squares->front().residual;
  const int degree = derivative::degree(store, inner, u.id());
  if (degree == 0) refuse(d, subspace, fmt::format("no {} in it", u.name()));
  if (degree >= derivative::not_polynomial) refuse(d, subspace, fmt::format("{} under a root, a quotient or an inverse", u.name()));
  if (degree > 1) refuse(d, subspace, fmt::format("{} {} times in what is squared", u.name(), degree));
  return inner;
}

/// d L(.., r) / d U(.., r), the same for every r, with the axes of L but that of r and then the row axis of U.
NodeId slope_of(Declared& d, std::size_t subspace, NodeId inner) {
  graph::Store& store = *d.problem.store;
  const Expr& u = unknown_of(d, subspace).expression;
  const std::int32_t vectors = u.axis(0) == unknown_of(d, subspace).traits.orthonormal[0] ? 0 : 1;
  const std::int32_t carried = optimize::carried_axis(store, inner, u.id(), vectors);
  if (carried < 0) refuse(d, subspace, "an L that mixes the columns of " + u.name() + ", or has a part without it");
  const NodeId jacobian = derivative::jacobian(store, inner, u.id());
  const std::size_t order = store[inner].shape.size();
  // The jacobian is 1 where both column labels are equal, times what is wanted: its mean over their diagonal.
  einsum::Labels axes = graph::counted(order + 2), output;
  axes[order + static_cast<std::size_t>(vectors)] = axes[static_cast<std::size_t>(carried)];
  for (const einsum::Label label : axes)
    if (label != axes[static_cast<std::size_t>(carried)]) output.push_back(label);
  const auto count = static_cast<double>(unknown_of(d, subspace).traits.orthonormal[0].extent());
  return graph::scaled(store, 1 / count, graph::einsum(store, {jacobian}, {{axes}, output}));
}

}  // namespace

std::string subspace_name(const Declared& d, std::size_t subspace) {
  const std::string name = "dL/d" + unknown_of(d, subspace).expression.name();
  return d.problem.objectives.size() == 1 ? name
                                          : fmt::format("{} of objective[{}]", name, d.problem.subspaces[subspace].objective);
}

void number_subspaces(Declared& d, const config::RunConfig& config) {
  if (config.solver.gradient_tolerance > 0 && !d.problem.subspaces.empty())
    fail({.code = Code::contradiction,
          .where = config.where("solver.gradient_tolerance"),
          .what = "a gradient tolerance does not suit orthonormal unknowns: their gradient need not vanish at a minimum",
          .expected = "solver.gradient_tolerance: 0",
          .found = fmt::format("{:g}", config.solver.gradient_tolerance),
          .hint = "solver.tolerance"});
  for (std::size_t k = 0; k < d.problem.subspaces.size(); ++k) {
    const problem::Unknown& u = unknown_of(d, k);
    const auto tensor = std::find(d.nodes.begin(), d.nodes.end(), u.expression.id()) - d.nodes.begin();
    const auto route = static_cast<std::int32_t>(d.nodes.size());
    d.nodes.push_back(-1);
    d.setup.tensors.push_back({.name = fmt::format("route of subspace {}", k), .kind = solve::Kind::state, .extents = {1}});
    d.setup.subspaces.push_back({.objective = d.problem.subspaces[k].objective,
                                 .tensor = u.traits.fixed ? -1 : static_cast<std::int32_t>(tensor),
                                 .route = route});
  }
  for (std::size_t n = 0; n < d.problem.objectives.size(); ++n) {
    const auto found = optimize::projection(*d.problem.store, d.problem.objectives[n].fit.id());
    if (!found) continue;
    solve::Tensor copy{.name = core_name(d.setup.objectives[n]), .kind = solve::Kind::direction};
    Indices labels;
    for (const graph::DimensionId dimension : (*d.problem.store)[found->core].shape) {
      labels.emplace_back(d.problem.store->shared_dimension(dimension), (*d.problem.store)(dimension).name);
      while (std::count(labels.begin(), labels.end(), labels.back()) > 1) labels.back() = labels.back().prime();
      copy.extents.push_back(labels.back().extent());
    }
    d.setup.objectives[n].projection = {.copy = static_cast<std::int32_t>(d.nodes.size())};
    d.nodes.push_back(graph::make_leaf(d.problem.store, copy.name, graph::Role::input, labels).id());
    d.setup.tensors.push_back(std::move(copy));
  }
}

void add_subspace_kernels(Declared& d, Kernels& kernels) {
  graph::Store& store = *d.problem.store;
  for (std::size_t k = 0; k < d.problem.subspaces.size(); ++k) {
    if (d.setup.subspaces[k].tensor < 0) continue;
    const NodeId slope = slope_of(d, k, linear_part(d, k));
    d.setup.subspaces[k].axis = static_cast<std::int32_t>(store[slope].shape.size()) - 1;
    kernels.graph.outputs.push_back({subspace_name(d, k), slope});
  }
  for (std::size_t n = 0; n < d.problem.objectives.size(); ++n) {
    if (!d.setup.objectives[n].projection) continue;
    const auto found = optimize::projection(store, d.problem.objectives[n].fit.id());
    kernels.graph.outputs.push_back({whole_name(d.setup.objectives[n]), optimize::whole(store, *found)});
    kernels.graph.outputs.push_back({core_name(d.setup.objectives[n]), found->core});
  }
}

std::vector<std::string> subspace_notes(const Declared& d, const Kernels& kernels) {
  std::vector<std::string> notes;
  for (std::size_t k = 0; k < d.problem.subspaces.size(); ++k) {
    for (const graph::Output& output : kernels.graph.outputs) {
      if (d.setup.subspaces[k].tensor < 0 || output.name != subspace_name(d, k)) continue;
      const Extents extents = d.problem.store->extents(output.node);
      const std::int64_t rows = extents[static_cast<std::size_t>(d.setup.subspaces[k].axis)];
      const std::int64_t columns = rows == 0 ? 0 : element_count(extents) / rows;
      const solve::Tensor& basis = d.setup.tensors[static_cast<std::size_t>(d.setup.subspaces[k].tensor)];
      const std::int64_t count = basis.extents[static_cast<std::size_t>(basis.orthonormal)];
      notes.push_back(fmt::format("{}: {}", basis.name, solve::subspace_description(d.setup.svd_solver, rows, columns, count)));
    }
  }
  return notes;
}

void set_subspace_values(Declared& d, const std::function<solve::Variants(const std::string&)>& variants_of) {
  for (std::size_t k = 0; k < d.setup.subspaces.size(); ++k)
    if (d.setup.subspaces[k].tensor >= 0) d.setup.subspaces[k].matrix = variants_of(subspace_name(d, k));
  for (solve::Objective& f : d.setup.objectives) {
    if (!f.projection) continue;
    f.projection->whole = variants_of(whole_name(f)).of.front();
    f.projection->core = variants_of(core_name(f));
  }
}

NodeId projection_residual(Declared& d, std::size_t objective) {
  graph::Store& store = *d.problem.store;
  const auto found = optimize::projection(store, d.problem.objectives[objective].fit.id());
  return optimize::left_out(store, *found, d.nodes[static_cast<std::size_t>(d.setup.objectives[objective].projection->copy)]);
}

}  // namespace tyto::session
