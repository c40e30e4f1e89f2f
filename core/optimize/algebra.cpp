#include "optimize/algebra.hpp"
#include <fmt/format.h>
#include "optimize/product.hpp"

namespace tyto::optimize {

using graph::NodeId;

namespace {

/// x^n for small whole n as a product, which derivatives and distribution understand.
constexpr double largest_expanded_power = 4;

NodeId simplified_power(graph::Store& store, const graph::Power& power, NodeId operand) {
  const double n = power.exponent;
  if (n == static_cast<double>(static_cast<std::int64_t>(n)) && n >= 2 && n <= largest_expanded_power)
    return graph::elementwise_product(store, std::vector<NodeId>(static_cast<std::size_t>(n), operand));
  return graph::power(store, operand, n);
}

}  // namespace

graph::Graph algebra(const graph::Graph& graph, const Context&, Log& log) {
  return rewritten(graph, [&](graph::Store& store, const graph::Node& node, NodeId old) {
    NodeId replacement = -1;
    if (const auto* sum = graph::as<graph::Combination>(node)) {
      std::vector<graph::Term> terms;
      for (std::size_t k = 0; k < node.operands.size(); ++k) terms.push_back({sum->coefficients[k], node.operands[k]});
      replacement = graph::combination(store, terms, node.shape);
    } else if (const auto* e = graph::as<graph::Einsum>(node); e != nullptr && is_ordinary(e->pair)) {
      replacement = to_node(store, without_factors(store, {1, node.operands, e->subscripts}), node.shape);
    } else if (const auto* power = graph::as<graph::Power>(node)) {
      replacement = simplified_power(store, *power, node.operands[0]);
    } else {
      return kept(store, node);
    }
    if (replacement != old && graph::is_zero(store, replacement))
      log.rewrote(fmt::format("a {} is zero", node.operands.size() > 1 ? "product" : "sum"));
    return replacement;
  });
}

}  // namespace tyto::optimize
