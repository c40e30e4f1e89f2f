#pragma once
/// Terms by rule: one line that stands for a term at every site, or for every pair of sites. As a run file would have it:
///
///     - {coefficient: 1, operators: [Sz, Sz], sites: [1, 2]}
///     - {coefficient: -0.3, operators: [X]}
///     - {coefficient: 0.5, operators: [S+, S-], offsets: [0, 1], plus_adjoint: true}
///     - {operators: [Sz, Sz], offsets: [0, 2], range: [1, 9, 2]}
///     - {operators: [Sz, Sz], offsets: [0, 1], periodic: true}
///     - {operators: [Sz, Sz], decay: {power: 3}}
///     - {operators: [Sz, Sz], decay: {exponential: 0.5}, distance: ring}
///
/// are this term only; X at every site; S+_i S-_(i+1) and its adjoint for every i for which both sites exist; i = 1, 3, ..., 9; the
/// last site followed by the first; coefficient / r^3 for every pair of sites at distance r; coefficient * 0.5^r with r along the
/// shorter arc of a ring.
#include <optional>
#include <variant>
#include "hamiltonian/operator_sum.hpp"

namespace tyto::hamiltonian {

struct Power {
  double exponent = 1;  ///< coefficient / r^exponent
};
struct Exponential {
  double base = 0.5;  ///< coefficient * base^r; not 0
};
using Decay = std::variant<Power, Exponential>;

/// r of sites i < j among N: line j - i, ring min(j - i, N - j + i), chord N / pi sin(pi (j - i) / N).
enum class Distance { line, ring, chord };

/// first, first + step, ... up to last; 0 for the last site there is.
struct SiteRange {
  std::int64_t first = 1, last = 0, step = 1;
};

/// At most one of `sites`, `offsets` and `decay`; none means offsets {0} and needs a single operator.
struct TermPattern {
  Complex coefficient = 1;
  std::vector<std::string> operators;
  std::vector<std::int64_t> sites = {};    ///< one for each operator
  std::vector<std::int64_t> offsets = {};  ///< operator k is at site i + offsets[k]
  std::optional<Decay> decay = {};         ///< operators[0] at i, operators[1] at j, for all i < j
  Distance distance = Distance::line;      ///< of decay
  std::optional<SiteRange> range = {};     ///< of i; with decay of both sites of a pair
  bool is_periodic = false;                ///< of offsets
  bool plus_adjoint = false;               ///< each term is followed by its Hermitian conjugate
  Where where = {};                        ///< becomes that of the terms
};

/// The terms in the order of i, then j. Throws Error: contradiction for keys that exclude each other or do not fit the number of
/// operators, out_of_range for a range that does not fit. Operators and sites are checked by
/// require_valid.
std::vector<Term> expand(const TermPattern&, const std::vector<LocalSpace>&);

}  // namespace tyto::hamiltonian
