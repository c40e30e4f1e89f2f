#pragma once
/// How often a leaf is multiplied with itself in an expression: what decides whether a block can be solved for directly.
#include "graph/graph.hpp"

namespace tyto::derivative {

constexpr int not_polynomial = 1000;

/// An upper bound of the degree of the node as a polynomial in the leaf; not_polynomial or more if it is none (roots, inverses).
int degree(const graph::Store&, graph::NodeId node, graph::NodeId leaf);

/// The innermost node that is to blame for a scalar being no quadratic in the leaf: a product in which the leaf occurs at least
/// twice before it is squared, or what is no polynomial. -1 if the scalar is at most quadratic.
graph::NodeId culprit(const graph::Store&, graph::NodeId scalar, graph::NodeId leaf);

}  // namespace tyto::derivative
