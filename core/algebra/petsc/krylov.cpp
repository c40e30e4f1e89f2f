// KSP; see the header.
#include "algebra/petsc/krylov.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <petscksp.h>
#include <fmt/format.h>
#include "algebra/petsc/calls.hpp"
#include "algebra/petsc/handles.hpp"
#include "algebra/petsc/options.hpp"
#include "algebra/petsc/runtime.hpp"
#include "algebra/petsc/shell.hpp"
#include "error/fail.hpp"

namespace tyto::algebra::petsc {
namespace {

#if PETSC_VERSION_LT(3, 19, 0)
constexpr KSPConvergedReason negative_curvature = KSP_CONVERGED_CG_NEG_CURVE;
constexpr KSPConvergedReason at_radius[] = {KSP_CONVERGED_CG_CONSTRAINED, KSP_CONVERGED_STEP_LENGTH};
#else
constexpr KSPConvergedReason negative_curvature = KSP_CONVERGED_NEG_CURVE;
constexpr KSPConvergedReason at_radius[] = {KSP_CONVERGED_STEP_LENGTH};
#endif

bool is_at_radius(KSPConvergedReason reason) {
  return std::find(std::begin(at_radius), std::end(at_radius), reason) != std::end(at_radius);
}

/// Lengths of steps in the norm of the preconditioner; PETSc's default is Euclid's.
#if PETSC_VERSION_LT(3, 27, 0)
const Options::Pairs defaults{{"ksp_cg_dtype", "preconditioned"}};
#else
const Options::Pairs defaults{{"ksp_cg_tr_norm_type", "preconditioned"}};
#endif

/// Why KSP gave up.
std::string words_for(KSPConvergedReason reason) {
  switch (reason) {
    case KSP_DIVERGED_DTOL: return "the residual grew beyond ksp_divtol";
    case KSP_DIVERGED_BREAKDOWN:
    case KSP_DIVERGED_BREAKDOWN_BICG: return "the method broke down";
    case KSP_DIVERGED_NONSYMMETRIC: return "the map or the preconditioner is not symmetric";
    case KSP_DIVERGED_INDEFINITE_PC: return "the preconditioner is not positive definite";
    case KSP_DIVERGED_INDEFINITE_MAT: return "the map is not positive definite";
    case KSP_DIVERGED_NANORINF: return "a number is not finite";
    case KSP_DIVERGED_PC_FAILED: return "the preconditioner failed";
    default: return fmt::format("PETSc's reason {}", static_cast<int>(reason));
  }
}

/// b - A x, a vector of the caller's kind.
std::unique_ptr<Vector> rest(const LinearMap& a, const Vector& b, const Vector& x) {
  std::unique_ptr<Vector> result = clone(b);
  const std::unique_ptr<Vector> product = b.create();
  a.apply(x, *product);
  result->axpy(-1, *product);
  return result;
}

/// One system in one KSP.
class Solve {
 public:
  Solve(const KrylovMethod& method, const LinearMap& a, const Vector& b, Vector& x, const LinearOptions& options)
      : method_(method),
        a_(a),
        b_(b),
        options_(options),
        printing_(options.library.log),
        database_(options.library, calls_, defaults),
        matrix_(a, UnknownDiagonal::refused, calls_),
        b_wrapped_(wrap(b)),
        x_wrapped_(wrap_for_writing(x)),
        b_norm_(b.norm()) {
    if (options.preconditioner != nullptr) preconditioner_.emplace(ShellContext{*options.preconditioner, calls_});
    KSP made = nullptr;
    calls_.check(KSPCreate(PETSC_COMM_SELF, &made));
    ksp_.reset(made);
    configure();
  }

  LinearOutcome run(const Vector& x) {
    LinearOutcome result = starts_solved() ? LinearOutcome{.residual = b_norm_} : iterate(x);
    if (starts_solved()) judge(KSP_CONVERGED_RTOL, result);
    if (printing_.is_wanted()) calls_.check(KSPView(ksp_.get(), PETSC_VIEWER_STDOUT_SELF));
    printing_.deliver();
    database_.report_unused();
    return result;
  }

 private:
  bool is_bounded() const { return options_.trust_radius > 0; }

  /// Methods with a trust region take a first step from zero even where there is nothing left to solve.
  bool starts_solved() const { return method_.has_trust_region && b_norm_ <= bound_; }

