// TAO; see the header.
#include "algebra/petsc/minimizers.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <petsctao.h>
#include <fmt/format.h>
#include "algebra/petsc/calls.hpp"
#include "algebra/petsc/handles.hpp"
#include "algebra/petsc/hessian.hpp"
#include "algebra/petsc/options.hpp"
#include "algebra/petsc/runtime.hpp"
#include "algebra/petsc/shell.hpp"
#include "algebra/petsc/vector.hpp"
#include "error/fail.hpp"

namespace tyto::algebra::petsc {
namespace {

#if PETSC_VERSION_LT(3, 21, 0)
constexpr auto set_monitor = TaoSetMonitor;
#else
constexpr auto set_monitor = TaoMonitorSet;
#endif
#if PETSC_VERSION_LT(3, 22, 0)
constexpr PetscInt no_limit = -1;
#else
constexpr PetscInt no_limit = PETSC_UNLIMITED;
#endif

/// Why TAO ended, other than by its user's wish.
Outcome outcome_of(TaoConvergedReason reason, std::int64_t iterations, double gradient_norm) {
  switch (reason) {
    case TAO_CONVERGED_GATOL:
    case TAO_CONVERGED_GRTOL:
    case TAO_CONVERGED_GTTOL: return {Stop::converged, fmt::format("gradient {:.3g} is small enough", gradient_norm)};
    case TAO_CONVERGED_MINF: return {Stop::converged, "the value fell below tao_fmin"};
    case TAO_CONVERGED_STEPTOL: return {Stop::stalled, "steps became too short"};
    case TAO_DIVERGED_MAXITS: return {Stop::sweep_limit, fmt::format("{} iterations", iterations)};
    case TAO_DIVERGED_MAXFCN: return {Stop::sweep_limit, "as many evaluations as tao_max_funcs allows"};
    case TAO_DIVERGED_LS_FAILURE: return {Stop::stalled, "the line search finds nothing lower"};
    case TAO_DIVERGED_TR_REDUCTION: return {Stop::stalled, "the trust region shrank to nothing"};
    case TAO_DIVERGED_NAN: return {Stop::failed, "a number is not finite"};
    default: return {Stop::failed, fmt::format("PETSc's reason {}", static_cast<int>(reason))};
  }
}

void check_bounds(const MinimizerOptions& options) {
  if (options.lower == nullptr || options.upper == nullptr) return;
  const ConstArray lower = options.lower->read(), upper = options.upper->read();
  for (std::int64_t i = 0; i < lower.size(); ++i) {
    const double low = lower.as<double>()[i], high = upper.as<double>()[i];
    if (low <= high) continue;
    fail(Code::contradiction, fmt::format("the bounds of element {} of the unknowns exclude each other", i), "lower <= upper",
         fmt::format("{} and {}", low, high));
  }
}

/// The best point so far, kept apart only while a later one is worse.
class Best {
 public:
  explicit Best(const PetscVector& x) : last_(x.create()), best_(x.create()) {}

  /// The next point; returns its distance from the one before.
  double advance(const PetscVector& x, double value) {
    const bool is_first = !std::isfinite(last_value_);
    if (value > best_value_ && is_last_) {
      std::swap(last_, best_);
      is_last_ = false;
      last_->copy(*best_);
    } else if (!(value > best_value_)) {
      is_last_ = true;
      best_value_ = value;
    }
    last_value_ = value;
    last_->axpy(-1, x);
    const double step = is_first ? 0 : last_->norm();
    last_->copy(x);
    return step;
  }
  /// Puts the best point into x, which is the last one.
  void restore(PetscVector& x) const {
    if (!is_last_) x.copy(*best_);
  }

 private:
  std::unique_ptr<Vector> last_, best_;
  double last_value_ = std::numeric_limits<double>::infinity(), best_value_ = std::numeric_limits<double>::infinity();
  bool is_last_ = true;
};

/// One minimization in one Tao.
class Minimization {
 public:
  Minimization(const TaoMethod& method, SmoothFunction& function, Vector& x, Monitor& monitor, const MinimizerOptions& options)
      : function_(function),
        monitor_(monitor),
        options_(options),
        printing_(options.library.log),
        database_(options.library, calls_),
        wrapped_(wrap_for_writing(x)),
        x_(wrapped_.get()),
        best_(x_),
        hessian_(function, point_, x_),
        inverse_(function, point_, x_),
        preconditioner_{inverse_, calls_} {
    Tao made = nullptr;
    calls_.check(TaoCreate(PETSC_COMM_SELF, &made));
    tao_.reset(made);
    calls_.check(TaoSetType(made, method.type));
    calls_.check(TaoSetSolution(made, x_.vec()));
    set_function();
    set_bounds();
    set_limits();
    set_preconditioner();
    calls_.check(TaoSetFromOptions(made));
  }

