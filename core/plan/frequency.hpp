#pragma once
/// How often the cycle computes each node.
#include "plan/plan.hpp"

namespace tyto::plan {

/// A run before or beside the cycle, against one in it: cycles repeat some tens of times.
constexpr double once = 1.0 / 64;

/// In one cycle, once the cycle repeats, if a value is kept until a leaf that it depends on changes.
struct Frequency {
  std::vector<double> computed;  ///< by NodeId: evaluations of the node; `once` for what comes before the cycle or is not in it
  std::vector<double> asked;     ///< by output of the graph: how often a caller asks for it; `once` if never in the cycle
};
/// `order` has the nodes of the graph, operands first.
Frequency frequency_of(const graph::Graph&, const std::vector<graph::NodeId>& order, const std::vector<Event>& cycle);

}  // namespace tyto::plan