  LinearOutcome iterate(const Vector& x) {
    calls_.check(KSPSolve(ksp_.get(), b_wrapped_.get(), x_wrapped_.get()));
    KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
    PetscInt iterations = 0;
    calls_.check(KSPGetConvergedReason(ksp_.get(), &reason));
    calls_.check(KSPGetIterationNumber(ksp_.get(), &iterations));
    LinearOutcome result{.iterations = iterations, .residual = rest(a_, b_, x)->norm()};
    if (is_bounded()) calls_.check(KSPCGGetNormD(ksp_.get(), &result.length));
    judge(reason, result);
    return result;
  }

  void configure() {
    KSP ksp = ksp_.get();
    calls_.check(KSPSetOperators(ksp, matrix_.mat(), matrix_.mat()));
    calls_.check(KSPSetType(ksp, method_.type));
    calls_.check(
        KSPSetTolerances(ksp, options_.tolerance, options_.absolute_tolerance, PETSC_MAX_REAL, petsc_int(options_.max_iterations)));
    calls_.check(KSPSetConvergenceTest(ksp, test_convergence, this, nullptr));
    if (!method_.has_trust_region) calls_.check(KSPSetInitialGuessNonzero(ksp, PETSC_TRUE));
    // A type that the user chose may have no such norm.
    norm_is_residual_ = method_.knows_its_residual && !database_.has("ksp_type") && !database_.has("ksp_norm_type");
    if (norm_is_residual_) calls_.check(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED));
    PC pc = nullptr;
    calls_.check(KSPGetPC(ksp, &pc));
    if (preconditioner_) precondition_by(pc, *preconditioner_);
    else calls_.check(PCSetType(pc, PCNONE));
    calls_.check(KSPSetFromOptions(ksp));
    if (is_bounded()) set_radius();
    PetscReal relative = 0, absolute = 0, divergence = 0;
    calls_.check(KSPGetTolerances(ksp, &relative, &absolute, &divergence, nullptr));
    bound_ = std::max(relative * b_norm_, absolute);
    divergence_ = divergence * b_norm_;
  }

  /// Other types would pass over the radius in silence.
  void set_radius() {
    KSPType type = nullptr;
    calls_.check(KSPGetType(ksp_.get(), &type));
    const std::string name = type;
    if (name != KSPSTCG && name != KSPNASH && name != KSPGLTR) {
      fail_unsupported("a trust radius in ksp_type " + name, "ksp_type stcg, nash or gltr");
    }
    calls_.check(KSPCGSetRadius(ksp_.get(), options_.trust_radius));
  }

  static PetscErrorCode test_convergence(KSP ksp, PetscInt, PetscReal norm, KSPConvergedReason* reason, void* context) {
    PetscFunctionBeginUser;
    auto& self = *static_cast<Solve*>(context);
    *reason = KSP_CONVERGED_ITERATING;
    if (PetscIsInfOrNanReal(norm)) {
      *reason = KSP_DIVERGED_NANORINF;
      PetscFunctionReturn(success);
    }
    if (!self.norm_is_residual_) PetscCall(self.find_residual(ksp, norm));
    if (norm <= self.bound_) *reason = KSP_CONVERGED_RTOL;
    else if (norm > self.divergence_ && self.b_norm_ > 0) *reason = KSP_DIVERGED_DTOL;
    PetscFunctionReturn(success);
  }

  /// Where `norm` is about something else than b - A x: replaces it by the residual when it is low enough for a look, else by
  /// nothing smaller than the bound.
  PetscErrorCode find_residual(KSP ksp, PetscReal& norm) {
    PetscFunctionBeginUser;
    if (look_below_ && norm > *look_below_) {
      norm = std::max(norm, 2 * bound_);
      PetscFunctionReturn(success);
    }
    Vec residual = nullptr;
    PetscReal truth = 0;
    PetscCall(KSPBuildResidual(ksp, nullptr, nullptr, &residual));
    PetscCall(VecNorm(residual, NORM_2, &truth));
    PetscCall(VecDestroy(&residual));
    look_below_ = truth > 0 ? norm * std::min(0.5, bound_ / truth) : norm;
    norm = truth;
    PetscFunctionReturn(success);
  }

