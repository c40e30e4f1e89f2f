#include "session/contraction_plans.hpp"
#include <algorithm>
#include <fmt/format.h>
#include "graph/handle.hpp"
#include "graph/redimensioned.hpp"
#include "optimize/pipeline.hpp"

namespace tyto::session {

namespace {

void mix(std::size_t& hash, std::int64_t value) {
  hash = hash * 0x9e3779b97f4a7c15u + static_cast<std::size_t>(value) + (hash >> 7);
}

Field field_of(Dtype type) { return type == Dtype::c64 || type == Dtype::c128 ? Field::complex : Field::real; }

/// The result again and again, one operand having changed in between: as often as the requests say, the seldom ones last.
std::vector<optimize::Event> cycle_of(const program::ContractionRequest& request, const std::vector<graph::NodeId>& leaves) {
  std::vector<optimize::Event> cycle;
  std::int64_t most = 1;
  for (const program::ContractionRequest::Operand& o : request.operands) most = std::max(most, o.changes);
  for (std::int64_t turn = 1; turn <= most; ++turn) {
    cycle.push_back({{"result"}, -1});
    for (std::size_t k = 0; k < leaves.size(); ++k)
      if (turn % std::max<std::int64_t>(1, most / request.operands[k].changes) == 0) cycle.push_back({{}, leaves[k]});
  }
  return cycle;
}

/// Seconds of a cycle from which on it pays to choose how intermediates lie: about what the choice takes.
constexpr double worth_choosing = 0.02;

/// 1, 2, 3, 4, 6, 8, 12, 16, 24, ...
std::int64_t rounded_up(std::int64_t extent) {
  std::int64_t power = 1;
  while (power < extent) power *= 2;
  return power >= 4 && power / 4 * 3 >= extent ? power / 4 * 3 : power;
}

/// Plans are some 10 kB each, designs ten times that: what a chain of some hundred unequal sites asks for in a sweep or two.
constexpr std::size_t most_plans = 4000, most_designs = 500;

}  // namespace

std::size_t hash_of(const program::ContractionRequest& r) {
  std::size_t hash = 0;
  for (const einsum::Labels& labels : r.subscripts.inputs) {
    mix(hash, -1);
    for (const einsum::Label label : labels) mix(hash, label);
  }
  mix(hash, -2);
  for (const einsum::Label label : r.subscripts.output) mix(hash, label);
  for (const std::int64_t extent : r.extents) mix(hash, extent);
  for (const program::ContractionRequest::Operand& o : r.operands) {
    mix(hash, static_cast<std::int64_t>(o.dtype)), mix(hash, o.is_conjugated ? 1 : 0), mix(hash, o.changes);
  }
  return hash;
}

ContractionPlans::ContractionPlans(const execute::Executor& executor, plan::Options options,
                                   std::vector<std::string> passes_switched_off)
    : executor_(executor),
      options_(std::move(options)),
      switched_off_(std::move(passes_switched_off)),
      known_(most_plans),
      designs_(most_designs) {
  // Looking for slabs is most of what such a plan takes, and won nothing: two-site sweeps took 14 % longer with bonds of 110, 2 %
  // with 256.
  options_.switched_off.emplace_back("fuse_slabs");
}

const program::PlannedContraction& ContractionPlans::plan(const program::ContractionRequest& request) {
  if (const program::PlannedContraction* known = known_.find(request)) return *known;
  return known_.add(request, made(request));
}

const ContractionPlans::Design& ContractionPlans::design(const program::ContractionRequest& exact) {
  program::ContractionRequest request = exact;
  for (std::int64_t& extent : request.extents) extent = rounded_up(extent);
  if (const Design* known = designs_.find(request)) return *known;

  const auto store = std::make_shared<graph::Store>();
  Indices labels;
  for (std::size_t k = 0; k < request.extents.size(); ++k) labels.emplace_back(std::to_string(k), request.extents[k]);
  const auto labelled = [&](const einsum::Labels& of) {
    Indices result;
    for (const einsum::Label label : of) result.push_back(labels[static_cast<std::size_t>(label)]);
    return result;
  };
  std::vector<graph::NodeId> leaves;
  Exprs factors;
  for (std::size_t k = 0; k < request.operands.size(); ++k) {
    const Expr leaf = graph::make_leaf(store, fmt::format("T{}", k), graph::Role::input, labelled(request.subscripts.inputs[k]),
                                       field_of(request.operands[k].dtype));
    leaves.push_back(leaf.id());
    factors.push_back(request.operands[k].is_conjugated ? conj(leaf) : leaf);
  }
  const Expr result = v1::einsum(factors, labelled(request.subscripts.output));
  optimize::Context context;
  context.cycle = cycle_of(request, leaves);
  context.changes = [](graph::NodeId) { return true; };
  optimize::Optimized optimized = optimize::optimize({result.store(), {{"result", result.id()}}}, context, switched_off_);
  plan::Options options = options_;
  options.precision = Dtype::f64;
  for (const optimize::Event& event : context.cycle) options.cycle.push_back({event.outputs, event.changes});
  plan::Layouts layouts(*optimized.graph.store);
  if (plan::make_plan(optimized.graph, executor_.model(), options, layouts).seconds > worth_choosing)
    layouts = plan::choose_layouts(optimized.graph, executor_.model(), options);
  return designs_.add(std::move(request), {std::move(optimized), std::move(leaves), std::move(options), std::move(layouts)});
}

program::PlannedContraction ContractionPlans::made(const program::ContractionRequest& request) {
  const Design& d = design(request);
  std::map<const Dimension*, std::shared_ptr<const Dimension>> dimensions;
  const auto exact = [&](const std::shared_ptr<const Dimension>& rounded) {
    std::shared_ptr<const Dimension>& own = dimensions[rounded.get()];
    if (!own) {
      const std::int64_t extent = request.extents[static_cast<std::size_t>(std::stoll(rounded->name))];
      own = std::make_shared<const Dimension>(Dimension{rounded->name, extent, extent, false});
    }
    return own;
  };
  const graph::Redimensioned made = graph::redimensioned(d.optimized.graph, exact);
  const auto now = [&](graph::NodeId old) { return old < 0 ? old : made.number[static_cast<std::size_t>(old)]; };
  plan::Layouts layouts(*made.graph.store);
  for (std::size_t old = 0; old < made.number.size(); ++old)
    if (made.number[old] >= 0) layouts.set(made.number[old], d.layouts.of(static_cast<graph::NodeId>(old)));
  plan::Options options = d.options;
  for (plan::Event& event : options.cycle) event.changes = now(event.changes);
  const plan::Plan plan = plan::make_plan(made.graph, executor_.model(), options, layouts);
  program::PlannedContraction planned{plan.program, {}, plan.output("result").axes};
  for (const graph::NodeId leaf : d.leaves) planned.leaves.push_back(plan.leaf(now(leaf)));
  return planned;
}

}  // namespace tyto::session
