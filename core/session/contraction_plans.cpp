#include "session/contraction_plans.hpp"
#include <algorithm>
#include <fmt/format.h>
#include "graph/handle.hpp"
#include "optimize/pipeline.hpp"

namespace tyto::session {

namespace {

void mix(std::size_t& hash, std::int64_t value) { hash = hash * 0x9e3779b97f4a7c15u + static_cast<std::size_t>(value) + (hash >> 7); }

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

Field field_of(Dtype type) { return type == Dtype::c64 || type == Dtype::c128 ? Field::complex : Field::real; }

/// The result again and again, one operand having changed in between: as often as the requests say, the seldom ones last.
std::vector<optimize::Event> cycle_of(const program::ContractionRequest& request, const std::vector<Expr>& leaves) {
  std::vector<optimize::Event> cycle;
  std::int64_t most = 1;
  for (const program::ContractionRequest::Operand& o : request.operands) most = std::max(most, o.changes);
  for (std::int64_t turn = 1; turn <= most; ++turn) {
    cycle.push_back({{"result"}, -1});
    for (std::size_t k = 0; k < leaves.size(); ++k)
      if (turn % std::max<std::int64_t>(1, most / request.operands[k].changes) == 0) cycle.push_back({{}, leaves[k].id()});
  }
  return cycle;
}

}  // namespace

ContractionPlans::ContractionPlans(const execute::Executor& executor, plan::Options options,
                                   std::vector<std::string> passes_switched_off)
    : executor_(executor), options_(std::move(options)), switched_off_(std::move(passes_switched_off)) {}

const program::PlannedContraction& ContractionPlans::plan(const program::ContractionRequest& request) {
  const std::size_t hash = hash_of(request);
  const auto [first, last] = known_.equal_range(hash);
  for (auto at = first; at != last; ++at)
    if (at->second.request == request) return at->second.planned;
  return known_.emplace(hash, Known{request, made(request)})->second.planned;
}

program::PlannedContraction ContractionPlans::made(const program::ContractionRequest& request) const {
  const auto store = std::make_shared<graph::Store>();
  Indices labels;
  for (std::size_t k = 0; k < request.extents.size(); ++k) labels.emplace_back(fmt::format("l{}", k), request.extents[k]);
  const auto labelled = [&](const einsum::Labels& of) {
    Indices result;
    for (const einsum::Label label : of) result.push_back(labels[static_cast<std::size_t>(label)]);
    return result;
  };
  std::vector<Expr> leaves;
  Exprs factors;
  for (std::size_t k = 0; k < request.operands.size(); ++k) {
    leaves.push_back(graph::make_leaf(store, fmt::format("T{}", k), graph::Role::input, labelled(request.subscripts.inputs[k]),
                                      field_of(request.operands[k].dtype)));
    factors.push_back(request.operands[k].is_conjugated ? conj(leaves.back()) : leaves.back());
  }
  const Expr result = v1::einsum(factors, labelled(request.subscripts.output));
  optimize::Context context;
  context.cycle = cycle_of(request, leaves);
  context.changes = [](graph::NodeId) { return true; };
  const optimize::Optimized optimized = optimize::optimize({result.store(), {{"result", result.id()}}}, context, switched_off_);
  plan::Options options = options_;
  options.precision = Dtype::f64;
  for (const optimize::Event& event : context.cycle) options.cycle.push_back({event.outputs, event.changes});
  const plan::Plan plan = plan::make_plan(optimized.graph, executor_.model(), options);
  program::PlannedContraction planned{plan.program, {}, plan.output("result").axes};
  for (const Expr& leaf : leaves) planned.leaves.push_back(plan.leaf(leaf.id()));
  return planned;
}

}  // namespace tyto::session
