// Preconditioned conjugate gradients; formulas and names are in the header.
#include "algebra/conjugate_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include "error/fail.hpp"

namespace tyto::algebra {
namespace {

/// One over the diagonal of A, or null where it is not known to be positive and finite.
std::unique_ptr<Vector> inverse_diagonal(const LinearMap& a) {
  std::unique_ptr<Vector> diagonal = a.domain();
  if (!a.diagonal(*diagonal)) return nullptr;
  const Array values = diagonal->write();
  if (values.space != Space::host || values.dtype != Dtype::f64) return nullptr;
  double* entries = values.as<double>();
  for (std::int64_t i = 0; i < values.size(); ++i) {
    if (!(entries[i] > 0) || !std::isfinite(entries[i])) return nullptr;
    entries[i] = 1 / entries[i];
  }
  return diagonal;
}

void multiply(const Vector& factors, Vector& vector) {
  const double* factor = factors.read().as<double>();
  const Array values = vector.write();
  for (std::int64_t i = 0; i < values.size(); ++i) values.as<double>()[i] *= factor[i];
}

/// x.x, x.p and p.p in the inner product of M, carried along by their recurrences: M itself cannot be applied.
struct Lengths {
  double xx = 0, xp = 0, pp = 0;

  /// The positive t with |x + t p| = radius.
  double to_boundary(double radius) const {
    const double room = std::max(radius * radius - xx, 0.0), root = std::sqrt(xp * xp + pp * room);
    return xp > 0 ? room / (xp + root) : (root - xp) / pp;  // the form without cancellation
  }
  /// x += alpha p
  void move(double alpha) {
    xx += 2 * alpha * xp + alpha * alpha * pp;
    xp += alpha * pp;
  }
  /// p = z + beta p, z orthogonal to all directions so far and z.z = rz
  void turn(double beta, double rz) {
    xp *= beta;
    pp = rz + beta * beta * pp;
  }
};

/// The state of one solve.
class Iterations {
 public:
  Iterations(const LinearMap& a, const Vector& b, Vector& x, const LinearOptions& options)
      : a_(a), b_(b), x_(x), options_(options), r_(clone(b)), z_(a.domain()), p_(a.domain()), ap_(a.range()) {
    if (is_bounded()) x_.fill(0);
    if (!is_bounded() && options.preconditioner == nullptr) scaling_ = inverse_diagonal(a);
    a_.apply(x_, *ap_);
    r_->axpy(-1, *ap_);
    precondition();
    p_->copy(*z_);
    rz_ = r_->dot(*z_);
    lengths_.pp = rz_;
    bound_ = std::max(options.tolerance * b.norm(), options.absolute_tolerance);
  }

  LinearOutcome run() {
    result_.outcome = {Stop::sweep_limit, fmt::format("{} iterations", options_.max_iterations)};
    bool goes_on = !is_done();
    while (goes_on && result_.iterations < options_.max_iterations) goes_on = advance();
    result_.residual = residual_norm(a_, b_, x_);
    result_.length = result_.on_boundary ? options_.trust_radius : std::sqrt(std::max(0.0, lengths_.xx));
    // The recurrence may be more hopeful than the truth; the truth decides.
    if (result_.outcome.stop == Stop::converged && !result_.on_boundary && result_.residual > 2 * bound_) {
      result_.outcome = {Stop::stalled, fmt::format("rounding: residual {:.3g} > {:.3g}", result_.residual, bound_)};
    }
    return result_;
  }

 private:
  bool is_bounded() const { return options_.trust_radius > 0; }

  void precondition() {
    if (options_.preconditioner != nullptr) return options_.preconditioner->apply(*r_, *z_);
    z_->copy(*r_);
    if (scaling_ != nullptr) multiply(*scaling_, *z_);
  }

  bool is_done() {
    const double norm = r_->norm();
    if (std::isnan(norm)) {
      result_.outcome = {Stop::failed, "the residual is not a number"};
    } else if (norm <= bound_) {
      result_.outcome = {Stop::converged, fmt::format("residual {:.3g} <= {:.3g}", norm, bound_)};
    } else {
      return false;
    }
    return true;
  }

  /// One iteration; false when it was the last.
  bool advance() {
    ++result_.iterations;
    a_.apply(*p_, *ap_);
    const double curvature = p_->dot(*ap_);
    if (!(curvature > 0)) return follow_negative_curvature(curvature);
    const double alpha = rz_ / curvature;
    if (is_bounded() && leaves_region(alpha)) return stop_at_boundary("the step reaches the trust radius");
    x_.axpy(alpha, *p_);
    r_->axpy(-alpha, *ap_);
    lengths_.move(alpha);
    if (is_done()) return false;
    precondition();
    const double next = r_->dot(*z_);
    if (!(next > 0)) return stop_outside(next);
    p_->scale(next / rz_);
    p_->axpy(1, *z_);
    lengths_.turn(next / rz_, next);
    rz_ = next;
    return true;
  }

  bool leaves_region(double alpha) const { return alpha >= lengths_.to_boundary(options_.trust_radius); }

  /// What is left of the residual is invisible to the preconditioner.
  bool stop_outside(double rz) {
    result_.outcome = {Stop::stalled, fmt::format("the preconditioner is not positive on the residual: r.z = {:.3g}", rz)};
    return false;
  }

  bool stop_at_boundary(const std::string& reason) {
    x_.axpy(lengths_.to_boundary(options_.trust_radius), *p_);
    result_.on_boundary = true;
    result_.outcome = {Stop::converged, reason};
    return false;
  }

  bool follow_negative_curvature(double curvature) {
    if (std::isnan(curvature)) {
      result_.outcome = {Stop::failed, "the map gave a number that is not one"};
      return false;
    }
    result_.negative_curvature = true;
    if (is_bounded()) return stop_at_boundary("negative curvature, followed to the trust radius");
    result_.outcome = {Stop::failed, fmt::format("the map is not positive definite: curvature {:.3g}", curvature)};
    return false;
  }

  const LinearMap& a_;
  const Vector& b_;
  Vector& x_;
  const LinearOptions& options_;
  std::unique_ptr<Vector> r_, z_, p_, ap_, scaling_;
  Lengths lengths_;
  double rz_ = 0, bound_ = 0;
  LinearOutcome result_;
};

}  // namespace

LinearOutcome ConjugateGradient::solve(const LinearMap& a, const Vector& b, Vector& x, const LinearOptions& options) const {
  if (!a.is_symmetric()) fail_unsupported("conjugate gradients for a map that is not symmetric", "another linear solver");
  return Iterations(a, b, x, options).run();
}

}  // namespace tyto::algebra