  void judge(KSPConvergedReason reason, LinearOutcome& result) const {
    result.negative_curvature = reason == negative_curvature || reason == KSP_DIVERGED_INDEFINITE_MAT;
    result.on_boundary = is_bounded() && (reason == negative_curvature || is_at_radius(reason));
    if (!std::isfinite(result.residual)) {
      result.on_boundary = false;
      result.outcome = {Stop::failed, words_for(KSP_DIVERGED_NANORINF)};
    } else if (result.on_boundary && result.negative_curvature) {
      result.outcome = {Stop::converged, "negative curvature, followed to the trust radius"};
    } else if (result.on_boundary) {
      result.outcome = {Stop::converged, "the step reaches the trust radius"};
    } else if (result.negative_curvature) {
      result.outcome = {Stop::failed, words_for(KSP_DIVERGED_INDEFINITE_MAT)};
    } else if (reason == KSP_DIVERGED_ITS) {
      result.outcome = {Stop::sweep_limit, fmt::format("{} iterations", result.iterations)};
    } else if (reason <= 0) {
      result.outcome = {Stop::failed, words_for(reason)};
    } else if (result.residual <= bound_) {
      result.outcome = {Stop::converged, fmt::format("residual {:.3g} <= {:.3g}", result.residual, bound_)};
    } else if (result.residual <= 2 * bound_) {
      result.outcome = {Stop::converged, fmt::format("residual {:.3g}, by recurrence <= {:.3g}", result.residual, bound_)};
    } else {
      result.outcome = {Stop::stalled, fmt::format("rounding: residual {:.3g} > {:.3g}", result.residual, bound_)};
    }
  }

  const KrylovMethod& method_;
  const LinearMap& a_;
  const Vector& b_;
  const LinearOptions& options_;
  Calls calls_;
  Printing printing_;
  Options database_;
  MatrixShell matrix_;
  std::optional<ShellContext> preconditioner_;
  Owned<Vec> b_wrapped_, x_wrapped_;
  Owned<KSP> ksp_;
  double b_norm_ = 0, bound_ = 0, divergence_ = 0;
  bool norm_is_residual_ = true;
  std::optional<double> look_below_;
};

LinearOutcome run(const KrylovMethod& method, const LinearMap& a, const Vector& b, Vector& x, const LinearOptions& options) {
  const LinearOutcome result = Solve(method, a, b, x, options).run(x);
  static_cast<void>(x.write());  // a vector that keeps its norm learns that PETSc wrote behind its back
  return result;
}

/// Methods with a trust region start at zero and end after as many iterations as there are unknowns. Without a radius that need
/// not be the end: A d = b - A x for a step d, as often as it takes.
LinearOutcome run_in_steps(const KrylovMethod& method, const LinearMap& a, const Vector& b, Vector& x, LinearOptions options) {
  options.absolute_tolerance = std::max(options.absolute_tolerance, options.tolerance * b.norm());
  options.tolerance = 0;
  LinearOutcome result;
  for (double before = std::numeric_limits<double>::infinity();; before = result.residual) {
    const std::unique_ptr<Vector> step = x.create();
    const std::int64_t iterations = result.iterations;
    result = run(method, a, *rest(a, b, x), *step, options);
    options.library.unused = {};  // said once
    x.axpy(1, *step);
    result.iterations += iterations;
    options.max_iterations -= result.iterations - iterations;
    const bool is_cut_short = result.outcome.stop == Stop::sweep_limit && options.max_iterations > 0;
    if (!is_cut_short || result.residual > 0.5 * before) break;
  }
  result.residual = rest(a, b, x)->norm();
  if (result.outcome.stop == Stop::sweep_limit) result.outcome.reason = fmt::format("{} iterations", result.iterations);
  return result;
}

}  // namespace

LinearOutcome Krylov::solve(const LinearMap& a, const Vector& b, Vector& x, const LinearOptions& options) const {
  if (method_.needs_symmetry && !a.is_symmetric()) {
    fail_unsupported(name() + " for a map that is not symmetric", "petsc-gmres");
  }
  if (options.trust_radius > 0 && !method_.has_trust_region) {
    fail_unsupported("a trust radius in " + name(), "petsc-stcg, petsc-nash or petsc-gltr");
  }
  boot();
  if (method_.has_trust_region && options.trust_radius <= 0) return run_in_steps(method_, a, b, x, options);
  if (method_.has_trust_region) x.fill(0);
  return run(method_, a, b, x, options);
}

}  // namespace tyto::algebra::petsc
