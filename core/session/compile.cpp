#include "session/compile.hpp"
#include <algorithm>
#include <fmt/format.h>
#include "derivative/kernels.hpp"
#include "error/fail.hpp"
#include "optimize/least_squares.hpp"
#include "optimize/scaling.hpp"
#include "session/sparing.hpp"
#include "session/step_kernels.hpp"
#include "session/subspace_kernels.hpp"
#include "session/switches.hpp"
#include "verify/verified.hpp"

namespace tyto::session {

using graph::NodeId;

namespace {

std::string fit_name(const solve::Objective& f) { return "fit of " + f.name; }
std::string zero_name(const solve::Objective& f) { return f.name + " at zero"; }
std::string gradient_name(const solve::Objective& f, const std::string& unknown) {
  return fmt::format("gradient of {} by {}", f.name, unknown);
}
/// By its target; where several have one target, with its number too.
std::string assign_name(const problem::Problem& p, std::size_t k) {
  const auto is_of_target = [&](const problem::Assign& a) { return a.target.id() == p.assigns[k].target.id(); };
  const bool is_alone = std::count_if(p.assigns.begin(), p.assigns.end(), is_of_target) == 1;
  return fmt::format("new {}{}", p.assigns[k].target.name(), is_alone ? "" : fmt::format(" ({})", k));
}
std::string observed_name(const std::string& name) { return "observed " + name; }

}  // namespace

std::string block_name(const problem::Problem& p, const problem::BlockSolve& b) {
  const std::string name = p.unknowns[static_cast<std::size_t>(b.unknown)].expression.name();
  return p.objectives.size() == 1 ? name : fmt::format("{} of objective[{}]", name, b.objective);
}

Kernels derived(Declared& d, const std::vector<solve::Recorded>& cycle, bool with_gradients) {
  problem::Problem& p = d.problem;
  Kernels k{.graph = {p.store, {}}};
  const bool is_bounded = std::any_of(d.setup.tensors.begin(), d.setup.tensors.end(),
                                      [](const solve::Tensor& t) { return !t.is_fixed && solve::has_bounds(t); });
  std::vector<std::vector<std::string>> sweep_end(p.objectives.size());
  const auto add = [&](const std::string& name, NodeId node) { k.graph.outputs.push_back({name, node}); };
  for (std::size_t n = 0; n < p.block_solves.size(); ++n) {
    const problem::BlockSolve& b = p.block_solves[n];
    if (d.setup.block_solves[n].tensor < 0) continue;
    const std::string name = p.unknowns[static_cast<std::size_t>(b.unknown)].expression.name();
    add(block_name(p, b),
        with_context(fmt::format("while deriving the block solve of {}", name), [&] { return derivative::block_update(p, b); }));
  }
  for (std::size_t n = 0; n < p.objectives.size(); ++n) {
    const solve::Objective& f = d.setup.objectives[n];
    add(f.name, p.objectives[n].value.id());
    add(fit_name(f), p.objectives[n].fit.id());
    sweep_end[n] = {f.name, fit_name(f)};
    if (optimize::squared_terms(*p.store, p.objectives[n].fit.id())) add(zero_name(f), derivative::at_zero(p, p.objectives[n].fit));
    k.context.objectives.push_back(p.objectives[n].value.id());
    if (!with_gradients && !is_bounded) continue;
    for (const derivative::UnknownGradient& g : derivative::gradients(p, p.objectives[n])) {
      add(gradient_name(f, p.unknowns[static_cast<std::size_t>(g.unknown)].expression.name()), g.node);
      if (with_gradients) sweep_end[n].push_back(k.graph.outputs.back().name);
    }
  }
  add_subspace_kernels(d, k);
  add_step_kernels(d, k);
  for (std::size_t n = 0; n < p.assigns.size(); ++n) add(assign_name(p, n), p.assigns[n].value.id());
  for (const problem::Observed& o : p.observed) add(observed_name(o.name), o.expression.id());

  std::vector<NodeId> changing;
  for (std::size_t t = 0; t < d.nodes.size(); ++t) {
    const solve::Tensor& info = d.setup.tensors[t];
    if (d.nodes[t] >= 0 && info.kind != solve::Kind::data && info.kind != solve::Kind::constant && !info.is_fixed)
      changing.push_back(d.nodes[t]);
  }
  k.context.changes = [changing](NodeId id) { return std::find(changing.begin(), changing.end(), id) != changing.end(); };
  for (const solve::Recorded& r : cycle) {
    const auto id = static_cast<std::size_t>(r.id);
    switch (r.what) {
      case solve::Recorded::What::block_solve:
        if (d.setup.block_solves[id].tensor >= 0)
          k.context.cycle.push_back(
              {{block_name(p, p.block_solves[id])}, d.nodes[static_cast<std::size_t>(d.setup.block_solves[id].tensor)]});
        break;
      case solve::Recorded::What::step: {
        const solve::Objective& f = d.setup.objectives[static_cast<std::size_t>(d.setup.steps[id].objective)];
        for (const optimize::Event& event : step_events(d, id, {f.name, fit_name(f)})) k.context.cycle.push_back(event);
        break;
      }
      case solve::Recorded::What::minimizer: {
        const solve::Objective& f = d.setup.objectives[static_cast<std::size_t>(d.setup.minimizers[id].objective)];
        for (const optimize::Event& event : minimizer_events(d, id, {f.name, fit_name(f)})) k.context.cycle.push_back(event);
        break;
      }
      case solve::Recorded::What::subspace:
        if (d.setup.subspaces[id].tensor >= 0)
          k.context.cycle.push_back({{subspace_name(d, id)}, d.nodes[static_cast<std::size_t>(d.setup.subspaces[id].tensor)]});
        break;
      case solve::Recorded::What::eigen_solve:
      case solve::Recorded::What::split: break;  // planned while the solve runs, see contraction_plans.hpp
      case solve::Recorded::What::assign: k.context.cycle.push_back({{assign_name(p, id)}, p.assigns[id].target.id()}); break;
      case solve::Recorded::What::objective:
        k.context.cycle.push_back({{d.setup.objectives[id].name, fit_name(d.setup.objectives[id])}, -1});
        break;
      case solve::Recorded::What::value: k.context.cycle.push_back({{observed_name(p.observed[id].name)}, -1}); break;
      case solve::Recorded::What::sweep_end:
        k.context.cycle.push_back({sweep_end[id], -1});
        ++k.swept_objectives;
        break;
    }
  }
  return k;
}

namespace {

/// Elements of a residual that are formed at a time: a few MB, within the second-level cache or near it.
constexpr std::int64_t tile_elements = 1 << 18;

/// A squared norm as programs for tiles of its residual; nothing where its sum does not split.
std::optional<solve::ResidualTerm> residual_term(Declared& d, const optimize::Squared& term, const execute::Executor& executor,
                                                 const config::RunConfig& config) {
  graph::Store& store = *d.problem.store;
  const Extents extents = store.extents(store[term.scalar].operands[0]);
  const std::int64_t elements = element_count(extents);
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    const std::int64_t extent = extents[axis];
    if (extent == 0) return std::nullopt;
    const std::int64_t slab = elements / extent,
                       tile = std::clamp<std::int64_t>(tile_elements / std::max<std::int64_t>(1, slab), 1, extent);
    solve::ResidualTerm result{.coefficient = term.coefficient, .extent = extent, .tile_extent = tile};
    const auto program = [&](std::int64_t size) -> std::shared_ptr<const program::Program> {
      const auto cut = optimize::tiled(store, term.scalar, static_cast<std::int32_t>(axis), size);
      if (!cut) return nullptr;
      Switches off = switches_of(config.plan.switched_off);
      off.passes.push_back("distribute");
      const optimize::Optimized graph = optimize::optimize({d.problem.store, {{"tile", cut->scalar}}}, {}, off.passes);
      plan::Options options{.precision = d.setup.precision, .switched_off = off.fusions};
      for (const optimize::Tiled::Leaf& leaf : cut->leaves)
        options.leaf_strides[leaf.used] = row_major(store.extents(leaf.original));
      const plan::Plan plan = plan::make_plan(graph.graph, executor.model(), options);
      result.leaves.clear();
      for (const NodeId used : plan.leaves) {
        const auto leaf =
            std::find_if(cut->leaves.begin(), cut->leaves.end(), [&](const optimize::Tiled::Leaf& l) { return l.used == used; });
        const auto tensor = std::find(d.nodes.begin(), d.nodes.end(), leaf->original) - d.nodes.begin();
        result.leaves.push_back({static_cast<std::int32_t>(tensor), leaf->axis});
      }
      return plan.program;
    };
    result.tile = program(tile);
    if (!result.tile) continue;
    if (extent % tile != 0) result.rest = program(extent % tile);
    return result;
  }
  return std::nullopt;
}

std::vector<solve::ResidualTerm> residual_terms(Declared& d, NodeId fit, const execute::Executor& executor,
                                                const config::RunConfig& config) {
  std::vector<solve::ResidualTerm> terms;
  const auto squares = optimize::squared_terms(*d.problem.store, fit);
  if (!squares) return {};
  for (const optimize::Squared& square : *squares) {
    auto term = residual_term(d, square, executor, config);
    if (!term) return {};
    terms.push_back(std::move(*term));
  }
  return terms;
}

solve::Value value_of(const plan::Plan& plan, const std::string& name) {
  const plan::Output& output = plan.output(name);
  return {output.kernel, output.axes};
}

void set_values(Declared& d, const plan::Plan& plan, const Kernels& kernels) {
  const auto has = [&](const std::string& name) {
    return std::any_of(plan.outputs.begin(), plan.outputs.end(), [&](const plan::Output& o) { return o.name == name; });
  };
  solve::Setup& s = d.setup;
  s.sweeps_per_cycle = kernels.sweeps, s.variants = 0;
  const auto variants_of = [&](const std::string& name) {
    const auto turns = kernels.turns.find(name);
    solve::Variants variants{.number = s.variants++};
    if (turns == kernels.turns.end()) variants.of.push_back(value_of(plan, name));
    else
      for (const std::string& turn : turns->second) variants.of.push_back(value_of(plan, turn));
    return variants;
  };
  const auto tensor_of = [&](NodeId node) {
    return static_cast<std::int32_t>(std::find(d.nodes.begin(), d.nodes.end(), node) - d.nodes.begin());
  };
  for (std::size_t t = 0; t < d.nodes.size(); ++t) s.tensors[t].leaf = plan.leaf(d.nodes[t]);
  for (std::size_t n = 0; n < s.block_solves.size(); ++n)
    if (s.block_solves[n].tensor >= 0) s.block_solves[n].update = variants_of(block_name(d.problem, d.problem.block_solves[n]));
  for (solve::Objective& f : s.objectives) {
    f.value = variants_of(f.name), f.fit = variants_of(fit_name(f));
    if (has(zero_name(f))) f.fit_at_zero = value_of(plan, zero_name(f));
    for (const problem::Unknown& u : d.problem.unknowns)
      if (const std::string name = gradient_name(f, u.expression.name()); has(name))
        f.gradients.push_back({tensor_of(u.expression.id()), variants_of(name)});
  }
  set_subspace_values(d, variants_of);
  set_step_values(d, variants_of);
  for (std::size_t n = 0; n < s.assigns.size(); ++n) s.assigns[n].value = variants_of(assign_name(d.problem, n));
  for (solve::Observed& o : s.observed) o.value = variants_of(observed_name(o.name));
}

void set_balances(Declared& d) {
  std::vector<NodeId> scalars, unknowns;
  for (const problem::Objective& f : d.problem.objectives) scalars.push_back(f.value.id());
  for (const problem::Unknown& u : d.problem.unknowns) {  // cores of trains have a gauge of their own
    const auto at = std::find(d.nodes.begin(), d.nodes.end(), u.expression.id()) - d.nodes.begin();
    if (!u.traits.fixed && !d.setup.tensors[static_cast<std::size_t>(at)].varies) unknowns.push_back(u.expression.id());
  }
  for (const optimize::Balance& b : optimize::balances(*d.problem.store, scalars, unknowns)) {
    solve::Balance balance;
    for (const optimize::Balance::Member& m : b.members)
      balance.members.push_back(
          {static_cast<std::int32_t>(std::find(d.nodes.begin(), d.nodes.end(), m.leaf) - d.nodes.begin()), m.axis});
    const bool keeps_bounds = std::all_of(balance.members.begin(), balance.members.end(), [&](const solve::Balance::Member& m) {
      return solve::is_conic(d.setup.tensors[static_cast<std::size_t>(m.tensor)]);
    });
    if (keeps_bounds) d.setup.balances.push_back(std::move(balance));
  }
}

}  // namespace

