#pragma once
/// Orthonormal bases of the columns of a matrix by a solver that only multiplies with it: for modes too large for LAPACK.
#include <optional>
#include "algebra/solvers.hpp"
#include "solve/basis.hpp"

namespace tyto::solve {

/// Whether an iterative solver is asked at all: where it would build a space as large as the matrix, LAPACK is as good.
bool iterates(std::int64_t rows, std::int64_t columns, std::int64_t count);

/// The leading left singular vectors, to `tolerance` of the largest singular value; Basis::squares are those of the `count` values.
/// Nothing where the solver does not find as many, of which `message` hears.
std::optional<Basis> iterative_basis(const Unfolding&, std::int64_t count, const algebra::SvdSolver&, const algebra::Library&,
                                     const std::function<void(const std::string&)>& message = {});

}  // namespace tyto::solve
