#pragma once
/// What the device says that the step of a node takes, for any strides of what it reads and writes.
#include "device/model.hpp"
#include "plan/axes.hpp"
#include "plan/plan.hpp"

namespace tyto::plan {

/// The step of one node on buffers of its own.
struct LocalStep {
  program::Operation operation;
  std::vector<program::Buffer> buffers;
  std::vector<Base> places;  ///< of the first buffers: which base nodes they are; their strides are set for each question
  std::int32_t kind = -1;    ///< equal for steps that differ in nothing but strides
  bool is_refused = false;   ///< the device does not take it whole
};

class StepCosts {
 public:
  StepCosts(const graph::Graph& graph, const device::Model& device, const Options& options)
      : store_(*graph.store), device_(device), options_(options) {}

  /// Nothing for nodes without a step whose time depends on strides: leaves, constants, permutations and factorizations.
  std::optional<LocalStep> step_of(graph::NodeId);
  /// The copy of a value to row-major memory with the axes of `id`, as callers ask for it.
  LocalStep copy_of(graph::NodeId id);
  /// Seconds if base node places[k].node has strides[k]. 0 for what no device of this kind can run: lowering will say so.
  double seconds(LocalStep&, const std::vector<const Extents*>& strides) const;

 private:
  Dtype type_of(graph::NodeId) const;
  program::Buffer buffer_of(const Base&, Dtype) const;
  std::optional<LocalStep> contraction_of(graph::NodeId);
  LocalStep numbered(LocalStep, std::vector<std::int64_t> description, graph::NodeId);

  /// Steps that look alike, the parameters of whose operations are compared.
  struct Kind {
    graph::NodeId example = -1;
    std::int32_t number = -1;
  };
  const graph::Store& store_;
  const device::Model& device_;
  const Options& options_;
  std::map<std::vector<std::int64_t>, std::vector<Kind>> kinds_;
  std::int32_t kind_count_ = 0;
};

}  // namespace tyto::plan
