#pragma once
/// Graph nodes to steps and buffers: which axis order and strides each value has, and what needs no step because it is another
/// value seen with permuted axes.
#include "device/model.hpp"
#include "graph/graph.hpp"
#include "graph/text.hpp"
#include "plan/layout.hpp"
#include "plan/plan.hpp"

namespace tyto::plan {

struct Lowered {
  program::Program program;  ///< without offsets, overlaps and arena size
  std::vector<graph::NodeId> leaves, step_nodes;
  std::vector<Output> outputs;
};
Lowered lower(const graph::Graph&, const device::Model&, const Options&, const Layouts&);

}  // namespace tyto::plan
