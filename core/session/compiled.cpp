#include "session/compiled.hpp"
#include <algorithm>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "explain/plan_text.hpp"
#include "session/sparing.hpp"
#include "session/switches.hpp"
#include "verify/verified.hpp"

namespace tyto::session {

namespace {

/// What repeats: a run, after which every leaf that is bound as every_run changes. Where some change rarely, a run for each of
/// them: so the plan keeps what does not depend on the one that has changed.
std::vector<plan::Event> cycle_of(const graph::Graph& graph, const std::vector<BoundLeaf>& leaves) {
  plan::Event all;
  for (const graph::Output& output : graph.outputs) all.outputs.push_back(output.name);
  std::vector<plan::Event> run{all}, cycle;
  for (const BoundLeaf& leaf : leaves)
    if (leaf.changes == Changes::every_run) run.push_back({{}, leaf.node});
  for (const BoundLeaf& leaf : leaves) {
    if (leaf.changes != Changes::rarely) continue;
    cycle.insert(cycle.end(), run.begin(), run.end());
    cycle.push_back({{}, leaf.node});
  }
  return cycle.empty() ? run : cycle;
}

optimize::Optimized optimized(const graph::Graph& graph, const std::vector<BoundLeaf>& leaves,
                              const std::vector<plan::Event>& cycle, const CompileOptions& options, double most_elements,
                              std::vector<std::string>& notes) {
  optimize::Context context;
  context.most_elements = most_elements;
  for (const plan::Event& event : cycle) context.cycle.push_back({event.outputs, event.changes});
  for (const graph::Output& output : graph.outputs)
    if ((*graph.store)[output.node].shape.empty()) context.objectives.push_back(output.node);
  context.changes = [&](graph::NodeId id) {
    return std::any_of(leaves.begin(), leaves.end(),
                       [&](const BoundLeaf& leaf) { return leaf.node == id && leaf.changes == Changes::every_run; });
  };
  const std::vector<std::string> off = switches_of(options.switched_off).passes;
  verify::Summary summary;
  if (options.verify || verify::always) {
    optimize::Optimized result = verify::verified(graph, context, off, summary);
    if (options.verify) notes.push_back(summary.text());
    return result;
  }
  return optimize::optimize(graph, context, off);
}

/// Executors to try, the best first.
std::vector<std::string> candidates(const CompileOptions& options) {
  if (options.executor != "auto") return {options.executor};
  return {"cpu", "reference"};
}

bool is_refusal(const Error& error) { return error.findings().front().code == Code::unsupported; }

void plan_with_best_executor(Compiled& c, const Optimize& optimize, const plan::Options& plan_options,
                             const CompileOptions& options, const backend::Registry& registry) {
  const std::vector<std::string> names = candidates(options);
  for (const std::string& name : names) {
    c.executor = &registry.executor(name);
    try {
      Planned planned = planned_sparingly(c.optimized, optimize, c.executor->model(), plan_options);
      c.optimized = std::move(planned.optimized), c.plan = std::move(planned.plan);
      return;
    } catch (const Error& error) {
      if (name == names.back() || !is_refusal(error)) throw;
      c.notes.push_back(fmt::format("not on {}: {}", name, error.findings().front().found));
    }
  }
}

}  // namespace

void check_options(const CompileOptions& options, const backend::Registry& registry) {
  if (options.precision != Dtype::f32 && options.precision != Dtype::f64)
    fail(Code::element_type, "a program cannot compute in this precision", "f32 or f64", name_of(options.precision),
         "f64; complex expressions get the complex type of that precision");
  if (options.memory_limit < 0)
    fail(Code::out_of_range, "CompileOptions::memory_limit is negative", "bytes, or 0 for what the machine has",
         fmt::format("{}", options.memory_limit));
  if (options.threads < 1)
    fail(Code::out_of_range, "CompileOptions::threads is not positive", ">= 1", fmt::format("{}", options.threads));
  for (const std::string& name : candidates(options)) (void)registry.executor(name);
}

bool fits(const Compiled& c, const std::vector<BoundLeaf>& leaves) {
  for (std::size_t k = 0; k < leaves.size(); ++k)
    if (c.changes[k] != leaves[k].changes || c.strides[k] != leaves[k].strides) return false;
  return true;
}

Compiled compiled(const graph::Graph& graph, const std::vector<BoundLeaf>& leaves, const CompileOptions& options,
                  const backend::Registry& registry, const Compiled* earlier) {
  Compiled c;
  for (const BoundLeaf& leaf : leaves) c.changes.push_back(leaf.changes), c.strides.push_back(leaf.strides);
  c.cycle = cycle_of(graph, leaves);
  const bool is_optimized = earlier != nullptr && earlier->changes == c.changes;
  c.optimized = is_optimized ? earlier->optimized : optimized(graph, leaves, c.cycle, options, 0, c.notes);
  const auto sparing = [&](double most_elements, bool shares_trees) {
    CompileOptions other = options;
    if (!shares_trees) other.switched_off.push_back("message_tree");
    return optimized(graph, leaves, c.cycle, other, most_elements, c.notes);
  };
  plan::Options plan_options{.precision = options.precision,
                             .cycle = c.cycle,
                             .memory_limit = options.memory_limit,
                             .keeps_outputs = true,
                             .runs_outputs_together = true,
                             .for_library = true,
                             .switched_off = switches_of(options.switched_off).fusions};
  for (const BoundLeaf& leaf : leaves)
    if (leaf.strides != row_major(leaf.extents)) plan_options.leaf_strides[leaf.node] = leaf.strides;
  plan_with_best_executor(c, sparing, plan_options, options, registry);
  return c;
}

Forecast forecast_of(const plan::Plan& plan) {
  const program::Program& p = *plan.program;
  std::vector<char> is_counted(p.steps.size(), 0);
  Forecast forecast{.peak_bytes = p.arena_bytes + plan.leaf_bytes};
  for (const program::Kernel& kernel : p.kernels)
    for (const program::StepId id : kernel.steps) {
      char& counted = is_counted[static_cast<std::size_t>(id)];
      if (counted != 0) continue;
      counted = 1;
      forecast.flops += p.steps[static_cast<std::size_t>(id)].flops;
      forecast.bytes_moved += p.steps[static_cast<std::size_t>(id)].bytes;
    }
  return forecast;
}

std::string plan_text(const Compiled& c) {
  explain::Subject subject{.algorithm = "program",
                           .executor = c.executor->name(),
                           .cycle_name = "one run",
                           .leaves_name = "bound arrays",
                           .graph = &c.optimized.graph,
                           .plan = &c.plan,
                           .device = &c.executor->model(),
                           .cycle = c.cycle,
                           .notes = c.notes};
  const auto rarely = std::count(c.changes.begin(), c.changes.end(), Changes::rarely);
  if (rarely > 1) subject.cycle_name = fmt::format("{} runs, each after another of the arrays that rarely change", rarely);
  for (const optimize::Report& report : c.optimized.reports)
    for (const std::string& text : report.log.rewrites()) subject.why.push_back({report.pass, text});
  return explain::plan_text(subject);
}

}  // namespace tyto::session
