#pragma once
// Matrices on all sites, row-major, site 1 the slowest; and what LAPACK says of them.
#include <vector>
#include "hamiltonian/mpo.hpp"

namespace tyto::hamiltonian {

struct DenseMatrix {
  std::int64_t dimension = 1;
  std::vector<Complex> values;  // (out, in)
  Complex operator()(std::int64_t out, std::int64_t in) const { return values[static_cast<std::size_t>(out * dimension + in)]; }
};

/// All bonds of an MPO summed.
DenseMatrix dense_of(const Mpo&);
/// The same by its definition: each basis state is a list of occupied levels; an operator that creates or annihilates a fermion has
/// the sign of the number of fermions on the levels before. It shares no code and no matrices with core/hamiltonian.
DenseMatrix dense_by_occupation(const OperatorSum&);
/// Sum over terms of |coefficient| times the largest elements of their operators.
double scale_of(const OperatorSum&);

double largest_difference(const DenseMatrix&, const DenseMatrix&);
/// In increasing order.
std::vector<double> eigenvalues(const DenseMatrix&);
/// Of a real MPO, by as many steps of Lanczos with full orthogonalization, without its matrix.
double lowest_eigenvalue(const Mpo&, int steps);
/// Rows and columns of the basis states that are listed.
DenseMatrix restricted(const DenseMatrix&, const std::vector<std::int64_t>& states);
/// Basis states of sites whose particles or twice Sz add up to `value`.
std::vector<std::int64_t> states_with(Charge, std::int64_t value, const std::vector<LocalSpace>&);

}  // namespace tyto::hamiltonian
