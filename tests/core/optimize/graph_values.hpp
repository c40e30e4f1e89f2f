#pragma once
/// Graphs evaluated on random leaves, and how far two evaluations of one graph may differ.
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include "execute/cpu/executor.hpp"
#include "execute/evaluation.hpp"
#include "execute/reference/executor.hpp"
#include "graph/build.hpp"
#include "graph/text.hpp"
#include "plan/fuse.hpp"
#include "plan/plan.hpp"
#include "solve/state.hpp"
#include "tensor/dense.hpp"
#include "verify/magnitude.hpp"
#include "verify/sample.hpp"

namespace tyto {

using Numbers = std::vector<double>;

/// Values of leaves, row-major, by node.
class LeafNumbers {
 public:
  /// Every leaf of the graph gets numbers in [-1, 1), weights and those called "p..." in [0.5, 2), such as its facts allow.
  /// Complex ones are pairs.
  LeafNumbers(const graph::Graph& graph, std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<double> any(-1, 1), positive(0.5, 2);
    for (const graph::NodeId id : reachable(graph)) {
      const auto* leaf = graph::as<graph::Leaf>((*graph.store)[id]);
      if (leaf == nullptr) continue;
      Numbers& numbers = numbers_[id];
      const bool is_complex = leaf->field == Field::complex,
                 is_positive = leaf->role == graph::Role::weights || leaf->name.starts_with("p");
      numbers.resize(static_cast<std::size_t>(graph.store->element_count(id) * (is_complex ? 2 : 1)));
      for (double& x : numbers) x = is_positive ? positive(engine) : any(engine);
      const Extents extents = graph.store->extents(id);
      verify::apply_facts(Array(numbers.data(), is_complex ? Dtype::c128 : Dtype::f64, extents, row_major(extents)), leaf->facts);
    }
  }
  Numbers& of(graph::NodeId leaf) { return numbers_[leaf]; }

 private:
  std::map<graph::NodeId, Numbers> numbers_;
};

/// A value as numbers, its axes in the order of the output; complex ones as pairs.
inline Numbers numbers_of(const ConstArray& value, const std::vector<std::int32_t>& axes, bool is_complex) {
  const tensor::Dense copy = tensor::Dense::copy(solve::permuted(value, axes), is_complex ? Dtype::c128 : Dtype::f64);
  const auto* first = static_cast<const double*>(copy.view().data);
  return {first, first + copy.size() * (is_complex ? 2 : 1)};
}
inline Numbers numbers_of(const ConstArray& value, const std::vector<std::int32_t>& axes) {
  return numbers_of(value, axes, program::is_complex(value.dtype));
}

/// Each output by its own kernel, from the first to the last, but for what the plan joins.
inline std::vector<Numbers> values_of(const graph::Graph& graph, LeafNumbers& leaves, const execute::Executor& executor,
                                      const plan::Options& options = {}) {
  const plan::Plan plan = plan::make_plan(graph, executor.model(), options);
  execute::Evaluation evaluation(plan.program, executor.load(plan.program, {}));
  for (std::size_t leaf = 0; leaf < plan.leaves.size(); ++leaf)
    evaluation.bind(static_cast<program::LeafId>(leaf),
                    Array(leaves.of(plan.leaves[leaf]).data(), plan.program->leaves[leaf].dtype,
                          graph.store->extents(plan.leaves[leaf]), row_major(graph.store->extents(plan.leaves[leaf]))));
  std::vector<std::int32_t> kernels;
  for (const plan::Output& output : plan.outputs) kernels.push_back(output.kernel);
  evaluation.run_joined(kernels);
  std::vector<Numbers> values;
  for (const plan::Output& output : plan.outputs) values.push_back(numbers_of(evaluation.run(output.kernel), output.axes));
  return values;
}

inline const execute::Executor& reference_executor() {
  static const std::unique_ptr<execute::Executor> executor = execute::reference::make_executor();
  return *executor;
}
inline const execute::Executor& cpu_executor() {
  static const std::unique_ptr<execute::Executor> executor = execute::cpu::make_executor();
  return *executor;
}

/// What a graph's outputs are, step by step as they stand there, and how far from that a right answer may be: 64 roundings of the
/// expression with absolute terms.
struct Expected {
  Expected(const graph::Graph& graph, LeafNumbers& leaves)
      : values(values_of(graph, leaves, reference_executor(), {.switched_off = plan::fusion_names()})) {
    graph::Graph bounds{graph.store, {}};
    verify::Magnitudes magnitudes(*graph.store);
    for (const graph::Output& output : graph.outputs) bounds.outputs.push_back({output.name, magnitudes.of(output.node)});
    allowed = values_of(bounds, leaves, reference_executor());
    for (std::size_t k = 0; k < allowed.size(); ++k) {
      const bool is_complex = (*graph.store)[graph.outputs[k].node].field == Field::complex;
      Numbers repeated;
      for (const double x : allowed[k]) repeated.insert(repeated.end(), is_complex ? 2 : 1, 64 * 2.220446049250313e-16 * x);
      allowed[k] = repeated;
    }
  }
  /// Whether there is anything to compare: a value or its bound that is no number says nothing.
  bool is_finite() const {
    for (const auto* all : {&values, &allowed})
      for (const Numbers& numbers : *all)
        for (const double x : numbers)
          if (!std::isfinite(x)) return false;
    return true;
  }
  std::vector<Numbers> values, allowed;
};

/// Empty if the values are as expected, else what the first difference is.
inline std::string difference(const Expected& expected, const std::vector<Numbers>& found) {
  if (found.size() != expected.values.size()) return "another number of outputs";
  for (std::size_t output = 0; output < found.size(); ++output) {
    if (found[output].size() != expected.values[output].size())
      return fmt::format("output {} has {} elements, expected {}", output, found[output].size(), expected.values[output].size());
    for (std::size_t k = 0; k < found[output].size(); ++k) {
      const double wanted = expected.values[output][k], allowed = expected.allowed[output][k];
      if (!(std::abs(found[output][k] - wanted) <= allowed))
        return fmt::format("element {} of output {} is {:.17g}, expected {:.17g} to {:.1e}", k, output, found[output][k], wanted,
                           allowed);
    }
  }
  return {};
}

}  // namespace tyto
