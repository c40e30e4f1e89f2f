#pragma once
/// What eigensolvers of libraries have in common that compute with real numbers on vectors of their own kind.
#include "algebra/eigenpairs.hpp"

namespace tyto::algebra {

/// P A P, or - P A P where the largest values are wanted, on vectors of any kind and over real numbers: what a library is given,
/// which is then asked for the smallest. Counts products.
class RealMap final : public LinearMap {
 public:
  /// `deflated` are of the library's kind, mutually orthonormal; both outlive the map.
  RealMap(const LinearMap& map, const Vectors& deflated, Spectrum which)
      : map_(map), deflated_(deflated), is_negated_(which == Spectrum::largest) {}
  std::unique_ptr<Vector> domain() const override { return map_.domain(); }
  std::unique_ptr<Vector> range() const override { return map_.range(); }
  /// Throws NotFinite where the product is not.
  void apply(const Vector& x, Vector& y) const override;
  bool is_symmetric() const override { return true; }
  std::int64_t products() const { return products_; }

  /// Ends a solve from within a library.
  struct NotFinite {};

 private:
  const LinearMap& map_;
  const Vectors& deflated_;
  bool is_negated_;
  mutable std::int64_t products_ = 0;
};

/// A positive preconditioner from the diagonal D of a map: M = max(|D - d|, mean |D - d|), d the end of D where values are looked
/// for. It exists where the map knows its diagonal and that is not constant.
class InverseDiagonal final : public LinearMap {
 public:
  static std::unique_ptr<InverseDiagonal> of(const LinearMap&, Spectrum which);
  std::unique_ptr<Vector> domain() const override { return factors_->create(); }
  std::unique_ptr<Vector> range() const override { return factors_->create(); }
  void apply(const Vector& x, Vector& y) const override;
  bool is_symmetric() const override { return true; }

 private:
  explicit InverseDiagonal(std::unique_ptr<Vector> factors) : factors_(std::move(factors)) {}
  std::unique_ptr<Vector> factors_;
};

/// What a library is asked for; all vectors are those of the caller's kind.
struct RealProblem {
  const LinearMap& map;             ///< A itself
  const Vectors& deflated;          ///< orthonormal over the real numbers
  const Vectors& starts;            ///< in the complement, not zero, any number of them
  std::int64_t count = 1;           ///< of real eigenvectors
  std::int64_t dimension = 0;       ///< of the complement
  const LinearMap* preconditioner;  ///< may be null
  const EigenOptions& options;      ///< with the tolerance that the library must reach
};

struct RealPairs {
  Vectors vectors = {};    ///< approximate eigenvectors, best first; no more than were asked for
  Outcome otherwise = {};  ///< the outcome unless the check finds all converged
  std::int64_t iterations = 0, products = 0;
};

/// Of a complement, for a library to look for so many pairs there.
constexpr std::int64_t least_dimension(std::int64_t count) { return 5 * (count + 1); }

/// An eigensolver of a library. Real eigenvectors of a complex map come in pairs v and i v: twice as many are asked for where there
/// are to be several, and those independent over the complex numbers are kept. A space that grows from one vector holds one
/// eigenvector of each value: where several pairs are wanted and no limit has ended the search, solves in the complement of what
/// was found look for more, until they find nothing better. Where the complement has fewer than least_dimension(count), or
/// max_products does not suffice for one round of the method, the built-in solver takes its place; the log says so.
class RealEigenSolver : public EigenSolver {
 public:
  EigenOutcome solve(const LinearMap&, const Vectors& orthogonal_to, Vectors& vectors, const EigenOptions&) const final;

 private:
  virtual RealPairs find(const RealProblem&) const = 0;
  void look_for_copies(const LinearMap&, const Vectors& orthogonal_to, Vectors& vectors, const EigenOptions&, EigenOutcome&) const;
  /// Products before a first result, at most.
  virtual std::int64_t products_of_a_round(std::int64_t count) const = 0;
};

}  // namespace tyto::algebra
