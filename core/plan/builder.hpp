#pragma once
/// A program in the making: buffers with chosen orders of axes, steps that the device takes, and values of nodes seen in whatever
/// order a step numbers their axes.
#include <map>
#include "plan/axes.hpp"
#include "plan/layout.hpp"
#include "plan/lower.hpp"

namespace tyto::plan {

/// A node as a buffer: node axis k is buffer axis axes[k].
struct Value {
  program::BufferId buffer = -1;
  Axes axes;
};

class ProgramBuilder {
 public:
  ProgramBuilder(const graph::Graph&, const device::Model&, const Options&, const Layouts&);

  const std::string& name(graph::NodeId id) const { return naming_.node(id); }
  const Value& value(graph::NodeId id) const { return value_[static_cast<std::size_t>(id)]; }
  void set_value(graph::NodeId id, Value value) { value_[static_cast<std::size_t>(id)] = std::move(value); }
  program::Buffer& buffer(program::BufferId id) { return lowered_.program.buffers[static_cast<std::size_t>(id)]; }
  const std::vector<program::Buffer>& buffers() const { return lowered_.program.buffers; }
  Dtype type_of(Field) const;

  /// Adds a buffer as it is.
  program::BufferId add_buffer(program::Buffer);
  /// A buffer for a node that lies in memory as its layout says. Its axes are the node's in the order `order`.
  Value new_buffer(graph::NodeId, const Axes& order);
  /// An input of the program, with the strides of the options.
  Value new_leaf(graph::NodeId, const std::string& name);

  /// Adds the step with its flops, bytes and dependencies. A product that the device does not take whole is split.
  /// Error{unsupported} with the reason of the device, and the node's formula.
  void add_step(graph::NodeId, program::Operation);

  /// The value with its buffer's axes in the order `order` of node axes: a leaf is viewed so, another value copied if it has them
  /// otherwise. The order in memory is the same.
  program::BufferId in_order(graph::NodeId, const Axes& order);
  program::BufferId as_it_is(graph::NodeId id) { return in_order(id, counted_axes(store_[id].shape.size())); }
  /// The buffer, or complex values of it where the consumer is complex and it is real.
  program::BufferId converted(graph::NodeId consumer, program::BufferId);

  /// Adds the kernel of an output: every step that it needs.
  void add_kernel(const graph::Output&);
  Lowered finish() { return std::move(lowered_); }

 private:
  program::BufferId reordered(graph::NodeId, program::BufferId, const Axes& of_buffer);

  const graph::Store& store_;
  const device::Model& device_;
  const Options& options_;
  const Layouts& layouts_;
  graph::Naming naming_;
  std::vector<Value> value_;
  std::map<program::BufferId, program::BufferId> complex_;                     ///< of real buffers their complex copies
  std::map<std::pair<program::BufferId, Axes>, program::BufferId> reordered_;  ///< of buffers those with axes in another order
  Lowered lowered_;
};

}  // namespace tyto::plan
