#pragma once
/// One place of a node where a derivative passes, and the rules, one for each operation and direction.
#include "graph/build.hpp"

namespace tyto::derivative {

/// Operand k of a node: what is its share of the node's adjoint, whose axes are the seeds, then those of the node?
/// The adjoint of x with y = g(x) is conj(dg/dx) * adjoint(y), summed; of real operands reverse() keeps the real part.
struct Backward {
  graph::Store& store;
  const graph::Node& node;
  graph::NodeId id;
  std::size_t k;
  graph::NodeId adjoint;
  std::size_t seeds;
};
/// How the node changes when operand k changes by the tangent.
struct Forward {
  graph::Store& store;
  const graph::Node& node;
  graph::NodeId id;
  std::size_t k;
  graph::NodeId tangent;
};

graph::NodeId rule(const Backward&, const graph::Einsum&);
graph::NodeId rule(const Backward&, const graph::Combination&);
graph::NodeId rule(const Backward&, const graph::Power&);
graph::NodeId rule(const Backward&, const graph::Map&);
graph::NodeId rule(const Backward&, const graph::LogSumExp&);
graph::NodeId rule(const Backward&, const graph::Softmax&);
graph::NodeId rule(const Backward&, const graph::Reciprocal&);
graph::NodeId rule(const Backward&, const graph::Reshape&);
graph::NodeId rule(const Backward&, const graph::Slice&);
graph::NodeId rule(const Backward&, const graph::Pad&);
graph::NodeId rule(const Backward&, const graph::Concatenate&);
graph::NodeId rule(const Backward&, const graph::Inverse&);
graph::NodeId rule(const Backward&, const graph::Solve&);
graph::NodeId rule(const Backward&, const graph::Factorization&);

graph::NodeId rule(const Forward&, const graph::Einsum&);
graph::NodeId rule(const Forward&, const graph::Combination&);
graph::NodeId rule(const Forward&, const graph::Power&);
graph::NodeId rule(const Forward&, const graph::Map&);
graph::NodeId rule(const Forward&, const graph::LogSumExp&);
graph::NodeId rule(const Forward&, const graph::Softmax&);
graph::NodeId rule(const Forward&, const graph::Reciprocal&);
graph::NodeId rule(const Forward&, const graph::Reshape&);
graph::NodeId rule(const Forward&, const graph::Slice&);
graph::NodeId rule(const Forward&, const graph::Pad&);
graph::NodeId rule(const Forward&, const graph::Concatenate&);
graph::NodeId rule(const Forward&, const graph::Inverse&);
graph::NodeId rule(const Forward&, const graph::Solve&);
graph::NodeId rule(const Forward&, const graph::Factorization&);

/// a * b, elementwise over the axes of `b`; the adjoint a has seed axes before them.
graph::NodeId times(graph::Store&, graph::NodeId a, std::size_t seeds, graph::NodeId b);
/// a + factor * b for nodes of one shape.
graph::NodeId plus(graph::Store&, graph::NodeId a, double factor, graph::NodeId b);
einsum::Labels joined(std::initializer_list<einsum::Labels>);

}  // namespace tyto::derivative
