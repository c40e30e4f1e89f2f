#pragma once
/// Objectives that are minus the squared norm of what orthonormal bases keep of a tensor: Tucker decompositions, truncated SVDs.
#include <optional>
#include "optimize/product.hpp"

namespace tyto::optimize {

/// The scalar is -coefficient |G|^2, G(r,s,...) = X(i,j,...) * U(i,r) * V(j,s) * ..., each basis declared orthonormal in the label
/// that G keeps. So c |X|^2 - c |G|^2 = c |X - G(r,s,...) * U(i,r) * V(j,s) * ...|^2.
struct Projection {
  double coefficient = 1;
  graph::NodeId data = -1, core = -1;
  std::vector<graph::NodeId> bases;
  std::vector<einsum::Labels> labels;  ///< of the bases
  einsum::Labels data_labels, core_labels;
};
/// Nothing for any other scalar.
std::optional<Projection> projection(graph::Store&, graph::NodeId scalar);

/// c |X|^2.
graph::NodeId whole(graph::Store&, const Projection&);
/// c |X - G * U * V * ...|^2 with the values of G taken from a node of its shape.
graph::NodeId left_out(graph::Store&, const Projection&, graph::NodeId core);

/// The axis of `node` on which axis `axis` of `leaf` comes out untouched: node(.., r, ..) is a linear function of leaf(.., r), the
/// same for every r. -1 if there is none: the leaf occurs more than once in a product, what is computed is not linear in it, or
/// mixes its entries along the axis.
std::int32_t carried_axis(const graph::Store&, graph::NodeId node, graph::NodeId leaf, std::int32_t axis);

}  // namespace tyto::optimize
