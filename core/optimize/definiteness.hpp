#pragma once
/// Matrices that are seen to be positive semidefinite by how they are made.
#include "optimize/product.hpp"

namespace tyto::optimize {

/// Whether every factor of a product, as a matrix of rows[m] by columns[m], is seen to be semidefinite, so that so are its parts
/// that share no label, and elementwise products (Schur): factors that only rows have stand once more, conjugate, with the columns
/// instead; what has both is an identity, a product of this kind, or a sum of such with positive coefficients; what has neither is
/// positive or stands twice. The coefficient of the product itself is not asked for.
bool is_seen_semidefinite(const graph::Store&, const Product&, const einsum::Labels& rows, const einsum::Labels& columns);

}  // namespace tyto::optimize
