#include "solve/trust_region.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <fmt/format.h>

namespace tyto::solve {

using algebra::HostVector;

namespace {

constexpr double least_gain = 1e-4, poor_gain = 0.25, good_gain = 0.75;  // Conn, Gould, Toint, section 6.1
constexpr double shrink = 0.25, grow = 3, first_growth = 10;
constexpr int most_attempts = 30;
constexpr double loosest = 0.1, tightest = 1e-10;  // tolerance of linear systems where the user names none

/// A point, the slope there and in the norm of M.
class Slope {
 public:
  explicit Slope(LocalModel& model) : x(model.size()), g(model.size()), z(model.size()) {
    model.read_unknowns(x);
    model.gradient(g);
    if (const algebra::LinearMap* m = model.preconditioner()) m->apply(g, z);
    else z.copy(g);
    dual = std::sqrt(std::max(0.0, g.dot(z)));
  }
  HostVector x, g, z;
  double dual = 0;  ///< |g| in the dual of the norm of M
};

/// The outcome where nothing is left to do: no slope.
std::optional<Outcome> flat(const Slope& slope, double gradient_norm) {
  if (std::isnan(gradient_norm)) return Outcome{Stop::failed, "the gradient is not a number"};
  if (slope.dual > 0) return std::nullopt;
  return Outcome{Stop::converged, fmt::format("gradient norm {:.2g}: nothing is left to descend", gradient_norm)};
}

Outcome below_rounding(double predicted, double rounding) {
  return {Stop::converged,
          fmt::format("the next decrease, {:.2g}, would be below the rounding of the objective, {:.2g}", predicted, rounding)};
}

/// Where the model is least along the preconditioned slope, as a multiple of it; infinite where it falls for ever.
double best_along_slope(LocalModel& model, const Slope& slope, HostVector& scratch, StepOutcome& result) {
  model.product().apply(slope.z, scratch);
  ++result.products;
  const double curvature = slope.z.dot(scratch);
  return curvature > 0 ? slope.dual * slope.dual / curvature : std::numeric_limits<double>::infinity();
}

/// A step with its promise.
struct Promise {
  double predicted = 0, length = 0;
  bool on_boundary = false;
};

/// The model's decrease by s: -g.s - s.B s / 2. `scratch` becomes B s.
double predicted_by(LocalModel& model, const HostVector& b, const HostVector& s, HostVector& scratch, StepOutcome& result) {
  model.product().apply(s, scratch);
  ++result.products;
  return b.dot(s) - s.dot(scratch) / 2;
}

/// The step along the preconditioned slope that the model likes best within the region: the Cauchy point.
Promise cauchy_step(LocalModel& model, double radius, const Slope& slope, HostVector& s, HostVector& scratch, StepOutcome& result) {
  const double best = best_along_slope(model, slope, scratch, result), multiple = std::min(best, radius / slope.dual);
  s.copy(slope.z);
  s.scale(-multiple);
  return {multiple * slope.dual * slope.dual - multiple * multiple * slope.z.dot(scratch) / 2, multiple * slope.dual,
          multiple < best};
}

/// What the linear solver gives within the region. Rounding may spoil it; then the slope is followed.
Promise bounded_step(LocalModel& model, const InnerSolver& inner, const algebra::LinearOptions& options, const Slope& slope,
                     const HostVector& b, HostVector& s, HostVector& scratch, StepOutcome& result) {
  s.fill(0);
  const algebra::LinearOutcome solved = inner.solver->solve(model.product(), b, s, options);
  result.products += solved.iterations;
  const double predicted = predicted_by(model, b, s, scratch, result);
  if (predicted > 0) return {predicted, solved.length, solved.on_boundary};
  return cauchy_step(model, options.trust_radius, slope, s, scratch, result);
}

/// What factorizations give within the region.
Promise dense_step(LocalModel& model, const DenseSystem& system, double radius, const Slope& slope, const HostVector& b,
                   HostVector& s, HostVector& scratch, StepOutcome& result) {
  const DenseSystem::Solution solved = system.solve(b.values(), radius, s.values());
  const double predicted = predicted_by(model, b, s, scratch, result);
  if (predicted > 0) return {predicted, solved.length, solved.on_boundary};
  return cauchy_step(model, radius, slope, s, scratch, result);
}

/// For a linear solver that knows no region: on the way from the Cauchy point to its solution as far as the region goes (Powell's
/// dogleg, 1970). Lengths are Euclid's, since those of the preconditioner's inverse are not known of that solution.
Promise dogleg_step(LocalModel& model, const InnerSolver& inner, algebra::LinearOptions options, const Slope& slope,
                    const HostVector& b, HostVector& s, HostVector& scratch, StepOutcome& result) {
  const double radius = std::exchange(options.trust_radius, 0);
  HostVector whole(model.size());
  const algebra::LinearOutcome solved = inner.solver->solve(model.product(), b, whole, options);
  result.products += solved.iterations;
  const double length = whole.norm();
  double predicted = std::isfinite(length) ? predicted_by(model, b, whole, scratch, result) : -1;
  if (predicted > 0 && length <= radius) {
    s.copy(whole);
    return {predicted, length, false};
  }
  const double steepness = slope.z.norm();
  const Promise cauchy = cauchy_step(model, radius * slope.dual / steepness, slope, s, scratch, result);
  if (cauchy.on_boundary || !(predicted > 0)) return {cauchy.predicted, s.norm(), cauchy.on_boundary};
  whole.axpy(-1, s);  // from the Cauchy point on
  const double ww = whole.dot(whole), sw = s.dot(whole), room = radius * radius - s.dot(s);
  s.axpy((std::sqrt(sw * sw + ww * std::max(0.0, room)) - sw) / ww, whole);
  predicted = predicted_by(model, b, s, scratch, result);
  return {predicted, radius, true};
}

double inner_tolerance(const InnerSolver& inner, const Slope& slope, const Region& region) {
  if (inner.tolerance > 0) return inner.tolerance;
  return std::clamp(std::sqrt(slope.dual / region.first_gradient), tightest, loosest);
}

}  // namespace

StepOutcome trust_region_step(LocalModel& model, const InnerSolver& inner, const Measure& measure, Region& region) {
  const Slope slope(model);
  StepOutcome result{.gradient_norm = slope.g.norm()};
  result.end = flat(slope, result.gradient_norm);
  if (result.end) return result;
  HostVector b(slope.g.values()), s(model.size()), scratch(model.size()), trial(model.size());
  const std::optional<DenseSystem> dense = model.is_dense() ? std::optional(model.dense_system()) : std::nullopt;
  const bool is_bounded = dense || inner.solver->takes_trust_radius();
  if (region.radius == 0) {
    const double best = best_along_slope(model, slope, scratch, result);
    region = {first_growth * (std::isfinite(best) ? best : 1) * (is_bounded ? slope.dual : slope.z.norm()), slope.dual};
  }
  b.scale(-1);
  algebra::LinearOptions options{.tolerance = inner_tolerance(inner, slope, region),
                                 .max_iterations = inner.max_products,
                                 .preconditioner = model.preconditioner(),
                                 .library = inner.library};
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    options.trust_radius = region.radius;
    const Promise step = dense        ? dense_step(model, *dense, region.radius, slope, b, s, scratch, result)
                         : is_bounded ? bounded_step(model, inner, options, slope, b, s, scratch, result)
                                      : dogleg_step(model, inner, options, slope, b, s, scratch, result);
    const Measured before = measure(step.predicted);
    if (!(step.predicted > before.rounding)) {
      result.end = below_rounding(step.predicted, before.rounding);
      return result;
    }
    trial.copy(slope.x);
    trial.axpy(1, s);
    model.write_unknowns(trial);
    const double decrease = before.value - measure(step.predicted).value;
    result.gain = decrease / step.predicted;
    const bool is_taken = std::isfinite(decrease) && result.gain > least_gain;
    if (!is_taken || result.gain < poor_gain) region.radius = shrink * step.length;
    else if (result.gain > good_gain && step.on_boundary) region.radius *= grow;
    if (is_taken) {
      result.report = {decrease, s.norm(), true};
      return result;
    }
    model.write_unknowns(slope.x);
  }
  result.end =
      Outcome{Stop::stalled, fmt::format("no step lowers the objective, down to a trust radius of {:.2g}; gradient norm {:.2g}",
                                         region.radius, result.gradient_norm)};
  return result;
}

