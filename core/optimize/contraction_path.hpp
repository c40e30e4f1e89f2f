#pragma once
/// Products of more than two operands become contractions of two, in the order that is cheapest in a cycle of kernels (flops, then
/// elements moved): what has not changed since a product was last asked for is not contracted again, so that a product within a
/// loop of a solver, say, has the rest of its operands contracted before it. Where a limit is set on what intermediates may hold, a
/// product that does not keep it is summed slice by slice over some of its labels.
///
/// before:
///     data X(i=50,j=2) Y(j,k=50) Z(k,l=2)
///     T(i,l) = X(i,j)*Y(j,k)*Z(k,l)
///     output t = T
/// after:
///     data X(i=50,j=2) Y(j,k=50) Z(k,l=2)
///     S(j,l) = Y(j,k)*Z(k,l)
///     T(i,l) = X(i,j)*S(j,l)
///     output t = T
#include "optimize/pass.hpp"
#include "optimize/product.hpp"

namespace tyto::optimize {
graph::Graph contraction_path(const graph::Graph&, const Context&, Log&);

/// One product as the pass splits it where no limit is set.
graph::NodeId contracted_in_pairs(graph::Store&, const Product&, const cost::Changes&);
}  // namespace tyto::optimize
