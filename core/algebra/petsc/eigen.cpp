// EPS; see the header.
#include "algebra/petsc/eigen.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <fmt/format.h>
#include "algebra/petsc/calls.hpp"
#include "algebra/petsc/handles.hpp"
#include "algebra/petsc/options.hpp"
#include "algebra/petsc/shell.hpp"
#include "algebra/petsc/slepc.hpp"
#include "algebra/petsc/vector.hpp"

namespace tyto::algebra::petsc {
namespace {

constexpr std::int64_t corrections = 10;  // products that Jacobi-Davidson may spend on one correction

EPSType type_of(EigenMethod method) {
  switch (method) {
    case EigenMethod::krylov_schur: return EPSKRYLOVSCHUR;
    case EigenMethod::generalized_davidson: return EPSGD;
    case EigenMethod::jacobi_davidson: return EPSJD;
    case EigenMethod::lobpcg: return EPSLOBPCG;
  }
  return nullptr;
}

/// Products of one round, at most; Krylov-Schur's are as many as its basis has vectors.
std::int64_t round_of(EigenMethod method, std::int64_t count, std::int64_t basis) {
  switch (method) {
    case EigenMethod::krylov_schur: return basis;
    case EigenMethod::generalized_davidson: return 1;
    case EigenMethod::jacobi_davidson: return corrections + 2;
    case EigenMethod::lobpcg: return 4 * count;  // of the space of iterates, residuals and directions, and of the new iterates
  }
  return 0;
}

/// Vectors of ours as PETSc's, over the same memory.
std::vector<Owned<Vec>> wrapped(const Vectors& vectors) {
  std::vector<Owned<Vec>> all;
  for (const std::unique_ptr<Vector>& v : vectors) all.push_back(wrap(*v));
  return all;
}

std::vector<Vec> bare(const std::vector<Owned<Vec>>& vectors) {
  std::vector<Vec> all;
  for (const Owned<Vec>& v : vectors) all.push_back(v.get());
  return all;
}

Vectors as_vectors(const std::vector<Owned<Vec>>& vectors) {
  Vectors all;
  for (const Owned<Vec>& v : vectors) all.push_back(std::make_unique<PetscVector>(v.get()));
  return all;
}

/// One problem in one EPS.
class Solve {
 public:
  Solve(EigenMethod method, const RealProblem& problem)
      : method_(method),
        problem_(problem),
        options_(problem.options),
        printing_(options_.library.log),
        database_(options_.library, calls_),
        deflated_(wrapped(problem.deflated)),
        starts_(wrapped(problem.starts)),
        deflated_vectors_(as_vectors(deflated_)),
        map_(problem.map, deflated_vectors_, options_.which),
        matrix_(map_, UnknownDiagonal::refused, calls_) {
    if (problem.preconditioner != nullptr) preconditioner_.emplace(ShellContext{*problem.preconditioner, calls_});
    EPS made = nullptr;
    calls_.check(EPSCreate(PETSC_COMM_SELF, &made));
    eps_.reset(made);
    configure();
  }

  RealPairs run() {
    calls_.check(EPSSolve(eps_.get()));
    RealPairs pairs;
    PetscInt converged = 0, iterations = 0;
    calls_.check(EPSGetConverged(eps_.get(), &converged));
    calls_.check(EPSGetIterationNumber(eps_.get(), &iterations));
    for (PetscInt k = 0; k < std::min(converged, petsc_int(problem_.count)); ++k) pairs.vectors.push_back(vector(k));
    pairs.iterations = iterations;
    pairs.products = map_.products();
    pairs.otherwise = outcome(iterations);
    if (printing_.is_wanted()) calls_.check(EPSView(eps_.get(), PETSC_VIEWER_STDOUT_SELF));
    printing_.deliver();
    database_.report_unused();
    return pairs;
  }

 private:
  void configure() {
    EPS eps = eps_.get();
    calls_.check(EPSSetOperators(eps, matrix_.mat(), nullptr));
    calls_.check(EPSSetProblemType(eps, EPS_HEP));
    calls_.check(EPSSetType(eps, type_of(method_)));
    calls_.check(EPSSetWhichEigenpairs(eps, EPS_SMALLEST_REAL));
    // SLEPc takes no tolerance of zero; the check at the end does.
    calls_.check(
        EPSSetTolerances(eps, std::max(options_.tolerance, 1e-300), petsc_int(std::max<std::int64_t>(1, options_.max_iterations))));
    calls_.check(EPSSetConvergenceTestFunction(eps, test_convergence, this, nullptr));
    calls_.check(EPSSetStoppingTestFunction(eps, test_stopping, this, nullptr));
    set_spaces();
    if (method_ == EigenMethod::krylov_schur) return calls_.check(EPSSetFromOptions(eps));
    ST st = nullptr;
    KSP ksp = nullptr;
    PC pc = nullptr;
    calls_.check(EPSGetST(eps, &st));
    calls_.check(STSetType(st, STPRECOND));
    calls_.check(STGetKSP(st, &ksp));
    calls_.check(KSPGetPC(ksp, &pc));
    if (preconditioner_) precondition_by(pc, *preconditioner_);
    else calls_.check(PCSetType(pc, PCNONE));
    calls_.check(KSPSetType(ksp, KSPPREONLY));  // else SLEPc's default would solve with A itself
    if (method_ == EigenMethod::jacobi_davidson) {
      calls_.check(KSPSetType(ksp, KSPMINRES));
      calls_.check(KSPSetTolerances(ksp, 1e-2, PETSC_DEFAULT, PETSC_DEFAULT, petsc_int(corrections)));
    }
    calls_.check(EPSSetFromOptions(eps));
  }

