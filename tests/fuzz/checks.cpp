#include "fuzz/checks.hpp"
#include <cmath>
#include "core/optimize/graph_values.hpp"
#include "derivative/derivative.hpp"
#include "error/fail.hpp"
#include "optimize/pipeline.hpp"
#include "verify/compare.hpp"
#include "verify/sample.hpp"

namespace tyto::fuzz {

using graph::NodeId;

namespace {

void fail_with(Outcome& outcome, const std::string& what, const std::string& text, const graph::Graph& before,
               const graph::Graph& after) {
  outcome.failure = fmt::format("{}: {}\nbefore\n{}after\n{}", what, text, graph::print(before), graph::print(after));
}

void compare(Outcome& outcome, const std::string& what, const graph::Graph& before, const graph::Graph& after, std::uint64_t seed) {
  outcome.coverage.note(before);
  outcome.coverage.note(after);
  const verify::Comparison result = verify::compare(before, after, seed);
  ++(result.verdict == verify::Verdict::skipped ? outcome.skipped : outcome.compared);
  if (result.verdict == verify::Verdict::different) fail_with(outcome, what, result.text, before, after);
}

/// With the symmetry of the node, if that is a leaf.
NodeId leaf_like(graph::Store& store, NodeId node, const std::string& name) {
  graph::Leaf leaf{name, graph::Role::input, std::make_shared<const char>('\0'), store[node].field};
  if (const auto* own = graph::as<graph::Leaf>(store[node])) leaf.facts.symmetric = own->facts.symmetric;
  return store.insert_source(std::move(leaf), store[node].shape);
}

/// Re sum conj(a) b
NodeId inner(graph::Store& store, NodeId a, NodeId b) {
  const einsum::Labels axes = graph::counted(store[a].shape.size());
  const NodeId product = graph::einsum(store, {graph::conjugate(store, a), b}, {{axes, axes}, {}});
  return graph::map(store, operation::Function::real, {product});
}

/// Derivatives are of a scalar: an output with random weights; by one of its leaves.
struct Scalar {
  NodeId value = -1, leaf = -1;
};
Scalar scalar_of(const RandomGraph& random, std::uint64_t seed) {
  graph::Store& store = *random.graph.store;
  const NodeId output = random.graph.outputs[seed % random.graph.outputs.size()].node;
  const NodeId weights = leaf_like(store, output, "weights of the output");
  Scalar s{inner(store, weights, output), -1};
  std::vector<NodeId> leaves;
  for (const NodeId id : graph::reachable(store, {output}))
    if (graph::is<graph::Leaf>(store[id])) leaves.push_back(id);
  if (!leaves.empty()) s.leaf = leaves[(seed / 7) % leaves.size()];
  return s;
}

/// d value along `direction` by central differences with two steps, against the tangent; nothing if there is no trusting them.
void compare_with_differences(Outcome& outcome, graph::Store& store, const std::shared_ptr<graph::Store>& shared, const Scalar& s,
                              NodeId direction, NodeId tangent, std::uint64_t seed) {
  const auto moved = [&](double h) {
    const NodeId point = graph::combination(store, {{1, s.leaf}, {h, direction}}, store[s.leaf].shape);
    return graph::substituted(store, s.value, s.leaf, point);
  };
  constexpr double h = 1e-4;
  const graph::Graph points{
      shared,
      {{"tangent", tangent}, {"value", s.value}, {"b", moved(h)}, {"c", moved(-h)}, {"d", moved(h / 2)}, {"e", moved(-h / 2)}}};
  const verify::Sample sample(points, seed, verify::Domain::any);
  const std::vector<verify::Numbers> all = verify::values_of(points, sample);
  const auto value = [&](std::size_t k) { return all[k][0].real(); };
  const double coarse = (value(2) - value(3)) / (2 * h), fine = (value(4) - value(5)) / h;
  const double expected = (4 * fine - coarse) / 3, size = std::max({1.0, std::abs(expected), std::abs(value(1))});
  const double doubt = std::abs(fine - coarse) + 1e-10 * size / h;
  if (!std::isfinite(expected) || !std::isfinite(value(0)) || doubt > 1e-3 * size) {
    ++outcome.skipped;
    return;
  }
  ++outcome.compared;
  if (std::abs(expected - value(0)) > 10 * doubt)
    fail_with(outcome, "derivative against differences", fmt::format("{} instead of {} (+-{:.1e})", value(0), expected, doubt),
              {shared, {{"value", s.value}}}, {shared, {{"tangent", tangent}}});
}

}  // namespace

void check_passes(const RandomGraph& random, std::uint64_t seed, Outcome& outcome) {
  const auto check = [&](const std::string& what, const graph::Graph& after) {
    if (outcome.failure.empty() && after.outputs != random.graph.outputs) compare(outcome, what, random.graph, after, seed);
  };
  for (const optimize::Pass& pass : optimize::pipeline()) {
    optimize::Log log;
    check("the pass " + pass.name + " alone", pass.run(random.graph, random.context, log));
  }
  check("all passes", optimize::optimize(random.graph, random.context).graph);
  const optimize::Pass& off = optimize::pipeline()[seed % optimize::pipeline().size()];
  check("all passes but " + off.name, optimize::optimize(random.graph, random.context, {off.name}).graph);
}

void check_execution(const RandomGraph& random, std::uint64_t seed, Outcome& outcome) {
  const graph::Graph graph = optimize::optimize(random.graph, random.context).graph;
  LeafNumbers leaves(random.graph, seed);
  const Expected expected(graph, leaves);
  if (!expected.is_finite()) {
    ++outcome.skipped;
    return;
  }
  ++outcome.compared;
  const execute::Executor& executor = cpu_executor();
  if (const std::string text = difference(expected, values_of(graph, leaves, executor)); !text.empty())
    return fail_with(outcome, "executor cpu", text, random.graph, graph);
  // Again, with one leaf after another changed in the memory that is bound.
  const plan::Plan plan = plan::make_plan(graph, executor.model(), {});
  execute::Evaluation evaluation(plan.program, executor.load(plan.program, {}));
  const auto bind = [&](std::size_t k) {
    const program::Leaf& leaf = plan.program->leaves[k];
    evaluation.bind(static_cast<program::LeafId>(k),
                    Array(leaves.of(plan.leaves[k]).data(), leaf.dtype, leaf.extents, leaf.strides));
  };
  for (std::size_t k = 0; k < plan.leaves.size(); ++k) bind(k);
  const auto run = [&] {
    std::vector<Numbers> values;
    for (const plan::Output& output : plan.outputs) values.push_back(numbers_of(evaluation.run(output.kernel), output.axes));
    return values;
  };
  run();
  for (std::size_t k = 0; k < plan.leaves.size() && outcome.failure.empty(); ++k) {
    for (double& x : leaves.of(plan.leaves[k])) x *= 0.75;
    evaluation.touch(static_cast<program::LeafId>(k));
    const std::vector<Numbers> again = run(), fresh = values_of(graph, leaves, executor);
    for (std::size_t output = 0; output < again.size(); ++output)
      for (std::size_t e = 0; e < again[output].size(); ++e)
        if (again[output][e] != fresh[output][e] && std::isfinite(fresh[output][e]))
          fail_with(outcome, "evaluation after a change",
                    fmt::format("element {} of output {} is {} instead of {}", e, output, again[output][e], fresh[output][e]),
                    random.graph, graph);
  }
}

namespace {

/// A solve under bounds is refused where it would have to be differentiated.
bool has_bounds_in_the_way(const graph::Store& store, const Scalar& s) {
  const std::vector<NodeId> nodes = reachable(store, {s.value});
  return std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) {
    const auto* solve = graph::as<graph::Solve>(store[id]);
    return solve != nullptr && !operation::is_linear(solve->system) && graph::depends_on(store, id, s.leaf);
  });
}

}  // namespace

