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
#include "plan/plan.hpp"
#include "solve/state.hpp"
#include "tensor/dense.hpp"

namespace tyto {

using Numbers = std::vector<double>;

/// Values of leaves, row-major, by node.
class LeafNumbers {
 public:
  /// Every leaf of the graph gets numbers in [-1, 1), those called "p..." in [0.5, 2).
  LeafNumbers(const graph::Graph& graph, std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<double> any(-1, 1), positive(0.5, 2);
    for (const graph::NodeId id : reachable(graph)) {
      const auto* leaf = graph::as<graph::Leaf>((*graph.store)[id]);
      if (leaf == nullptr) continue;
      Numbers& numbers = numbers_[id];
      numbers.resize(static_cast<std::size_t>(graph.store->element_count(id)));
      for (double& x : numbers) x = leaf->name.starts_with("p") ? positive(engine) : any(engine);
    }
  }
  Numbers& of(graph::NodeId leaf) { return numbers_[leaf]; }
  LeafNumbers absolute() const {
    LeafNumbers result = *this;
    for (auto& [leaf, numbers] : result.numbers_)
      for (double& x : numbers) x = std::abs(x);
    return result;
  }

 private:
  std::map<graph::NodeId, Numbers> numbers_;
};

/// A value as numbers, its axes in the order of the output.
inline Numbers numbers_of(const ConstArray& value, const std::vector<std::int32_t>& axes) {
  const tensor::Dense copy = tensor::Dense::copy(solve::permuted(value, axes), Dtype::f64);
  const double* first = copy.view().as<double>();
  return {first, first + copy.size()};
}

/// Each output by its own kernel, from the first to the last.
inline std::vector<Numbers> values_of(const graph::Graph& graph, LeafNumbers& leaves, const execute::Executor& executor) {
  const plan::Plan plan = plan::make_plan(graph, executor.model(), {});
  execute::Evaluation evaluation(plan.program, executor.load(plan.program, {}));
  for (std::size_t leaf = 0; leaf < plan.leaves.size(); ++leaf)
    evaluation.bind(static_cast<program::LeafId>(leaf),
                    Array(leaves.of(plan.leaves[leaf]).data(), graph.store->extents(plan.leaves[leaf])));
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

/// The graph with the absolute values of its coefficients: on absolute leaves it bounds the sum of absolute terms.
inline graph::Graph absolute(const graph::Graph& graph) {
  return rewritten(graph, [](graph::Store& store, const graph::Node& node, graph::NodeId) {
    if (const auto* fill = graph::as<graph::Fill>(node)) return graph::fill(store, std::abs(fill->value), node.shape);
    if (const auto* sum = graph::as<graph::Combination>(node)) {
      graph::Combination positive = *sum;
      for (double& c : positive.coefficients) c = std::abs(c);
      return store.insert(positive, node.operands);
    }
    return kept(store, node);
  });
}

inline bool has_systems(const graph::Graph& graph) {
  for (const graph::NodeId id : reachable(graph))
    if (graph::is<graph::Solve>((*graph.store)[id]) || graph::is<graph::Inverse>((*graph.store)[id])) return true;
  return false;
}

/// What a graph's outputs are, and how far from that a right answer may be: 64 roundings of the sum of absolute terms, or, where
/// well-conditioned systems are solved on the way, 1e-10 of the largest number in the graph.
struct Expected {
  Expected(const graph::Graph& graph, LeafNumbers& leaves) : values(values_of(graph, leaves, reference_executor())) {
    if (!has_systems(graph)) {
      LeafNumbers positive = leaves.absolute();
      allowed = values_of(absolute(graph), positive, reference_executor());
      for (Numbers& numbers : allowed)
        for (double& x : numbers) x *= 64 * 2.220446049250313e-16;
      return;
    }
    graph::Graph all{graph.store, {}};
    for (const graph::NodeId id : reachable(graph)) all.outputs.push_back({fmt::format("{}", id), id});
    double largest = 1;
    for (const Numbers& numbers : values_of(all, leaves, reference_executor()))
      for (const double x : numbers) largest = std::max(largest, std::abs(x));
    for (const Numbers& numbers : values) allowed.emplace_back(numbers.size(), 1e-10 * largest);
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
