#pragma once
/// Matrices that are seen to be positive semidefinite by how they are made.
#include "optimize/product.hpp"

namespace tyto::optimize {

/// Whether a product, as a matrix of rows[m] by columns[m], is seen to be semidefinite, and so are its parts that share no label:
/// it falls into two halves that are conjugate to each other, as Gram matrices and environments do; operands of both sides are
/// identities, such products, or sums of them with positive coefficients, elementwise products included (Schur); the others are
/// positive or stand twice. The coefficient of the product itself is not asked for.
bool is_seen_semidefinite(const graph::Store&, const Product&, const einsum::Labels& rows, const einsum::Labels& columns);

}  // namespace tyto::optimize