optimize::Optimized optimized(const Kernels& k, const config::RunConfig& config,
                              const std::function<void(const std::string&)>& on_message) {
  const std::vector<std::string> off = switches_of(config.plan.switched_off).passes;
  if (!config.plan.verify && !verify::always) return optimize::optimize(k.graph, k.context, off);
  verify::Summary summary;
  optimize::Optimized result = verify::verified(k.graph, k.context, off, summary);
  if (config.plan.verify && on_message) on_message(summary.text());
  return result;
}

plan::Options plan_options(const Declared& d, const Kernels& kernels, const config::RunConfig& config) {
  plan::Options options{.precision = d.setup.precision,
                        .memory_limit = config.execution.memory_limit.value_or(0),
                        .switched_off = switches_of(config.plan.switched_off).fusions};
  for (const optimize::Event& event : kernels.context.cycle) options.cycle.push_back({event.outputs, event.changes});
  return options;
}

plan::Plan planned(Declared& d, optimize::Optimized& chosen, const Kernels& kernels, const execute::Executor& executor,
                   const config::RunConfig& config) {
  const auto sparing = [&](double most_elements, bool shares_trees) {
    Kernels other = kernels;
    other.context.most_elements = most_elements;
    config::RunConfig with = config;
    if (!shares_trees) with.plan.switched_off.push_back("message_tree");
    return optimized(other, with, {});
  };
  Planned made = planned_sparingly(std::move(chosen), sparing, executor.model(), plan_options(d, kernels, config));
  chosen = std::move(made.optimized);
  plan::Plan plan = std::move(made.plan);
  d.setup.program = plan.program;
  d.setup.executor = &executor;
  d.setup.options.threads = static_cast<int>(config.execution.threads);
  set_values(d, plan, kernels);
  for (std::size_t n = 0; n < d.setup.objectives.size(); ++n)
    if (d.setup.objectives[n].fit_at_zero.kernel >= 0)
      d.setup.objectives[n].residual = residual_terms(d, d.problem.objectives[n].fit.id(), executor, config);
    else if (d.setup.objectives[n].projection)
      d.setup.objectives[n].residual = residual_terms(d, projection_residual(d, n), executor, config);
  if (config.solver.normalize) set_balances(d);
  return plan;
}

}  // namespace tyto::session
