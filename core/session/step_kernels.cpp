#include "session/step_kernels.hpp"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include "derivative/degree.hpp"
#include "derivative/derivative.hpp"
#include "error/fail.hpp"
#include "graph/handle.hpp"
#include "optimize/least_squares.hpp"

namespace tyto::session {

using graph::NodeId;

namespace {

/// Products that a step is planned to spend, so that what they share is worth keeping.
constexpr int planned_products = 4;
/// A diagonal block of the model's matrix is inverted where it comes apart into systems of at most so many unknowns.
constexpr std::int64_t most_preconditioned = 512;

std::string of_step(const Declared& d, std::size_t step) {
  return d.problem.steps.size() == 1 ? "" : fmt::format(" in step {}", step);
}
const Expr& unknown_of(const Declared& d, std::size_t step, std::size_t block) {
  const problem::Step& s = d.problem.steps[step];
  return d.problem.unknowns[static_cast<std::size_t>(s.unknowns[block])].expression;
}
std::string gradient_name(const Declared& d, std::size_t step, std::size_t block) {
  return fmt::format("gradient by {}{}", unknown_of(d, step, block).name(), of_step(d, step));
}
std::string product_name(const Declared& d, std::size_t step, std::size_t block) {
  const bool is_newton = d.problem.steps[step].method == Method::newton;
  return fmt::format("{} product by {}{}", is_newton ? "Hessian" : "Gauss-Newton", unknown_of(d, step, block).name(),
                     of_step(d, step));
}
std::string preconditioned_name(const Declared& d, std::size_t step, std::size_t block) {
  return fmt::format("preconditioned by {}{}", unknown_of(d, step, block).name(), of_step(d, step));
}

std::int32_t number_of(const Declared& d, NodeId node) {
  return static_cast<std::int32_t>(std::find(d.nodes.begin(), d.nodes.end(), node) - d.nodes.begin());
}

/// The tensor of a direction in the space of an unknown: one for all steps.
std::int32_t direction(Declared& d, const std::string& name, const Expr& unknown) {
  for (std::size_t t = 0; t < d.nodes.size(); ++t)
    if (d.setup.tensors[t].name == name) return static_cast<std::int32_t>(t);
  const Expr leaf = graph::make_leaf(d.problem.store, name, graph::Role::input, unknown.shape());
  solve::Tensor tensor{.name = name, .kind = solve::Kind::direction};
  for (const Index& label : unknown.shape()) tensor.extents.push_back(label.extent()), tensor.labels.push_back(label.name());
  d.nodes.push_back(leaf.id());
  d.setup.tensors.push_back(std::move(tensor));
  return static_cast<std::int32_t>(d.nodes.size()) - 1;
}

/// Of the mean of a diagonal block's eigenvalues, added to all of them: a preconditioner must not be singular.
constexpr double damping = 1e-12;

/// d^2 f / d block^2 with all eigenvalues lifted a little; -1 where f is not quadratic in the block or linear.
NodeId damped_block(Declared& d, const problem::Objective& f, const Expr& block, NodeId slope) {
  graph::Store& store = *d.problem.store;
  if (derivative::culprit(store, f.value.id(), block.id()) >= 0) return -1;
  const NodeId curvature = derivative::jacobian(store, slope, block.id());
  if (graph::is_zero(store, curvature)) return -1;
  const auto order = static_cast<std::size_t>(block.order());
  einsum::Labels rows = graph::counted(order), columns = graph::counted(order, static_cast<einsum::Label>(order)), twice = rows;
  twice.insert(twice.end(), rows.begin(), rows.end());
  std::vector<NodeId> operands{graph::einsum(store, {curvature}, {{twice}, {}})};
  einsum::Subscripts subscripts{{{}}, rows};
  subscripts.output.insert(subscripts.output.end(), columns.begin(), columns.end());
  for (std::size_t axis = 0; axis < order; ++axis) {
    const graph::DimensionId dimension = store[block.id()].shape[axis];
    operands.push_back(graph::identity(store, dimension, dimension));
    subscripts.inputs.push_back({rows[axis], columns[axis]});
  }
  const auto size = static_cast<double>(element_count(store.extents(block.id())));
  return graph::combination(store, {{1, curvature}, {damping / size, graph::einsum(store, operands, subscripts)}},
                            store[curvature].shape);
}

/// Unknowns of the largest system that is left of solve(matrix, right) once its structure is found.
std::int64_t system_size(const Declared& d, NodeId solve) {
  const optimize::Optimized found = optimize::optimize({d.problem.store, {{"system", solve}}}, {}, {});
  std::int64_t largest = 0;
  const graph::Store& store = *found.graph.store;
  for (const NodeId id : graph::reachable(found.graph)) {
    const auto* system = graph::as<graph::Solve>(store[id]);
    if (system == nullptr) continue;
    const Extents extents = store.extents(store[id].operands[0]);
    std::int64_t unknowns = 1;
    for (std::size_t axis = static_cast<std::size_t>(system->batch); axis < extents.size(); ++axis) unknowns *= extents[axis];
    largest = std::max(largest, static_cast<std::int64_t>(std::sqrt(static_cast<double>(unknowns))));
  }
  return largest;
}

/// The products with the Gauss-Newton matrix of a sum of squares: of c w e^2, J^T 2 c w J.
std::vector<NodeId> gauss_newton_products(Declared& d, const problem::Objective& f, const std::vector<NodeId>& xs,
                                          const std::vector<NodeId>& directions) {
  graph::Store& store = *d.problem.store;
  const auto squares = optimize::squared_terms(store, f.value.id());
  if (!squares)
    fail({.code = Code::contradiction,
          .where = {.quote = f.fit.text()},
          .what = "Gauss-Newton needs an objective that is a sum of squares",
          .expected = "norms squared with positive factors, weighted or not",
          .hint = "method newton, which takes any objective"});
  std::vector<std::vector<graph::Term>> sums(xs.size());
  for (const optimize::Squared& square : *squares) {
    const NodeId moved = derivative::forward(store, square.residual, xs, directions);
    const std::vector<NodeId> parts = derivative::reverse(store, square.residual, xs, optimize::weighed(store, square, moved));
    for (std::size_t k = 0; k < xs.size(); ++k) sums[k].push_back({1, parts[k]});
  }
  std::vector<NodeId> products;
  for (std::size_t k = 0; k < xs.size(); ++k) products.push_back(graph::combination(store, sums[k], store[xs[k]].shape));
  return products;
}

}  // namespace

void number_steps(Declared& d) {
  for (std::size_t k = 0; k < d.problem.steps.size(); ++k) {
    const problem::Step& s = d.problem.steps[k];
    solve::Step step{.objective = s.objective, .method = s.method};
    for (std::size_t b = 0; b < s.unknowns.size(); ++b) {
      const Expr& unknown = unknown_of(d, k, b);
      step.blocks.push_back({.unknown = number_of(d, unknown.id())});
      if (s.method != Method::gradient_descent)
        step.blocks.back().direction = direction(d, "direction of " + unknown.name(), unknown);
    }
    step.region = static_cast<std::int32_t>(d.nodes.size());
    d.nodes.push_back(-1);
    d.setup.tensors.push_back({.name = fmt::format("region of step {}", k), .kind = solve::Kind::state, .extents = {2}});
    d.setup.steps.push_back(std::move(step));
  }
  if (d.setup.steps.empty()) return;
  for (const char* column : solve::step_columns) d.setup.columns.emplace_back(column);
}

void add_step_kernels(Declared& d, Kernels& kernels) {
  graph::Store& store = *d.problem.store;
  const auto add = [&](const std::string& name, NodeId node) { kernels.graph.outputs.push_back({name, node}); };
  for (std::size_t k = 0; k < d.problem.steps.size(); ++k) {
    const problem::Step& s = d.problem.steps[k];
    if (s.unknowns.empty()) continue;
    const problem::Objective f = d.problem.objectives[static_cast<std::size_t>(s.objective)];
    std::vector<NodeId> xs, directions;
    for (std::size_t b = 0; b < s.unknowns.size(); ++b) {
      xs.push_back(unknown_of(d, k, b).id());
      if (s.method != Method::gradient_descent)
        directions.push_back(d.nodes[static_cast<std::size_t>(d.setup.steps[k].blocks[b].direction)]);
    }
    const std::vector<NodeId> slopes = derivative::gradient(store, f.value.id(), xs);
    for (std::size_t b = 0; b < xs.size(); ++b) add(gradient_name(d, k, b), slopes[b]);
    if (s.method == Method::gradient_descent) continue;
    if (s.method == Method::gauss_newton) {
      const std::vector<NodeId> products = gauss_newton_products(d, f, xs, directions);
      for (std::size_t b = 0; b < xs.size(); ++b) add(product_name(d, k, b), products[b]);
    } else {
      for (std::size_t b = 0; b < xs.size(); ++b) add(product_name(d, k, b), derivative::forward(store, slopes[b], xs, directions));
    }
    for (std::size_t b = 0; b < xs.size(); ++b) {
      const Expr unknown = unknown_of(d, k, b);
      const NodeId curvature = damped_block(d, f, unknown, slopes[b]);
      if (curvature < 0) continue;
      const std::int32_t right = direction(d, "right side of " + unknown.name(), unknown);
      const NodeId solve =
          store.insert(graph::Solve{0, static_cast<std::int32_t>(unknown.order()), operation::System::semidefinite},
                       {curvature, d.nodes[static_cast<std::size_t>(right)]});
      if (system_size(d, solve) > most_preconditioned) continue;
      d.setup.steps[k].blocks[b].right = right;
      add(preconditioned_name(d, k, b), solve);
    }
  }
}

std::vector<optimize::Event> step_events(const Declared& d, std::size_t step, const std::vector<std::string>& objective) {
  const solve::Step& s = d.setup.steps[step];
  std::vector<optimize::Event> events(1);
  for (std::size_t b = 0; b < s.blocks.size(); ++b) events[0].outputs.push_back(gradient_name(d, step, b));
  if (s.blocks.empty()) return {};
  const auto node = [&](std::int32_t tensor) { return d.nodes[static_cast<std::size_t>(tensor)]; };
  for (int n = 0; n < planned_products && s.method != Method::gradient_descent; ++n) {
    optimize::Event preconditioned, product;
    for (std::size_t b = 0; b < s.blocks.size(); ++b) {
      const solve::Step::Block& block = s.blocks[b];
      if (block.right >= 0) events.push_back({{}, node(block.right)});
      if (block.right >= 0) preconditioned.outputs.push_back(preconditioned_name(d, step, b));
      product.outputs.push_back(product_name(d, step, b));
    }
    if (!preconditioned.outputs.empty()) events.push_back(preconditioned);
    for (const solve::Step::Block& block : s.blocks) events.push_back({{}, node(block.direction)});
    events.push_back(product);
  }
  for (const solve::Step::Block& block : s.blocks) events.push_back({{}, node(block.unknown)});
  events.push_back({objective, -1});
  return events;
}

void set_step_values(Declared& d, const std::function<solve::Variants(const std::string&)>& variants_of) {
  for (std::size_t k = 0; k < d.setup.steps.size(); ++k) {
    solve::Step& s = d.setup.steps[k];
    for (std::size_t b = 0; b < s.blocks.size(); ++b) {
      s.blocks[b].gradient = variants_of(gradient_name(d, k, b));
      if (s.method != Method::gradient_descent) s.blocks[b].product = variants_of(product_name(d, k, b));
      if (s.blocks[b].right >= 0) s.blocks[b].preconditioned = variants_of(preconditioned_name(d, k, b));
    }
  }
}

}  // namespace tyto::session
