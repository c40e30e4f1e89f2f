#pragma once
/// Solves prepared systems. Allocates nothing but, at the first singular one, the spare room.
#include "execute/cpu/system_plan.hpp"
#include "execute/cpu/workers.hpp"
#include "execute/spare_room.hpp"

namespace tyto::execute::cpu {

struct SystemCounts {
  std::int64_t flops = 0, rank_deficient = 0;
};

/// `right` is not read for an inverse; `scratch` has plan.scratch_bytes, the spare room at least plan.minimum_norm.bytes.
/// semidefinite: A scaled to unit diagonal by powers of two and factorized (Cholesky); where that breaks down or a pivot is below
/// 64 n eps, x = V inv(L) V' b from the eigenpairs of A with eigenvalues above 64 n eps times the largest: minimum norm.
/// general: LU; where the reciprocal condition number is below n eps, least squares of minimum norm by singular values.
/// A matrix that is not finite gives a solution that is NaN.
template <class T>
SystemCounts run(SystemPlan& plan, T* out, const T* matrix, const T* right, char* scratch, SpareRoom&, Workers&);

}  // namespace tyto::execute::cpu
