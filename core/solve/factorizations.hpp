#pragma once
/// Products and factorizations of matrices of doubles or complex doubles, by BLAS and LAPACK. Matrices are Dense, row-major, two
/// axes; both operands have one type. Error{third_party} where LAPACK fails.
#include <functional>
#include <vector>
#include "tensor/dense.hpp"

namespace tyto::solve {

/// The same values under other extents.
tensor::Dense reshaped(tensor::Dense, const Extents&);
tensor::Dense product(const tensor::Dense& a, const tensor::Dense& b);
/// a^H b, and a b^H.
tensor::Dense adjoint_product(const tensor::Dense& a, const tensor::Dense& b);
tensor::Dense product_adjoint(const tensor::Dense& a, const tensor::Dense& b);
void scale(tensor::Dense&, double factor);
double norm(const tensor::Dense&);

struct Factors {
  tensor::Dense left, right;  ///< m x k and k x n, k = min(m, n); their product is the matrix
};
Factors orthogonal_left(tensor::Dense);   ///< the columns of `left` are orthonormal (QR)
Factors orthogonal_right(tensor::Dense);  ///< the rows of `right` are orthonormal (LQ)

struct SingularTriplets {
  tensor::Dense left;          ///< m x k
  std::vector<double> values;  ///< falling
  tensor::Dense right;         ///< k x n: the adjoint vectors
};
/// By divide and conquer, or by QR iterations where that does not converge; `message` hears of it.
SingularTriplets singular_triplets(const tensor::Dense&, const std::function<void(const std::string&)>& message);

struct EigenPairs {
  std::vector<double> values;  ///< falling
  tensor::Dense vectors;       ///< in columns
};
EigenPairs hermitian_eigenpairs(const tensor::Dense&);

/// The first columns, or rows.
tensor::Dense leading_columns(const tensor::Dense&, std::int64_t count);
tensor::Dense leading_rows(const tensor::Dense&, std::int64_t count);
/// Row or column k times factors[k].
void scale_rows(tensor::Dense&, const std::vector<double>& factors);
void scale_columns(tensor::Dense&, const std::vector<double>& factors);

}  // namespace tyto::solve