  MinimizerOutcome run() {
    const PetscErrorCode code = TaoSolve(tao_.get());
    // TAO takes that for an error of whoever wrote the function.
    if (code != success && !calls_.has_thrown() && !is_finite_) return finish({Stop::failed, "the function is not finite"});
    calls_.check(code);
    TaoConvergedReason reason = TAO_CONTINUE_ITERATING;
    PetscReal gradient_norm = 0;
    calls_.check(TaoGetSolutionStatus(tao_.get(), nullptr, nullptr, &gradient_norm, nullptr, nullptr, &reason));
    if (printing_.is_wanted()) calls_.check(TaoView(tao_.get(), PETSC_VIEWER_STDOUT_SELF));
    printing_.deliver();
    database_.report_unused();
    best_.restore(x_);
    return finish(is_interrupted_ ? Outcome{Stop::interrupted, "the monitor asked for it"}
                                  : outcome_of(reason, iterations_, gradient_norm));
  }

 private:
  void set_function() {
    calls_.check(TaoSetObjective(tao_.get(), evaluate, this));
    calls_.check(TaoSetGradient(tao_.get(), nullptr, evaluate_gradient, this));
    if (!function_.has_hessian()) return;
    matrix_.emplace(hessian_, UnknownDiagonal::zero, calls_);  // TAO asks for it even where it can do without
    calls_.check(TaoSetHessian(tao_.get(), matrix_->mat(), matrix_->mat(), move_hessian, this));
  }

  void set_bounds() {
    if (options_.lower == nullptr && options_.upper == nullptr) return;
    check_bounds(options_);
    lower_ = bound(options_.lower, PETSC_NINFINITY);
    upper_ = bound(options_.upper, PETSC_INFINITY);
    calls_.check(TaoSetVariableBounds(tao_.get(), lower_.get(), upper_.get()));
  }

  Owned<Vec> bound(const Vector* given, double infinity) {
    if (given != nullptr) return wrap(*given);
    Vec everywhere = nullptr;
    calls_.check(VecDuplicate(x_.vec(), &everywhere));
    Owned<Vec> owned(everywhere);
    calls_.check(VecSet(everywhere, infinity));
    return owned;
  }

  void set_limits() {
    calls_.check(TaoSetTolerances(tao_.get(), options_.gradient_absolute, 0, options_.gradient_tolerance));
    calls_.check(TaoSetMaximumIterations(tao_.get(), petsc_int(options_.max_iterations)));
    calls_.check(TaoSetMaximumFunctionEvaluations(tao_.get(), no_limit));
    calls_.check(set_monitor(tao_.get(), watch, this, nullptr));
    calls_.check(TaoSetConvergenceTest(tao_.get(), test_convergence, this));
  }

  /// TAO's KSP chooses a preconditioner before it has a matrix, and then one that needs entries; naming one now forestalls that.
  void set_preconditioner() {
    KSP ksp = nullptr;
    PC pc = nullptr;
    PCType type = nullptr;
    calls_.check(TaoGetKSP(tao_.get(), &ksp));
    if (ksp == nullptr) return;
    calls_.check(KSPGetPC(ksp, &pc));
    calls_.check(PCGetType(pc, &type));
    if (function_.has_preconditioner()) precondition_by(pc, preconditioner_);
    else if (type == nullptr) calls_.check(PCSetType(pc, PCNONE));
  }

  static PetscErrorCode evaluate(Tao, Vec x, PetscReal* value, void* context) {
    auto& self = *static_cast<Minimization*>(context);
    return self.calls_.guard([&] {
      *value = self.function_.value(PetscVector(x));
      self.is_finite_ = std::isfinite(*value);
    });
  }

  static PetscErrorCode evaluate_gradient(Tao, Vec x, Vec gradient, void* context) {
    auto& self = *static_cast<Minimization*>(context);
    return self.calls_.guard([&] {
      PetscVector result(gradient);
      self.function_.gradient(PetscVector(x), result);
      self.is_finite_ = self.is_finite_ && std::isfinite(result.norm());
    });
  }

