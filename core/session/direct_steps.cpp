#include "session/direct_steps.hpp"
#include <algorithm>
#include <fmt/format.h>
#include "graph/handle.hpp"

namespace tyto::session {

using graph::NodeId;

namespace {

/// Products of one system, in the median over the steps of Gauss-Newton on nearly parallel CP components; harder ones take more.
constexpr double usual_products = 10;
/// Factorizations of one system: without a shift, then about three until the step ends at the region's boundary. What brings the
/// matrix into the coordinates of its diagonal blocks counts as another.
constexpr double usual_factorizations = 4;
/// What the model does not see of asking for the value of an output: finding out what is current, and moving it into a vector.
constexpr double seconds_per_output = 1.5e-6;

/// For one evaluation of all outputs after all leaves that change have changed.
double seconds(const Declared& d, const std::shared_ptr<graph::Store>& store, const SystemKernels::Group& group) {
  optimize::Context context;
  plan::Options options{.precision = d.setup.precision, .is_trial = true};
  std::vector<std::string> names;
  for (const graph::Output& output : group.outputs) names.push_back(output.name);
  for (const NodeId leaf : group.changing) context.cycle.push_back({{}, leaf});
  context.cycle.push_back({names, -1});
  for (const optimize::Event& event : context.cycle) options.cycle.push_back({event.outputs, event.changes});
  context.changes = [&group](NodeId id) {
    return std::find(group.changing.begin(), group.changing.end(), id) != group.changing.end();
  };
  const optimize::Optimized optimized = optimize::optimize({store, group.outputs}, context);
  return plan::make_plan(optimized.graph, d.setup.executor->model(), options).seconds +
         seconds_per_output * static_cast<double>(names.size());
}

/// Of a Cholesky factorization with its triangular solves.
double factorization_seconds(const Declared& d, std::int64_t unknowns) {
  const auto store = std::make_shared<graph::Store>();
  const Index row("row", unknowns), column("column", unknowns);
  const NodeId matrix = graph::make_leaf(store, "matrix", graph::Role::input, {row, column}).id(),
               right = graph::make_leaf(store, "right side", graph::Role::input, {row}).id();
  const NodeId solution = store->insert(graph::Solve{0, 1, operation::System::positive_definite}, {matrix, right});
  return seconds(d, store, {{{"solution", solution}}, {matrix, right}});
}

}  // namespace

std::int64_t unknown_count(const solve::Setup& setup, const solve::Step& step) {
  std::int64_t count = 0;
  for (const solve::Step::Block& block : step.blocks)
    count += element_count(setup.tensors[static_cast<std::size_t>(block.unknown)].extents);
  return count;
}

DirectChoice choose_direct(const Declared& d, const solve::Step& step, const SystemKernels& kernels,
                           const std::function<SystemKernels::Group()>& matrix) {
  const std::int64_t unknowns = unknown_count(d.setup, step);
  const solve::Directly directly = d.setup.inner.directly;
  if (directly == solve::Directly::always) return {true, "solver.krylov: direct"};
  if (directly == solve::Directly::never || d.setup.executor == nullptr || step.method != Method::gauss_newton || unknowns == 0 ||
      unknowns > most_direct_unknowns)
    return {};
  double iterative = seconds(d, d.problem.store, kernels.products);
  if (!kernels.preconditioned.outputs.empty()) iterative += seconds(d, d.problem.store, kernels.preconditioned);
  iterative *= usual_products;
  double direct = usual_factorizations * factorization_seconds(d, unknowns);
  if (direct < iterative) direct += seconds(d, d.problem.store, matrix());
  constexpr double micro = 1e6;
  return {direct < iterative, fmt::format("{} unknowns: about {:.0f} us a system directly, {:.0f} us by {} products", unknowns,
                                          micro * direct, micro * iterative, usual_products)};
}

}  // namespace tyto::session
