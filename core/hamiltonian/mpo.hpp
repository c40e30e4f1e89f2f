#pragma once
/// Matrix product operators: H(s,s') = sum over bonds of W1(1,a1,s1,s1') W2(a1,a2,s2,s2') ... WN(a(N-1),1,sN,sN').
#include <string>
#include <vector>
#include "hamiltonian/operator_sum.hpp"
#include "tensor/dense.hpp"

namespace tyto::hamiltonian {

struct Mpo {
  std::vector<tensor::Dense> tensors;  ///< one a site, [left][right][out][in], all f64 or all c128

  std::int64_t sites() const { return static_cast<std::int64_t>(tensors.size()); }
  Dtype dtype() const { return tensors.front().dtype(); }
  std::vector<std::int64_t> bonds() const;  ///< right extents of all sites but the last
};

/// The MPO of smallest bonds of a sum, which need not be Hermitian; of type f64 when all its elements are real to the last bit.
/// Every bond is the rank of the coefficients between distinct operator strings left and right of it, so that it cannot be smaller;
/// the method is hamiltonian/rank_factorization.hpp. Each matrix element is right to a small multiple of eps times the sum of the
/// |coefficients| that meet in it. Terms that are zero or cancel to rounding are dropped; nothing left is an MPO of zeros.
///
/// Operators of a site that are linear combinations of others are expanded in these unless a term would become more than
/// most_strings_of_a_term strings; bonds may be larger than the rank in that case. Throws what require_valid throws.
Mpo compile(const OperatorSum&);
constexpr std::int64_t most_strings_of_a_term = 64;

/// |H|_F / sqrt(dimension): the root mean square of the eigenvalues of a Hermitian H.
double rms_eigenvalue(const Mpo&);
/// |H - H^+|_F / |H|_F, 0 for H = 0; by orthogonalization, so that it is small to rounding where H is Hermitian.
double non_hermitian_part(const Mpo&);

/// What keeps tensors of these extents from being an MPO: fewer than two sites, another order than 4, unequal out and in, ends that
/// are not 1, bonds that do not match (with site and both numbers). Findings are at that place.
std::vector<Finding> faults_of_form(const std::vector<Extents>& tensors, const Where&);

/// Error{contradiction} at that place for an MPO that is not Hermitian to rounding, with the non-Hermitian part.
void require_hermitian(const Mpo&, const Where& = {.quote = "MPO"});

/// Refuses tensors from outside that are no Hamiltonian: for their form, types, elements that are not finite, and, last, one that
/// is not Hermitian. All faults of form are in one Error{shape, out_of_range, element_type}; then Error{not_finite, contradiction}.
void require_hamiltonian(const Mpo&, const Where& = {.quote = "MPO"});

}  // namespace tyto::hamiltonian