void check_derivatives(const RandomGraph& random, std::uint64_t seed, Outcome& outcome) {
  const Scalar s = scalar_of(random, seed);
  if (s.leaf < 0 || has_bounds_in_the_way(*random.graph.store, s)) return;
  const std::shared_ptr<graph::Store>& shared = random.graph.store;
  graph::Store& store = *shared;
  const NodeId t = leaf_like(store, s.leaf, "direction"), u = leaf_like(store, s.leaf, "other direction");
  const auto one = [&](NodeId node) { return graph::Graph{shared, {{"value", node}}}; };
  const NodeId slope = derivative::gradient(store, s.value, {s.leaf})[0];
  if (store[s.leaf].field == Field::real && store[slope].field == Field::complex)
    return fail_with(outcome, "gradient", "by a real leaf it is complex", one(s.value), one(slope));
  const NodeId tangent = derivative::forward(store, s.value, {s.leaf}, {t});
  compare(outcome, "reverse against forward mode", one(inner(store, slope, t)), one(tangent), seed);
  if (outcome.failure.empty()) compare_with_differences(outcome, store, shared, s, t, tangent, seed);
  if (outcome.failure.empty()) {
    const auto second = [&](NodeId along, NodeId with) {
      return one(inner(store, with, derivative::forward(store, slope, {s.leaf}, {along})));
    };
    compare(outcome, "second derivatives are symmetric", second(t, u), second(u, t), seed);
  }
  if (outcome.failure.empty()) {
    optimize::Context context = random.context;
    context.cycle.clear();
    const NodeId optimized = optimize::optimize(one(s.value), context).graph.outputs[0].node;
    // Of a symmetric leaf only the symmetric part of a derivative is the same, which is what a symmetric direction sees.
    const auto seen = [&](NodeId of) {
      return graph::as<graph::Leaf>(store[s.leaf])->facts.symmetric.empty() ? one(of) : one(inner(store, of, t));
    };
    compare(outcome, "derivative after optimization", seen(slope), seen(derivative::gradient(store, optimized, {s.leaf})[0]), seed);
    if (outcome.failure.empty())
      compare(outcome, "optimized derivative", one(slope), optimize::optimize(one(slope), context).graph, seed);
  }
}

void check_text(const RandomGraph& random, Outcome& outcome) {
  ++outcome.compared;
  const graph::Graph read =
      graph::parse(graph::print(random.graph));  // without what a parser never makes, such as a bare einsum of I
  const std::string text = graph::print(read);
  const graph::Graph again = graph::parse(text);
  if (graph::print(again) != text || read.outputs.size() != random.graph.outputs.size())
    fail_with(outcome, "the printed graph", "reads back as another", random.graph, again);
}

}  // namespace tyto::fuzz
