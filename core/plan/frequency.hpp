#pragma once
/// How often the cycle computes each node.
#include "plan/plan.hpp"

namespace tyto::plan {

/// By NodeId: evaluations of the node in one cycle, once the cycle repeats, if a value is kept until a leaf that it depends on
/// changes. `order` has the nodes of the graph, operands first. Without a cycle each output is asked for once.
struct Frequency {
  std::vector<double> computed;  ///< nodes; what only comes before the cycle, or is outside it, counts as `once`
  std::vector<double> asked;     ///< outputs of the graph: how often a caller asks for each; `once` if never in the cycle
};
/// A run before or beside the cycle, against one in it: cycles repeat some tens of times.
constexpr double once = 1.0 / 64;
Frequency frequency_of(const graph::Graph&, const std::vector<graph::NodeId>& order, const std::vector<Event>& cycle);

}  // namespace tyto::plan
