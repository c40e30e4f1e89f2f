#pragma once
/// What all eigensolvers share, built in or of a library: the complement, starts where there are none, and the check at the end.
#include <cstdint>
#include "algebra/field.hpp"

namespace tyto::algebra {

/// P A P, P the projector onto the complement of orthonormal vectors, which outlive it as the map does.
class InComplement final : public LinearMap {
 public:
  InComplement(const LinearMap& map, const Vectors& orthogonal_to) : map_(map), orthogonal_to_(orthogonal_to), field_(map) {}
  std::unique_ptr<Vector> domain() const override { return map_.domain(); }
  std::unique_ptr<Vector> range() const override { return map_.range(); }
  /// y = P A x, for an x in the complement.
  void apply(const Vector& x, Vector& y) const override;
  bool is_symmetric() const override { return map_.is_symmetric(); }
  bool diagonal(Vector& result) const override { return map_.diagonal(result); }  ///< of A, which is near enough to precondition
  bool times_i(const Vector& x, Vector& y) const override { return map_.times_i(x, y); }

  std::int64_t products() const { return products_; }
  std::int64_t dimension() const;  ///< of the complement, over the numbers of the map
  /// Takes away what x has outside the complement.
  void project(Vector& x) const;

 private:
  const LinearMap& map_;
  const Vectors& orthogonal_to_;
  mutable Field field_;
  mutable std::int64_t products_ = 0;
};

/// Numbers in [-1, 1) that depend on `stream` and on nothing else. Error{unsupported} for vectors that are not on the host.
void fill_randomly(Vector&, std::uint64_t stream);

/// The largest residual that counts as converged for an eigenvalue.
double residual_bound(const EigenOptions&, double value);

/// Throws Error{unsupported} for a map that is not symmetric; `solver` is its name.
void require_symmetry(const LinearMap&, const std::string& solver);

/// No pair can be found where the complement is empty.
EigenOutcome nothing_to_find(const LinearMap&, const Vectors& orthogonal_to);

/// Normalizes the vectors, computes v.A v and |P A v - value v| of each, and brings all into the order asked for. Converged where
/// every residual is within its bound; `otherwise` says what the outcome is if not. `found` is how many pairs there should be.
void check_pairs(const InComplement&, const EigenOptions&, std::int64_t found, const Outcome& otherwise, Vectors&, EigenOutcome&);

/// The same where the residuals are known, as `outcome` holds them.
void judge_pairs(const EigenOptions&, std::int64_t found, const Outcome& otherwise, EigenOutcome&);

/// Of real eigenvectors in the order of their values the first `count` that are independent over the numbers of the map,
/// orthonormal: a solver that computes with real numbers finds a complex v as v and i v.
void keep_independent(const LinearMap&, std::int64_t count, Vectors&);

/// The vectors, and after them those times i where the map is complex: what a solver with real numbers must stay orthogonal to.
Vectors over_the_reals(const LinearMap&, const Vectors&);

}  // namespace tyto::algebra
