#pragma once
/// Scalars that are sums of tensor networks, opened down to their leaves: what is left of products in products, however deep.
/// Nothing is contracted, so a network may stand for numbers of which no machine could hold the tensors in between.
#include <optional>
#include "graph/graph.hpp"

namespace tyto::derivative {

struct NetworkOperand {
  graph::NodeId leaf = -1;
  bool is_conjugated = false;
  einsum::Labels labels;  ///< of the whole network
};

/// coefficient * sum over all labels of the product of the operands.
struct Network {
  double coefficient = 1;
  std::vector<NetworkOperand> operands;
  graph::Shape dimensions;  ///< by label
};

/// The networks whose sum the scalar is; none where something in it is no product or sum of leaves. The real part of what must be
/// real (the value of a Hermitian network) counts as the network itself.
std::optional<std::vector<Network>> networks(const graph::Store&, graph::NodeId scalar);

/// A quotient of sums of networks, the denominator one network with coefficient 1: a Rayleigh quotient where both are quadratic in
/// a state. None for other scalars.
struct Quotient {
  std::vector<Network> numerator;
  Network denominator;
};
std::optional<Quotient> quotient(const graph::Store&, graph::NodeId scalar);

/// A network cut into sites along a train: each operand belongs to the site of the core that it is or is linked with by labels that
/// are no bonds, the first of them if it is linked with several; what is linked with no core stands with its neighbours.
std::vector<std::vector<NetworkOperand>> sites(const Network&, const std::vector<std::vector<graph::NodeId>>& trains);

}  // namespace tyto::derivative
