#pragma once
/// Renews an unknown as the orthonormal basis that captures most of a matrix.
#include <string>
#include "solve/basis.hpp"
#include "solve/state.hpp"

namespace tyto::solve {

/// Fills the unknown with the leading left singular vectors of `matrix`, the value of the subspace's kernel. Where a Gram matrix
/// did not suffice the tensor `route` becomes 1, and the updates that follow do not try it. False, and nothing is filled, where the
/// matrix is not finite.
bool update_subspace(const Setup&, const Subspace&, const ConstArray& matrix, State&);

/// How a basis is found, for people: "eigenvectors of a 61 x 61 Gram matrix". The solver may be null.
std::string subspace_description(const algebra::SvdSolver*, std::int64_t rows, std::int64_t columns, std::int64_t count);

}  // namespace tyto::solve