  static PetscErrorCode move_hessian(Tao, Vec x, Mat hessian, Mat, void* context) {
    PetscFunctionBeginUser;
    auto& self = *static_cast<Minimization*>(context);
    PetscCall(self.calls_.guard([&] { self.point_.x = std::make_unique<PetscVector>(x); }));
    // TAO adds multiples of the identity; assembling takes them away, else they would add up from point to point.
    PetscCall(MatAssemblyBegin(hessian, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(hessian, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(success);
  }

  /// TAO calls this at the start, for trials that it rejects, and for steps before its first iteration too; here an iteration is a
  /// point that it moved to.
  static PetscErrorCode watch(Tao tao, void* context) {
    PetscFunctionBeginUser;
    auto& self = *static_cast<Minimization*>(context);
    PetscReal value = 0, gradient_norm = 0;
    PetscCall(TaoGetSolutionStatus(tao, nullptr, &value, &gradient_norm, nullptr, nullptr, nullptr));
    PetscCall(self.calls_.guard([&] {
      const double step = self.best_.advance(self.x_, value);
      if (step == 0) return;
      ++self.iterations_;
      const bool proceeds = self.monitor_.proceed(
          {.iteration = self.iterations_, .value = value, .gradient_norm = gradient_norm, .step_length = step, .x = &self.x_});
      self.is_interrupted_ = self.is_interrupted_ || !proceeds;
    }));
    PetscFunctionReturn(success);
  }

  static PetscErrorCode test_convergence(Tao tao, void* context) {
    PetscFunctionBeginUser;
    const auto& self = *static_cast<Minimization*>(context);
    TaoConvergedReason reason = TAO_CONTINUE_ITERATING;
    PetscCall(TaoDefaultConvergenceTest(tao, nullptr));
    PetscCall(TaoGetConvergedReason(tao, &reason));
    const bool goes_on = reason == TAO_CONTINUE_ITERATING;
    if (self.is_interrupted_) PetscCall(TaoSetConvergedReason(tao, TAO_DIVERGED_USER));
    else if (goes_on && self.iterations_ >= self.options_.max_iterations)
      PetscCall(TaoSetConvergedReason(tao, TAO_DIVERGED_MAXITS));
    PetscFunctionReturn(success);
  }

  /// What is reported is computed at the point returned.
  MinimizerOutcome finish(Outcome outcome) {
    MinimizerOutcome result{.outcome = std::move(outcome), .iterations = iterations_, .value = function_.value(x_)};
    const std::unique_ptr<Vector> gradient = x_.create();
    function_.gradient(x_, *gradient);
    if (lower_ != nullptr) project(*gradient);
    result.gradient_norm = gradient->norm();
    return result;
  }

  /// g becomes x - P(x - g).
  void project(Vector& gradient) {
    Vec g = static_cast<PetscVector&>(gradient).vec();
    calls_.check(VecAYPX(g, -1, x_.vec()));
    calls_.check(VecMedian(lower_.get(), g, upper_.get(), g));
    calls_.check(VecAYPX(g, -1, x_.vec()));
  }

  SmoothFunction& function_;
  Monitor& monitor_;
  const MinimizerOptions& options_;
  Calls calls_;
  Printing printing_;
  Options database_;
  Owned<Vec> wrapped_;
  PetscVector x_;
  Best best_;
  Point point_;
  Hessian hessian_;
  InverseNearHessian inverse_;
  ShellContext preconditioner_;
  std::optional<MatrixShell> matrix_;
  Owned<Vec> lower_, upper_;
  Owned<Tao> tao_;
  std::int64_t iterations_ = 0;
  bool is_interrupted_ = false;
  bool is_finite_ = true;  ///< value and gradient where they were last computed
};

}  // namespace

MinimizerOutcome TaoMinimizer::minimize(SmoothFunction& function, Vector& x, Monitor& monitor,
                                        const MinimizerOptions& options) const {
  if (needs_hessian() && !function.has_hessian()) {
    fail_unsupported(name() + " for a function without Hessian products", "petsc-lmvm or petsc-blmvm");
  }
  if (!takes_bounds() && (options.lower != nullptr || options.upper != nullptr)) {
    fail_unsupported("bounds in " + name(), needs_hessian() ? "petsc-bntr" : "petsc-blmvm");
  }
  boot();
  MinimizerOutcome result = Minimization(method_, function, x, monitor, options).run();
  static_cast<void>(x.write());  // a vector that keeps its norm learns that PETSc wrote behind its back
  return result;
}

}  // namespace tyto::algebra::petsc
