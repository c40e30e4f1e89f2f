#pragma once
/// Hamiltonians and observables as sums of products of named operators on sites.
///
///     OperatorSum h{chain_of(spin(1), 10)};
///     h.terms = expand({.operators = {"S+", "S-"}, .offsets = {0, 1}, .plus_adjoint = true}, h.spaces);
///     h.terms.push_back({-0.1, {"Sz"}, {1}});
///     require_hermitian(h);
///     const Mpo mpo = compile(h);
#include <string>
#include <vector>
#include "hamiltonian/local_space.hpp"

namespace tyto::hamiltonian {

/// coefficient * operators[0] at sites[0] * operators[1] at sites[1] * ...: the last factor acts first. Sites count from 1, in any
/// order and repeatedly; fermionic operators of different sites anticommute.
struct Term {
  Complex coefficient = 1;
  std::vector<std::string> operators;
  std::vector<std::int64_t> sites;
  Where where = {};  ///< named by errors; a term without a place is quoted
};

struct OperatorSum {
  std::vector<LocalSpace> spaces;  ///< one for each site; sites may differ
  std::vector<Term> terms = {};

  std::int64_t sites() const { return static_cast<std::int64_t>(spaces.size()); }
};

/// "0.5 S+(1) S-(2)"
std::string text_of(const Term&);

/// Everything that is wrong with the sum, in one Error: fewer than two sites, coefficients that are not finite, unknown operators
/// (with the nearest), sites that do not exist, terms that would change the number of fermions by an odd number.
void require_valid(const OperatorSum&);

/// Throws Error{contradiction} naming a term whose adjoint is not in a valid sum, to the rounding of the coefficients.
void require_hermitian(const OperatorSum&);

/// Which operators of spin 1/2 the terms name: "spin operators (S = 1/2 sigma)", "Pauli matrices", "spin operators and Pauli
/// matrices", or
/// "" where there is neither.
std::string spin_convention(const OperatorSum&);

enum class Charge { particles, sz };
/// The sum over all sites of what counts particles, or of Sz: its expectation value is a quantum number of the state. Sites without
/// such an operator do not count.
OperatorSum total(Charge, const std::vector<LocalSpace>&);

}  // namespace tyto::hamiltonian
