#pragma once
/// From an optimized graph to a program for a device: layouts, steps, lifetimes, arena, and a forecast of what a cycle costs.
#include <map>
#include "device/model.hpp"
#include "graph/graph.hpp"
#include "program/program.hpp"

namespace tyto::plan {

/// Outputs that are asked for together, then a leaf that changes (-1: none). As optimize::Event, which plan may not see.
struct Event {
  std::vector<std::string> outputs;
  graph::NodeId changes = -1;
};

struct Options {
  Dtype precision = Dtype::f64;                        ///< of all leaves and steps: f32 or f64
  std::vector<Event> cycle = {};                       ///< what repeats; decides which values are kept. Empty: each output once
  std::map<graph::NodeId, Extents> leaf_strides = {};  ///< of leaves that are not bound row-major
  std::int64_t memory_limit = 0;                       ///< bytes for arena and leaves; 0: what the device has
  bool keeps_outputs = false;                          ///< outputs share no memory: each stays while other kernels run
  bool runs_outputs_together = false;                  ///< those of an event: they may then share slabs
  bool for_library = false;                            ///< errors speak of arrays and options, not of a run file
  bool is_trial = false;                               ///< a plan above the limit is made all the same
  std::vector<std::string> switched_off = {};          ///< fusions not to make, see fusion_names()
  bool is_sliced = false;  ///< slices are made again rather than kept; the error says that they have been tried
};

/// Where the value of a graph output is found.
struct Output {
  std::string name;
  std::int32_t kernel = -1;
  std::vector<std::int32_t> axes;  ///< axis k of the output is axis axes[k] of the kernel's buffer
};

/// One evaluation of one output within the cycle, once the cycle repeats.
struct Evaluated {
  std::int32_t event = 0, output = 0;
  std::vector<program::StepId> computed, reused;  ///< reused: steps whose values are current and are read here
};

struct Plan {
  std::shared_ptr<const program::Program> program;
  std::vector<graph::NodeId> leaves;      ///< by LeafId
  std::vector<Output> outputs;            ///< as the graph's
  std::vector<graph::NodeId> step_nodes;  ///< by StepId
  std::vector<Evaluated> cycle;
  std::int64_t cycle_flops = 0;               ///< flops of one cycle
  std::int64_t unshared_flops = 0;            ///< the same if every kernel computed all it needs
  std::int64_t leaf_bytes = 0;                ///< of everything that is bound
  double seconds = 0;                         ///< of one cycle, as the device model predicts
  program::LeafId leaf(graph::NodeId) const;  ///< -1 if the program does not use it
  std::int64_t needed_bytes() const;          ///< arena and everything that is bound
  const Output& output(const std::string& name) const;
};

/// Bytes that arena and leaves may take: the limit that is set, else what the device has.
std::int64_t memory_limit(const device::Model&, const Options&);

/// Error{memory} if arena and leaves exceed the limit: both numbers, the largest parts, what would help. Error{unsupported} with
/// the device's reason if it cannot run a step.
Plan make_plan(const graph::Graph&, const device::Model&, const Options&);

}  // namespace tyto::plan
