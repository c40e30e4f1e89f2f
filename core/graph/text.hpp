#pragma once
/// Graphs as text that people read and tests execute; print and parse are inverse.
///
///     data X(i=50,j=60,k=70)
///     unknown A(i,r=16) B(j,r) C(k,r)
///     T1(i,r) = X(i,j,k)*B(j,r)*C(k,r)         einsum: labels absent on the left are summed
///     T2(i,r) = 2*T1(i,r) - A(i,r)             combination: every operand has the labels of the left
///     T3(i,r) = T2(i,r)^0.5                    power
///     T4(i,i',r) = I(i,i')*A(i',r)             i' is a second label over the dimension of i; I is an identity
///     T5(i,r) = fill(1; i,r)                   one value everywhere
///     T6(r,i) = solve[r'](G(r',r), M(r',i))    rows in brackets; axes in the order batch, rows, columns (rest)
///     T7(r,r') = inverse[r](G(r,r'))           solve+: minimum norm; solve_symmetric, solve_definite, solve_nonnegative
///     T9(i,p=2) = slice[1,0,3](X(i,j))         a call: parameters by position (graph/node.hpp), axes of the result on the left
///     T10(i) = exp(v(i))                       elementwise functions, factorizations ("svd.u[0](A(i,j))") and the rest likewise
///     T8(i) = min,sum: X(i,j)*v(j)             another pair of operations
///     output f = T3
///
/// A dimension takes its extent where it is first named, "=2..8" if it varies. I(..), fill(..), triangle(..) and imaginary() may
/// stand as operands; "complex input Z(i)" declares a complex leaf, "S(i=3,i'; symmetric i i')" and
/// "Q(i,r; orthonormal r)" what is known of it. Lines beginning with # are comments.
#include <map>
#include "graph/graph.hpp"

namespace tyto::graph {

/// Names of dimensions and nodes that are unique within one graph: leaves by their names, other nodes T1, T2, ... in order.
class Naming {
 public:
  explicit Naming(const Graph&);
  const std::string& node(NodeId id) const { return nodes_.at(id); }
  /// One name per axis; axes of one dimension get primes.
  std::vector<std::string> axes(const Shape&) const;
  /// Names of the labels 0, 1, ... of an einsum node.
  std::vector<std::string> labels(const Node& einsum) const;
  const std::string& dimension(DimensionId d) const { return dimensions_.at(d); }
  void rename(NodeId id, std::string name) { nodes_[id] = std::move(name); }

 private:
  const Store* store_;
  std::map<NodeId, std::string> nodes_;
  std::map<DimensionId, std::string> dimensions_;
};

std::string print(const Graph&);
/// The right side of one node's line: "X(i,j,k)*B(j,r)", the labels of the node itself, and both: "T1(i,r) = ...".
std::string print_operation(const Store&, const Naming&, NodeId);
std::string print_node(const Store&, const Naming&, NodeId);

/// Throws Error{syntax} with line and column, Error{shape} or Error{extent} with the line.
Graph parse(const std::string& text);

}  // namespace tyto::graph
