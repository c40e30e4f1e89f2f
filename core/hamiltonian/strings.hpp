#pragma once
/// An operator sum in normal form: products of linearly independent real matrices, site by site, each product once. Fermions
/// have become matrices by the transformation of P. Jordan and E. Wigner, Z. Phys. 47, 631 (1928).
#include <compare>
#include "hamiltonian/local_basis.hpp"
#include "hamiltonian/operator_sum.hpp"

namespace tyto::hamiltonian {

/// An element of the basis of a site.
struct Letter {
  std::int64_t site = 1, element = 0;
  auto operator<=>(const Letter&) const = default;
};
/// By increasing site; sites that are left out have the identity.
using String = std::vector<Letter>;

struct WeightedString {
  String letters;
  Complex coefficient;
  double magnitude = 0;   ///< sum of the |contributions| to the coefficient, the scale of its rounding
  std::int64_t term = 0;  ///< the first that contributed
};

struct StringSum {
  std::vector<std::vector<RealMatrix>> elements;  ///< for each site; the first is the identity
  std::vector<WeightedString> strings;            ///< in lexical order, without those that are 0 to rounding
};

/// Throws what require_valid throws.
StringSum strings_of(const OperatorSum&);
/// H - H^+.
StringSum antihermitian_strings(const OperatorSum&);

}  // namespace tyto::hamiltonian
