#include "derivative/degree.hpp"
#include <algorithm>
#include <cmath>

namespace tyto::derivative {

using graph::NodeId;
using graph::Store;

namespace {

/// Sums, and what only moves elements.
bool is_linear(const graph::Operation& operation) {
  using namespace graph;
  if (const auto* m = std::get_if<Map>(&operation))
    return m->function == operation::Function::conj || m->function == operation::Function::real ||
           m->function == operation::Function::imag || m->function == operation::Function::complex;
  return std::holds_alternative<Combination>(operation) || std::holds_alternative<Reshape>(operation) ||
         std::holds_alternative<Slice>(operation) || std::holds_alternative<Pad>(operation) ||
         std::holds_alternative<Concatenate>(operation);
}

/// Degrees of all nodes up to `node`; those that it does not need are 0.
std::vector<int> degrees(const Store& store, NodeId node, NodeId leaf) {
  std::vector<int> of(static_cast<std::size_t>(node) + 1, 0);
  for (const NodeId id : reachable(store, {node})) {
    const graph::Node& n = store[id];
    int most = 0, total = 0;
    for (const NodeId operand : n.operands) {
      most = std::max(most, of[static_cast<std::size_t>(operand)]);
      total = std::min(not_polynomial, total + of[static_cast<std::size_t>(operand)]);
    }
    int& own = of[static_cast<std::size_t>(id)];
    if (id == leaf) own = 1;
    else if (const auto* e = graph::as<graph::Einsum>(n)) own = is_ordinary(e->pair) ? total : (most > 0 ? not_polynomial : 0);
    else if (const auto* p = graph::as<graph::Power>(n))
      own = most == 0 ? 0
            : p->exponent >= 0 && p->exponent == std::floor(p->exponent) && p->exponent < not_polynomial
                ? std::min(not_polynomial, most * static_cast<int>(p->exponent))
                : not_polynomial;
    else if (const auto* s = graph::as<graph::Solve>(n); s != nullptr && operation::is_linear(s->system))
      own = of[static_cast<std::size_t>(n.operands[0])] > 0 ? not_polynomial : of[static_cast<std::size_t>(n.operands[1])];
    else if (is_linear(n.operation)) own = most;
    else own = most > 0 ? not_polynomial : 0;
  }
  return of;
}

}  // namespace

int degree(const Store& store, NodeId node, NodeId leaf) { return degrees(store, node, leaf).back(); }

NodeId culprit(const Store& store, NodeId scalar, NodeId leaf) {
  const std::vector<int> of = degrees(store, scalar, leaf);
  const auto degree_of = [&](NodeId id) { return of[static_cast<std::size_t>(id)]; };
  if (degree_of(scalar) <= 2) return -1;
  // Follow what has too high a degree; a product of two factors of degree at least 2 leads on to the first of them. A root or a
  // quotient of a polynomial is to blame itself, and so is a product in which the leaf stands beside a square of it.
  for (NodeId at = scalar;;) {
    const std::vector<NodeId>& operands = store[at].operands;
    const auto high =
        std::max_element(operands.begin(), operands.end(), [&](NodeId a, NodeId b) { return degree_of(a) < degree_of(b); });
    if (high == operands.end() || degree_of(*high) < 2) return at;
    if (degree_of(at) >= not_polynomial && degree_of(*high) < not_polynomial) return at;
    const bool is_beside = std::any_of(operands.begin(), operands.end(), [&](NodeId o) { return degree_of(o) == 1; });
    if (graph::is<graph::Einsum>(store[at]) && is_beside) return at;
    at = *high;
  }
}

}  // namespace tyto::derivative
