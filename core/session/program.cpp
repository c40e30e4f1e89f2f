/// tyto::Program: outputs of a library user, compiled, bound and run.
#include <algorithm>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "execute/evaluation.hpp"
#include "graph/handle.hpp"
#include "session/compiled.hpp"
#include "session/flow.hpp"
#include "solve/state.hpp"
#include "tensor/dense.hpp"
#include "verify/verified.hpp"

namespace tyto::inline v1 {
using namespace session;

namespace {

/// The outputs in a store of their own: whoever made them may go on building expressions meanwhile.
graph::Graph joined(const Exprs& outputs) {
  graph::Graph graph{std::make_shared<graph::Store>(), {}};
  for (const Expr& e : outputs) {
    const graph::Joined own = graph::joined_store({e});
    graph.outputs.push_back({fmt::format("output {}", graph.outputs.size()), graph.store->import(*own.store, own.nodes[0])});
  }
  return graph;
}

/// What a program holds; nothing after it was moved from.
template <class Impl>
Impl& held(const std::unique_ptr<Impl>& impl) {
  TYTO_ASSERT(impl != nullptr);
  return *impl;
}

}  // namespace

struct Program::Impl {
  Impl(const Exprs& outputs, const CompileOptions& chosen)
      : options(chosen),
        registry(built_in_backends(found_calibration().rates)),
        graph(joined(outputs)),
        leaves(graph, options.precision),
        results(outputs.size()) {
    check_options(options, registry);
    compile();
  }

  /// An output as the last run left it, and where the caller wants a copy.
  struct Output {
    ConstArray value = {};
    bool has_value = false, has_target = false;
    Array target = {};
  };

  void compile() {
    Compiled fresh = compiled(graph, leaves.all(), options, registry, plan.executor == nullptr ? nullptr : &plan);
    evaluation.reset();  // its memory goes before the next is reserved
    plan = std::move(fresh);
    evaluation.emplace(plan.plan.program, plan.executor->load(plan.plan.program, {.threads = options.threads}));
    ids.clear();
    for (BoundLeaf& leaf : leaves.all()) leaf.has_changed = leaf.is_bound, ids.push_back(plan.plan.leaf(leaf.node));
    kernels.clear();
    for (std::size_t n = 0; n < results.size(); ++n) {
      const plan::Output& output = plan.plan.outputs[n];
      const program::Program& p = *plan.plan.program;
      const program::Buffer& b = p.buffers[static_cast<std::size_t>(p.kernels[static_cast<std::size_t>(output.kernel)].output)];
      kernels.push_back(output.kernel);
      results[n].value = solve::permuted({nullptr, b.dtype, b.extents, b.strides}, output.axes);
    }
  }

  /// Hands on what has changed since the last run; what has not keeps its version, and what follows from it its value.
  void update_leaves() {
    leaves.stage();
    for (std::size_t k = 0; k < ids.size(); ++k) {
      BoundLeaf& leaf = leaves.all()[k];
      const program::LeafId id = ids[k];
      if (id >= 0 && leaf.has_changed) evaluation->bind(id, leaf.array);
      else if (id >= 0 && leaf.is_bound && leaf.changes == Changes::every_run) evaluation->touch(id);
      leaf.has_changed = false;
    }
  }

  void run(std::size_t first, std::size_t last) {
    for (Output& output : results) output.has_value = false;
    if (!evaluation || !fits(plan, leaves.all())) compile();
    update_leaves();
    if (last - first == results.size()) evaluation->run_joined(kernels);
    for (std::size_t n = first; n < last; ++n) {
      results[n].value.data = evaluation->run(plan.plan.outputs[n].kernel).data;
      results[n].has_value = true;
    }
    deliver(first, last);
  }
  /// Copies outputs to their targets, after all have been computed: a target may be the memory of an input. Outputs that are inputs
  /// themselves are taken out of its way first.
  void deliver(std::size_t first, std::size_t last) {
    std::vector<std::pair<std::size_t, tensor::Dense>> moved;
    for (std::size_t n = first; n < last; ++n) {
      const bool is_input = plan.plan.program->kernels[static_cast<std::size_t>(plan.plan.outputs[n].kernel)].steps.empty();
      if (results[n].has_target && is_input) moved.emplace_back(n, tensor::Dense::copy(results[n].value, results[n].value.dtype));
    }
    for (std::size_t n = first; n < last; ++n) {
      const Output& output = results[n];
      const auto copy = std::find_if(moved.begin(), moved.end(), [&](const auto& m) { return m.first == n; });
      const bool is_there = output.target.data == output.value.data && output.target.strides == output.value.strides;
      if (copy != moved.end()) tensor::copy_to(copy->second.view(), output.target);
      else if (output.has_target && !is_there) tensor::copy_to(output.value, output.target);
    }
  }

  bool checks_facts() const { return options.verify || verify::always; }

  const Output& result(std::size_t n) const {
    if (n < results.size()) return results[n];
    fail(Code::out_of_range, fmt::format("there is no output {}", n),
         results.empty() ? "none: the program has no outputs" : fmt::format("0..{}", results.size() - 1), fmt::format("{}", n));
  }

  CompileOptions options;
  backend::Registry registry;
  graph::Graph graph;
  BoundLeaves leaves;
  Compiled plan;
  std::vector<Output> results;
  std::vector<std::int32_t> kernels;  ///< of all outputs
  std::vector<program::LeafId> ids;   ///< of all leaves, in the plan; -1: not in it
  std::optional<execute::Evaluation> evaluation;
};

Program::Program(Exprs outputs, const CompileOptions& options) : impl_(std::make_unique<Impl>(outputs, options)) {}
Program::~Program() = default;
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;

void Program::bind(const Expr& leaf, const ConstArray& array, Changes changes) { held(impl_).leaves.bind(leaf, array, changes); }
void Program::touch(const Expr& leaf) { held(impl_).leaves.touch(leaf); }

void Program::bind_output(std::size_t n, const Array& array) {
  const Impl::Output& output = held(impl_).result(n);
  check_array(fmt::format("output {}", n), output.value.extents, output.value.dtype, array);
  held(impl_).results[n].target = array, held(impl_).results[n].has_target = true;
}

void Program::run() {
  held(impl_).leaves.require_bound();
  if (held(impl_).checks_facts()) held(impl_).leaves.require_facts();
  held(impl_).run(0, held(impl_).results.size());
}
void Program::run(std::size_t n) {
  (void)held(impl_).result(n);
  held(impl_).leaves.require_bound(n);
  if (held(impl_).checks_facts()) held(impl_).leaves.require_facts(n);
  held(impl_).run(n, n + 1);
}

ConstArray Program::output(std::size_t n) const {
  const Impl::Output& output = held(impl_).result(n);
  if (!output.has_value)
    fail(Code::not_bound, fmt::format("output {} has no value", n), "run() before output()", "",
         fmt::format("run() or run({})", n));
  return output.value;
}

Forecast Program::forecast() const { return forecast_of(held(impl_).plan.plan); }
std::string Program::explain() const { return session::plan_text(held(impl_).plan); }

}  // namespace tyto::inline v1
