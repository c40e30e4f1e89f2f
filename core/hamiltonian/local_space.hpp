#pragma once
/// What a site can be: its states with their quantum numbers, and the operators that may be named on it.
///
/// - spin-S ("spin-1/2", "spin-1", ...), states "m=S", "m=S-1", ..., "m=-S", of spin 1/2 "up" and "down": Id, F, Sx, Sy, Sz, S+,
/// S-; for spin 1/2 also X = 2 Sx,
///   Y = 2 Sy, Z = 2 Sz, the Pauli matrices.
/// - spinless-fermion, states empty, full: Id, F, C, Cdag, N.
/// - electron, states empty, up, down, both: Id, F, Cup, Cdagup, Cdn, Cdagdn, Nup, Ndn, Ntot, NupNdn, Sz, S+, S-.
///
/// "both" is Cdagup Cdagdn on "empty". F = (-1)^particles is the sign of Jordan and Wigner (1928), the identity on spins.
#include <string>
#include <vector>
#include "hamiltonian/local_matrix.hpp"
#include "tyto/error.hpp"

namespace tyto::hamiltonian {

struct BasisState {
  std::string label;           ///< "m=1", "up"
  std::int64_t particles = 0;  ///< 0 on spins
  std::int64_t twice_sz = 0;   ///< 0 on spinless fermions
};

struct LocalOperator {
  std::string name;
  std::string adjoint;  ///< name of its Hermitian conjugate
  LocalMatrix matrix;   ///< on the site alone: signs that come from other sites are not in it
  bool is_odd = false;  ///< anticommutes with odd operators of other sites
};

struct LocalSpace {
  std::string name;
  std::vector<BasisState> states;
  std::vector<LocalOperator> operators;  ///< Id first, F second
  std::string particles_operator = {};   ///< name of what counts particles; empty on spins
  std::string sz_operator = {};          ///< empty on spinless fermions

  std::int64_t dimension() const { return static_cast<std::int64_t>(states.size()); }
  /// Position in `operators`, or -1.
  std::int64_t find(const std::string& name) const;
  std::vector<std::string> names() const;  ///< of the operators
  std::vector<std::string> states_named() const;
  /// Position in `states`, or -1. "up" and "down" are the first and last state of any spin.
  std::int64_t find_state(const std::string& name) const;
};

/// Spin twice_spin / 2; throws Error{out_of_range} below 1.
LocalSpace spin(std::int64_t twice_spin, const Where& = {});
LocalSpace spinless_fermion();
LocalSpace electron();
/// By the names above, for any spin; throws Error{unknown_word} with the nearest.
LocalSpace space_named(const std::string& name, const Where& = {});

/// Equal sites.
std::vector<LocalSpace> chain_of(const LocalSpace&, std::int64_t sites);

}  // namespace tyto::hamiltonian
