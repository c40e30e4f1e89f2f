#pragma once
/// How an objective behaves when its tensors are scaled: what may be evened out, and what follows the scale of the data.
#include <optional>
#include "optimize/sum_of_products.hpp"

namespace tyto::optimize {

/// Unknowns with one axis each over a common dimension, whose slices may be multiplied by factors with product 1 without changing
/// any of the scalars: every label over that dimension meets all of them equally often in every product.
struct Balance {
  struct Member {
    graph::NodeId leaf = -1;
    std::int32_t axis = -1;
  };
  std::vector<Member> members;
};
std::vector<Balance> balances(graph::Store&, const std::vector<graph::NodeId>& scalars, const std::vector<graph::NodeId>& unknowns);

/// The smallest set of unknowns, perhaps none, that, multiplied by c together with the data, multiplies the scalar by c^2: every
/// product has degree two in them together. Nothing if there is none, so the scalar is not homogeneous.
std::optional<std::vector<graph::NodeId>> homogeneous_with(graph::Store&, graph::NodeId scalar,
                                                           const std::vector<graph::NodeId>& data,
                                                           const std::vector<graph::NodeId>& unknowns);

/// The degree of a node in some leaves together: multiplied by c, they multiply it by c^degree. Nothing if its products differ in
/// that, or a leaf stands inside something that is no product.
std::optional<int> degree_in(graph::Store&, graph::NodeId, const std::vector<graph::NodeId>& leaves);

}  // namespace tyto::optimize
