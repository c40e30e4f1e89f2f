#pragma once
/// An expression multiplied out: sum of coefficient * product over nodes that are no sums or products themselves. Bounded,
/// because a product of k sums has exponentially many terms.
#include <optional>
#include "optimize/product.hpp"

namespace tyto::optimize {

constexpr std::size_t most_terms = 64;

/// Like terms merged, zero terms dropped; each product is fused and free of needless identities and factors, its operands in
/// canonical order. Nothing if there would be more than most_terms terms.
std::optional<std::vector<Product>> sum_of_products(graph::Store&, graph::NodeId);

}  // namespace tyto::optimize