StepOutcome gradient_step(LocalModel& model, const Measure& measure, Region& region) {
  const Slope slope(model);
  StepOutcome result{.gradient_norm = slope.g.norm()};
  result.end = flat(slope, result.gradient_norm);
  if (result.end) return result;
  if (region.radius == 0) region = {1, slope.dual};
  const double slope_squared = slope.dual * slope.dual;
  HostVector trial(model.size());
  double length = 2 * region.radius;
  for (int attempt = 0; attempt < 2 * most_attempts; ++attempt, length /= 2) {
    const double predicted = length * slope_squared;
    const Measured before = measure(predicted);
    if (!(predicted > before.rounding)) {
      result.end = below_rounding(predicted, before.rounding);
      return result;
    }
    trial.copy(slope.x);
    trial.axpy(-length, slope.z);
    model.write_unknowns(trial);
    const double decrease = before.value - measure(predicted).value;
    result.gain = decrease / predicted;
    if (std::isfinite(decrease) && result.gain > least_gain) {
      region.radius = length;
      result.report = {decrease, length * slope.z.norm(), true};
      return result;
    }
    model.write_unknowns(slope.x);
  }
  result.end = Outcome{Stop::stalled,
                       fmt::format("no step along the gradient lowers the objective; gradient norm {:.2g}", result.gradient_norm)};
  return result;
}

}  // namespace tyto::solve
