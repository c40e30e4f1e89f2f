#include "session/step_kernels.hpp"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include "derivative/degree.hpp"
#include "derivative/derivative.hpp"
#include "error/fail.hpp"
#include "graph/handle.hpp"
#include "optimize/least_squares.hpp"
#include "session/direct_steps.hpp"

namespace tyto::session {

using graph::NodeId;

namespace {

/// Products that a step is planned to spend, so that what they share is worth keeping.
constexpr int planned_products = 4;
/// A diagonal block of the model's matrix is inverted where it comes apart into systems of at most so many unknowns.
constexpr std::int64_t most_preconditioned = 512;

/// A step or a minimizer, as declared and as it is run.
struct Request {
  const problem::Step& declared;
  solve::Step& run;
  std::string suffix;  ///< of the names of its outputs
};

std::vector<Request> requests(Declared& d) {
  std::vector<Request> all;
  const std::size_t count = d.problem.steps.size() + d.problem.minimizers.size();
  const auto add = [&](const std::vector<problem::Step>& declared, std::vector<solve::Step>& run, const char* what) {
    for (std::size_t k = 0; k < declared.size(); ++k)
      all.push_back({declared[k], run[k], count == 1 ? "" : fmt::format(" in {} {}", what, k)});
  };
  add(d.problem.steps, d.setup.steps, "step");
  add(d.problem.minimizers, d.setup.minimizers, "minimizer");
  return all;
}

Expr unknown_of(const Declared& d, const Request& r, std::size_t block) {
  return d.problem.unknowns[static_cast<std::size_t>(r.declared.unknowns[block])].expression;
}
std::string gradient_name(const Declared& d, const Request& r, std::size_t block) {
  return fmt::format("gradient by {}{}", unknown_of(d, r, block).name(), r.suffix);
}
std::string product_name(const Declared& d, const Request& r, std::size_t block) {
  const char* const matrix = r.declared.method == Method::newton ? "Hessian" : "Gauss-Newton";
  return fmt::format("{} product by {}{}", matrix, unknown_of(d, r, block).name(), r.suffix);
}
std::string preconditioned_name(const Declared& d, const Request& r, std::size_t block) {
  return fmt::format("preconditioned by {}{}", unknown_of(d, r, block).name(), r.suffix);
}
std::string matrix_name(const Declared& d, const Request& r, const solve::Step::Part& part) {
  return fmt::format("matrix between {} and {}{}", unknown_of(d, r, part.row).name(), unknown_of(d, r, part.column).name(),
                     r.suffix);
}
/// Whether the method has a quadratic model, and so a matrix.
bool has_model(Method method) { return method == Method::newton || method == Method::gauss_newton; }

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
  const auto numbered = [&d](const problem::Step& declared) {
    solve::Step run{.objective = declared.objective, .method = declared.method};
    for (const std::int32_t k : declared.unknowns) {
      const Expr unknown = d.problem.unknowns[static_cast<std::size_t>(k)].expression;
      run.blocks.push_back({.unknown = number_of(d, unknown.id())});
      if (has_model(declared.method)) run.blocks.back().direction = direction(d, "direction of " + unknown.name(), unknown);
    }
    return run;
  };
  for (std::size_t k = 0; k < d.problem.steps.size(); ++k) {
    d.setup.steps.push_back(numbered(d.problem.steps[k]));
    d.setup.steps.back().region = static_cast<std::int32_t>(d.nodes.size());
    d.nodes.push_back(-1);
    d.setup.tensors.push_back({.name = fmt::format("region of step {}", k), .kind = solve::Kind::state, .extents = {2}});
  }
  for (const problem::Step& m : d.problem.minimizers) d.setup.minimizers.push_back(numbered(m));
  const auto add_column = [&d](std::int32_t& place, bool is_used, const char* name) {
    if (!is_used) return;
    place = static_cast<std::int32_t>(d.setup.columns.size());
    d.setup.columns.emplace_back(name);
  };
  const std::vector<Request> all = requests(d);
  solve::StepColumns& columns = d.setup.step_columns;
  add_column(columns.gradient_norm, !all.empty(), "gradient norm");
  add_column(columns.products, std::any_of(all.begin(), all.end(), [](const Request& r) { return has_model(r.declared.method); }),
             "products");
  add_column(columns.gain, !d.setup.steps.empty(), "gain");
}

namespace {

/// Products with the matrix of the model, by block.
std::vector<NodeId> products(Declared& d, const problem::Objective& f, Method method, const std::vector<NodeId>& xs,
                             const std::vector<NodeId>& slopes, const std::vector<NodeId>& directions) {
  if (method == Method::gauss_newton) return gauss_newton_products(d, f, xs, directions);
  std::vector<NodeId> all;
  for (const NodeId slope : slopes) all.push_back(derivative::forward(*d.problem.store, slope, xs, directions));
  return all;
}

/// The blocks of the model's matrix on the diagonal and right of it: what the products of a row do to a direction.
SystemKernels::Group matrix_of(Declared& d, const Request& r, const std::vector<NodeId>& xs, const std::vector<NodeId>& products,
                               const std::vector<NodeId>& directions) {
  SystemKernels::Group group{{}, xs};
  r.run.matrix.clear();
  for (std::size_t row = 0; row < xs.size(); ++row)
    for (std::size_t column = row; column < xs.size(); ++column) {
      r.run.matrix.push_back({row, column});
      const NodeId part = derivative::jacobian(*d.problem.store, products[row], directions[column]);
      group.outputs.push_back({matrix_name(d, r, r.run.matrix.back()), part});
    }
  return group;
}

/// The inverse of the diagonal block of one unknown, times a right side; nothing where that is not cheap.
void add_preconditioner(Declared& d, const Request& r, std::size_t block, NodeId slope, Kernels& kernels) {
  graph::Store& store = *d.problem.store;
  const Expr unknown = unknown_of(d, r, block);
  const problem::Objective f = d.problem.objectives[static_cast<std::size_t>(r.declared.objective)];
  const NodeId matrix = damped_block(d, f, unknown, slope);
  if (matrix < 0) return;
  const std::int32_t right = direction(d, "right side of " + unknown.name(), unknown);
  const NodeId solve = store.insert(graph::Solve{0, static_cast<std::int32_t>(unknown.order()), operation::System::semidefinite},
                                    {matrix, d.nodes[static_cast<std::size_t>(right)]});
  if (system_size(d, solve) > most_preconditioned) return;
  r.run.blocks[block].right = right;
  kernels.graph.outputs.push_back({preconditioned_name(d, r, block), solve});
}

/// The matrix of a step, where its systems are to be solved directly.
void add_matrix(Declared& d, const Request& r, const std::vector<NodeId>& xs, const std::vector<NodeId>& products,
                const std::vector<NodeId>& directions, Kernels& kernels) {
  if (r.run.region < 0) return;  // a minimizer knows its Hessian by products
  const auto node = [&](std::int32_t tensor) { return d.nodes[static_cast<std::size_t>(tensor)]; };
  const auto output = [&](const std::string& name) {
    return *std::find_if(kernels.graph.outputs.begin(), kernels.graph.outputs.end(),
                         [&](const graph::Output& o) { return o.name == name; });
  };
  SystemKernels system;
  for (std::size_t b = 0; b < xs.size(); ++b) {
    system.products.outputs.push_back(output(product_name(d, r, b))), system.products.changing.push_back(directions[b]);
    if (r.run.blocks[b].right < 0) continue;
    system.preconditioned.outputs.push_back(output(preconditioned_name(d, r, b)));
    system.preconditioned.changing.push_back(node(r.run.blocks[b].right));
  }
  const auto matrix = [&] { return matrix_of(d, r, xs, products, directions); };
  const DirectChoice choice = choose_direct(d, r.run, system, matrix);
  if (!choice.reason.empty())
    kernels.notes.push_back(fmt::format("systems{}: {} ({})", r.suffix,
                                        choice.is_direct ? "directly, by Cholesky factorizations" : "by products", choice.reason));
  if (choice.is_direct)
    for (const graph::Output& part : matrix().outputs) kernels.graph.outputs.push_back(part);
  else r.run.matrix.clear();
}

}  // namespace

void add_step_kernels(Declared& d, Kernels& kernels) {
  const auto add = [&](const std::string& name, NodeId node) { kernels.graph.outputs.push_back({name, node}); };
  for (const Request& r : requests(d)) {
    if (r.run.blocks.empty()) continue;
    const problem::Objective f = d.problem.objectives[static_cast<std::size_t>(r.declared.objective)];
    std::vector<NodeId> xs, directions;
    for (const solve::Step::Block& block : r.run.blocks) {
      xs.push_back(d.nodes[static_cast<std::size_t>(block.unknown)]);
      if (block.direction >= 0) directions.push_back(d.nodes[static_cast<std::size_t>(block.direction)]);
    }
    const std::vector<NodeId> slopes = derivative::gradient(*d.problem.store, f.value.id(), xs);
    for (std::size_t b = 0; b < xs.size(); ++b) add(gradient_name(d, r, b), slopes[b]);
    if (!has_model(r.declared.method)) continue;
    const std::vector<NodeId> matrix = products(d, f, r.declared.method, xs, slopes, directions);
    for (std::size_t b = 0; b < xs.size(); ++b) add(product_name(d, r, b), matrix[b]);
    for (std::size_t b = 0; b < xs.size(); ++b) add_preconditioner(d, r, b, slopes[b], kernels);
    add_matrix(d, r, xs, matrix, directions, kernels);
  }
}

namespace {

std::vector<optimize::Event> events_of(const Declared& d, const Request& r, const std::vector<std::string>& objective) {
  const std::vector<solve::Step::Block>& blocks = r.run.blocks;
  if (blocks.empty()) return {};
  std::vector<optimize::Event> events(1);
  for (std::size_t b = 0; b < blocks.size(); ++b) events[0].outputs.push_back(gradient_name(d, r, b));
  const auto node = [&](std::int32_t tensor) { return d.nodes[static_cast<std::size_t>(tensor)]; };
  if (!r.run.matrix.empty()) {
    optimize::Event matrix;
    for (const solve::Step::Part& part : r.run.matrix) matrix.outputs.push_back(matrix_name(d, r, part));
    events.push_back(matrix);
  }
  const int planned = !has_model(r.declared.method) ? 0 : r.run.matrix.empty() ? planned_products : 1;
  for (int n = 0; n < planned; ++n) {
    optimize::Event preconditioned, product;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      if (blocks[b].right >= 0) events.push_back({{}, node(blocks[b].right)});
      if (blocks[b].right >= 0) preconditioned.outputs.push_back(preconditioned_name(d, r, b));
      product.outputs.push_back(product_name(d, r, b));
    }
    if (!preconditioned.outputs.empty()) events.push_back(preconditioned);
    for (const solve::Step::Block& block : blocks) events.push_back({{}, node(block.direction)});
    events.push_back(product);
  }
  for (const solve::Step::Block& block : blocks) events.push_back({{}, node(block.unknown)});
  events.push_back({objective, -1});
  return events;
}

}  // namespace

std::vector<optimize::Event> step_events(Declared& d, std::size_t step, const std::vector<std::string>& objective) {
  return events_of(d, requests(d)[step], objective);
}

std::vector<optimize::Event> minimizer_events(Declared& d, std::size_t minimizer, const std::vector<std::string>& objective) {
  return events_of(d, requests(d)[d.problem.steps.size() + minimizer], objective);
}

void set_step_values(Declared& d, const std::function<solve::Variants(const std::string&)>& variants_of) {
  for (const Request& r : requests(d)) {
    for (std::size_t b = 0; b < r.run.blocks.size(); ++b) {
      solve::Step::Block& block = r.run.blocks[b];
      block.gradient = variants_of(gradient_name(d, r, b));
      if (block.direction >= 0) block.product = variants_of(product_name(d, r, b));
      if (block.right >= 0) block.preconditioned = variants_of(preconditioned_name(d, r, b));
    }
    for (solve::Step::Part& part : r.run.matrix) part.value = variants_of(matrix_name(d, r, part));
  }
}

}  // namespace tyto::session