  void set_spaces() {
    EPS eps = eps_.get();
    std::vector<Vec> deflated = bare(deflated_), starts = bare(starts_);
    if (!deflated.empty()) calls_.check(EPSSetDeflationSpace(eps, static_cast<PetscInt>(deflated.size()), deflated.data()));
    const std::int64_t most = method_ == EigenMethod::krylov_schur ? 1 : problem_.count;  // Krylov-Schur begins with one vector
    if (static_cast<std::int64_t>(starts.size()) > most) starts.resize(static_cast<std::size_t>(most));
    if (!starts.empty()) calls_.check(EPSSetInitialSpace(eps, static_cast<PetscInt>(starts.size()), starts.data()));
    const PetscInt count = petsc_int(problem_.count);
    if (method_ == EigenMethod::lobpcg) return calls_.check(EPSSetDimensions(eps, count, PETSC_DEFAULT, PETSC_DEFAULT));
    std::int64_t basis = options_.max_basis > 0 ? options_.max_basis : std::max(2 * problem_.count, problem_.count + 15);
    if (options_.max_products > 0) basis = std::min(basis, options_.max_products);
    basis_ = std::min(std::max(basis, problem_.count + 2), problem_.dimension);
    calls_.check(EPSSetDimensions(eps, count, petsc_int(basis_), PETSC_DEFAULT));
    // What is given is a better start than the random vectors of the default; one must be there when all that is given converges.
    if (method_ == EigenMethod::generalized_davidson) calls_.check(EPSGDSetInitialSize(eps, count + 1));
    if (method_ == EigenMethod::jacobi_davidson) calls_.check(EPSJDSetInitialSize(eps, count + 1));
  }

  bool would_pass_the_limit() const {
    return options_.max_products > 0 && map_.products() + round_of(method_, problem_.count, basis_) > options_.max_products;
  }

  /// In the last round as many pairs as are wanted count as converged, since SLEPc hands out no others; the check at the end knows
  /// better.
  static PetscErrorCode test_convergence(EPS, PetscScalar value, PetscScalar, PetscReal residual, PetscReal* error, void* context) {
    PetscFunctionBeginUser;
    auto& self = *static_cast<Solve*>(context);
    *error = residual / std::max(std::abs(value), 1.0);
    const bool is_last = self.is_last_round_ || self.would_pass_the_limit();
    if (is_last && *error >= self.options_.tolerance && self.taken_early_ < self.problem_.count) {
      ++self.taken_early_;
      *error = 0;
    }
    PetscFunctionReturn(success);
  }

  static PetscErrorCode test_stopping(EPS, PetscInt round, PetscInt most, PetscInt converged, PetscInt wanted,
                                      EPSConvergedReason* reason, void* context) {
    PetscFunctionBeginUser;
    auto& self = *static_cast<Solve*>(context);
    *reason = EPS_CONVERGED_ITERATING;
    if (converged >= wanted) *reason = EPS_CONVERGED_TOL;
    else if (round >= most) *reason = EPS_DIVERGED_ITS;
    self.is_last_round_ = round + 1 >= most;
    PetscFunctionReturn(success);
  }

  std::unique_ptr<Vector> vector(PetscInt k) {
    std::unique_ptr<Vector> v = problem_.map.domain();
    const Owned<Vec> storage = wrap_for_writing(*v);
    calls_.check(EPSGetEigenvector(eps_.get(), k, storage.get(), nullptr));
    static_cast<void>(v->write());  // a vector that keeps its norm learns that PETSc wrote behind its back
    return v;
  }

  Outcome outcome(PetscInt iterations) {
    EPSConvergedReason reason = EPS_CONVERGED_ITERATING;
    calls_.check(EPSGetConvergedReason(eps_.get(), &reason));
    if (would_pass_the_limit() && taken_early_ > 0) {
      return {Stop::sweep_limit, fmt::format("{} products", map_.products())};
    }
    if (taken_early_ > 0 || reason == EPS_DIVERGED_ITS) return {Stop::sweep_limit, fmt::format("{} iterations", iterations)};
    if (reason == EPS_DIVERGED_BREAKDOWN) return {Stop::failed, "the method broke down"};
    if (reason < 0) return {Stop::failed, fmt::format("SLEPc's reason {}", static_cast<int>(reason))};
    return {Stop::stalled, "SLEPc's residuals are smaller than those computed from its vectors"};
  }

  EigenMethod method_;
  const RealProblem& problem_;
  const EigenOptions& options_;
  Calls calls_;
  Printing printing_;
  Options database_;
  std::vector<Owned<Vec>> deflated_, starts_;
  Vectors deflated_vectors_;
  RealMap map_;
  MatrixShell matrix_;
  std::optional<ShellContext> preconditioner_;
  OwnedSlepc<EPS> eps_;
  std::int64_t basis_ = 0;
  std::int64_t taken_early_ = 0;  ///< pairs that counted as converged though they were not
  bool is_last_round_ = false;
};

}  // namespace

std::string Eigen::name() const { return std::string("slepc-") + type_of(method_); }

RealPairs Eigen::find(const RealProblem& problem) const {
  boot_slepc();
  return Solve(method_, problem).run();
}

/// A start, and two rounds for what the methods of Davidson need before they can hand out a pair.
std::int64_t Eigen::products_of_a_round(std::int64_t count) const { return count + 1 + 2 * round_of(method_, count, 1); }

}  // namespace tyto::algebra::petsc
