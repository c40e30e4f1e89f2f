#pragma once
/// What a library of linear algebra is asked for: linear systems, eigenpairs, singular triplets, minimizers. Built-in methods and
/// backends implement these. A solver keeps nothing between calls. What is reported was recomputed at the end, not carried along.
/// Not getting there is an Outcome, never an exception.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>
#include "algebra/linear_map.hpp"

namespace tyto::algebra {

using Vectors = std::vector<std::unique_ptr<Vector>>;

/// What a user tells a library in the library's own words, and where those of the library go. Built-in solvers have none.
struct Library {
  std::vector<std::pair<std::string, std::string>> options = {};  ///< by name, without prefix: {"ksp_type", "minres"}
  std::function<void(const std::string&)> log = {};               ///< takes how the solver describes itself; may be empty
  std::function<void(const std::string&)> unused = {};            ///< takes the name of each option that nobody asked for
};

struct LinearOptions {
  double tolerance = 1e-10;  ///< converged at |b - A x| <= max(tolerance |b|, absolute_tolerance)
  double absolute_tolerance = 0;
  std::int64_t max_iterations = 1000;
  /// > 0: |x|_M stays within it, and directions of negative curvature are followed up to it.
  double trust_radius = 0;
  /// Applies M^-1, symmetric and positive semidefinite, with the range of A; null: the identity. Outlives the call.
  const LinearMap* preconditioner = nullptr;
  Library library = {};
};

struct LinearOutcome {
  Outcome outcome = {};
  std::int64_t iterations = 0;
  double residual = 0;              ///< |b - A x|
  double length = 0;                ///< |x|_M, where a trust radius was given
  bool on_boundary = false;         ///< that is the trust radius
  bool negative_curvature = false;  ///< met a direction p with p^T A p <= 0
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  virtual std::string name() const = 0;
  virtual bool takes_trust_radius() const { return false; }
  /// Solves A x = b from the x given; with a trust radius from 0.
  virtual LinearOutcome solve(const LinearMap& a, const Vector& b, Vector& x, const LinearOptions&) const = 0;
};

enum class Spectrum : std::int8_t { smallest, largest };  ///< by value, with sign

struct EigenOptions {
  std::int64_t count = 1;
  Spectrum which = Spectrum::smallest;
  double tolerance = 1e-10;  ///< converged at |A v - value v| <= tolerance max(|value|, 1)
  std::int64_t max_iterations = 1000;
  /// > 0: at most as many products with A before the best pairs so far are taken. Each pair that is returned then costs one more,
  /// which checks it.
  std::int64_t max_products = 0;
  /// > 0: at most as many vectors in the space that is searched, though more than `count`. 0: as the solver sees fit.
  std::int64_t max_basis = 0;
  Library library = {};
};

struct EigenOutcome {
  Outcome outcome = {};
  std::int64_t iterations = 0;         ///< 0: a start was an eigenvector, or the space is all there is
  std::int64_t products = 0;           ///< with A, those that checked the result included
  std::vector<double> values = {};     ///< v.A v in the order asked for: the smallest first, or the largest first
  std::vector<double> residuals = {};  ///< |A v - value v|
};

class EigenSolver {
 public:
  virtual ~EigenSolver() = default;
  virtual std::string name() const = 0;
  /// Eigenpairs of a symmetric map in the complement of `orthogonal_to` (mutually orthonormal). `vectors` holds starts, none or
  /// more, and then the orthonormal eigenvectors that belong to the values: as many as were asked for, or as the complement has.
  /// A start of zeros is none. Of a complex map (LinearMap::times_i) all this is meant in the complex sense: v and i v are one
  /// vector. Throws Error{unsupported} for a map that is not symmetric.
  virtual EigenOutcome solve(const LinearMap& a, const Vectors& orthogonal_to, Vectors& vectors, const EigenOptions&) const = 0;
};

struct SvdOptions {
  std::int64_t count = 1;
  double tolerance = 1e-10;  ///< converged at max(|A v - s u|, |A^T u - s v|) <= tolerance s_1
  std::int64_t max_iterations = 1000;
  Library library = {};
};

struct SvdOutcome {
  Outcome outcome = {};
  std::int64_t iterations = 0;
  std::vector<double> values = {};     ///< the largest first
  Vectors left = {}, right = {};       ///< A v = s u
  std::vector<double> residuals = {};  ///< max(|A v - s u|, |A^T u - s v|)
};

class SvdSolver {
 public:
  virtual ~SvdSolver() = default;
  virtual std::string name() const = 0;
  virtual SvdOutcome solve(const LinearMap& a, const SvdOptions&) const = 0;
};

/// A function to be made small, evaluated at vectors that the minimizer owns. Values at the last point may be kept between calls.
class SmoothFunction {
 public:
  virtual ~SmoothFunction() = default;
  virtual double value(const Vector& x) = 0;
  virtual void gradient(const Vector& x, Vector& result) = 0;
  virtual bool has_hessian() const { return false; }
  /// result = H(x) v. Throws Error{unsupported} where has_hessian() is false.
  virtual void hessian_product(const Vector& x, const Vector& v, Vector& result);
  virtual bool has_preconditioner() const { return false; }
  /// result = M(x)^-1 v, M near H(x), symmetric and positive semidefinite. Throws Error{unsupported} where there is none.
  virtual void precondition(const Vector& x, const Vector& v, Vector& result);
};

struct MinimizerProgress {
  std::int64_t iteration = 0;  ///< from 1
  double value = 0, gradient_norm = 0, step_length = 0;
  const Vector* x = nullptr;  ///< the present point, until the monitor returns
};

/// Called after each iteration: history, checkpoints and stopping act from here, since the loop is the minimizer's.
class Monitor {
 public:
  virtual ~Monitor() = default;
  virtual bool proceed(const MinimizerProgress&) = 0;  ///< false: stop here, Stop::interrupted
};

struct MinimizerOptions {
  double gradient_tolerance = 1e-8;  ///< converged at |g| <= max(gradient_tolerance |g_0|, gradient_absolute)
  double gradient_absolute = 0;
  std::int64_t max_iterations = 1000;
  const Vector *lower = nullptr, *upper = nullptr;  ///< bounds on x; null: none. They outlive the call
  Library library = {};
};

struct MinimizerOutcome {
  Outcome outcome = {};
  std::int64_t iterations = 0;
  double value = 0, gradient_norm = 0;  ///< at the x returned
};

class Minimizer {
 public:
  virtual ~Minimizer() = default;
  virtual std::string name() const = 0;
  virtual bool needs_hessian() const { return false; }
  virtual bool takes_bounds() const { return false; }
  /// Runs its own loop from x and leaves the best point found there.
  virtual MinimizerOutcome minimize(SmoothFunction&, Vector& x, Monitor&, const MinimizerOptions&) const = 0;
};

}  // namespace tyto::algebra
