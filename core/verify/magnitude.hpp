#pragma once
/// How far rounding may carry a value: the expression evaluated with absolute terms.
#include <map>
#include "graph/build.hpp"

namespace tyto::verify {

/// For y = g(x...), magnitude(y) = |y| + sum over operands of |dg/dx| magnitude(x), the forward rule with every factor replaced by
/// its absolute value; of a leaf it is |leaf|. Rounding changes y by about eps times that (a running error analysis to first order:
/// Higham, Accuracy and stability of numerical algorithms, section 3.3).
class Magnitudes {
 public:
  explicit Magnitudes(graph::Store& store) : store_(store) {}
  graph::NodeId of(graph::NodeId);

 private:
  /// A tangent expression with absolute factors and `value` in the place of its input, on which it depends linearly.
  graph::NodeId absolute(graph::NodeId tangent, graph::NodeId input, graph::NodeId value);
  graph::NodeId normwise(graph::NodeId node, graph::NodeId magnitude);
  graph::NodeId plus_largest(graph::NodeId own, const graph::Einsum&, const std::vector<graph::NodeId>& operands);
  graph::NodeId absolute_node(const graph::Node&, const std::vector<graph::NodeId>& operands, const std::vector<char>& is_linear);

  graph::Store& store_;
  std::map<graph::NodeId, graph::NodeId> known_;
};

}  // namespace tyto::verify
