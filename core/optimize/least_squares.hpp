#pragma once
/// What an objective is made of: squared norms of residuals, possibly weighted, and how they are computed a tile at a time.
#include <optional>
#include "optimize/product.hpp"

namespace tyto::optimize {

/// coefficient * sum(w * e * e): `scalar` is the sum, an einsum to a scalar, and `residual` is e.
struct Squared {
  double coefficient = 1;
  graph::NodeId scalar = -1, residual = -1;
  struct Weight {
    graph::NodeId node = -1;
    einsum::Labels labels;  ///< axis n of the residual has label n
  };
  std::vector<Weight> weights;
};
/// The terms of a scalar that is a sum of squares with positive coefficients; nothing for any other scalar. Factors that occur once
/// must be weights, which are never negative.
std::optional<std::vector<Squared>> squared_terms(graph::Store&, graph::NodeId scalar);
/// 2 coefficient w * tangent: what the Gauss-Newton matrix of the term does between the Jacobian of its residual and the
/// transpose. The tangent has the shape of the residual.
graph::NodeId weighed(graph::Store&, const Squared&, graph::NodeId tangent);

/// A scalar einsum restricted to a range of one summed label.
struct Tiled {
  graph::NodeId scalar = -1;
  struct Leaf {
    graph::NodeId original = -1, used = -1;  ///< equal where the leaf is used whole
    std::int32_t axis = -1;                  ///< the axis that is cut
  };
  std::vector<Leaf> leaves;
};
/// Cuts the label of axis `axis` of the first operand to `tile` entries. Nothing if an operand mixes entries along it (a
/// contraction or a solve inside), so that the sum does not split.
std::optional<Tiled> tiled(graph::Store&, graph::NodeId scalar, std::int32_t axis, std::int64_t tile);

}  // namespace tyto::optimize
