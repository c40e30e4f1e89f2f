// SVD; see the header.
#include "algebra/petsc/svd.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include "algebra/petsc/calls.hpp"
#include "algebra/petsc/handles.hpp"
#include "algebra/petsc/options.hpp"
#include "algebra/petsc/shell.hpp"
#include "algebra/petsc/slepc.hpp"

namespace tyto::algebra::petsc {
namespace {

struct NotFinite {};

/// The map, whose products are looked at: LAPACK would fail on what is not finite without saying so.
class Watched final : public LinearMap {
 public:
  explicit Watched(const LinearMap& map) : map_(map) {}
  std::unique_ptr<Vector> domain() const override { return map_.domain(); }
  std::unique_ptr<Vector> range() const override { return map_.range(); }
  void apply(const Vector& x, Vector& y) const override {
    map_.apply(x, y);
    if (!std::isfinite(y.norm())) throw NotFinite{};
  }
  void apply_transposed(const Vector& y, Vector& x) const override {
    if (map_.is_symmetric()) return apply(y, x);
    map_.apply_transposed(y, x);
    if (!std::isfinite(x.norm())) throw NotFinite{};
  }

 private:
  const LinearMap& map_;
};

/// One matrix in one SVD.
class Solve {
 public:
  Solve(const LinearMap& a, const SvdOptions& options)
      : options_(options),
        printing_(options.library.log),
        database_(options.library, calls_),
        map_(a),
        matrix_(map_, UnknownDiagonal::refused, calls_),
        smaller_(std::min(a.domain()->size(), a.range()->size())),
        count_(std::min(options.count, smaller_)) {
    SVD made = nullptr;
    calls_.check(SVDCreate(PETSC_COMM_SELF, &made));
    svd_.reset(made);
    configure();
  }

  SvdOutcome run() {
    SvdOutcome result;
    PetscInt converged = 0, iterations = 0;
    calls_.check(SVDSolve(svd_.get()));
    calls_.check(SVDGetConverged(svd_.get(), &converged));
    calls_.check(SVDGetIterationNumber(svd_.get(), &iterations));
    result.iterations = iterations;
    for (PetscInt k = 0; k < std::min(converged, petsc_int(count_)); ++k) add_triplet(k, result);
    judge(result);
    if (printing_.is_wanted()) calls_.check(SVDView(svd_.get(), PETSC_VIEWER_STDOUT_SELF));
    printing_.deliver();
    database_.report_unused();
    return result;
  }

 private:
  void configure() {
    SVD svd = svd_.get();
    const bool is_small = smaller_ < 5 * (count_ + 1);
    calls_.check(SVDSetOperators(svd, matrix_.mat(), nullptr));
    calls_.check(SVDSetImplicitTranspose(svd, PETSC_TRUE));
    calls_.check(SVDSetType(svd, is_small ? SVDLAPACK : SVDTRLANCZOS));
    calls_.check(SVDSetDimensions(svd, petsc_int(count_), PETSC_DEFAULT, PETSC_DEFAULT));
    // Half of it, since SLEPc estimates; and it takes no tolerance of zero.
    calls_.check(SVDSetTolerances(svd, std::max(0.5 * options_.tolerance, 1e-300),
                                  petsc_int(std::max<std::int64_t>(1, options_.max_iterations))));
    calls_.check(SVDSetFromOptions(svd));
    SVDType type = nullptr;
    calls_.check(SVDGetType(svd, &type));
    // Other types that a user chose take no test of ours and judge each value by itself, which is stricter.
    if (std::string(type) == SVDTRLANCZOS) calls_.check(SVDSetConvergenceTestFunction(svd, test_convergence, this, nullptr));
  }

  /// Relative to the largest value, which comes first.
  static PetscErrorCode test_convergence(SVD, PetscReal value, PetscReal residual, PetscReal* error, void* context) {
    PetscFunctionBeginUser;
    auto& self = *static_cast<Solve*>(context);
    self.largest_ = std::max(self.largest_, value);
    *error = self.largest_ > 0 ? residual / self.largest_ : 0;
    PetscFunctionReturn(success);
  }

  void add_triplet(PetscInt k, SvdOutcome& result) {
    std::unique_ptr<Vector> u = map_.range(), v = map_.domain();
    const Owned<Vec> left = wrap_for_writing(*u), right = wrap_for_writing(*v);
    calls_.check(SVDGetSingularTriplet(svd_.get(), k, nullptr, left.get(), right.get()));
    static_cast<void>(u->write());  // vectors that keep their norms learn that PETSc wrote behind their backs
    static_cast<void>(v->write());
    const std::unique_ptr<Vector> av = map_.range(), atu = map_.domain();
    map_.apply(*v, *av);
    map_.apply_transposed(*u, *atu);
    result.values.push_back(u->dot(*av));
    av->axpy(-result.values.back(), *u);
    atu->axpy(-result.values.back(), *v);
    result.residuals.push_back(std::max(av->norm(), atu->norm()));
    result.left.push_back(std::move(u));
    result.right.push_back(std::move(v));
  }

  void judge(SvdOutcome& result) const {
    if (static_cast<std::int64_t>(result.values.size()) < count_) {
      result.outcome = {Stop::sweep_limit,
                        fmt::format("{} iterations, {} of {} triplets", result.iterations, result.values.size(), count_)};
      return;
    }
    const double worst = result.values.empty() ? 0 : *std::max_element(result.residuals.begin(), result.residuals.end());
    const double bound = options_.tolerance * (result.values.empty() ? 0 : result.values.front());
    if (worst <= bound) result.outcome = {Stop::converged, fmt::format("residual {:.3g} <= {:.3g}", worst, bound)};
    else result.outcome = {Stop::stalled, fmt::format("rounding: residual {:.3g} > {:.3g}", worst, bound)};
  }

  const SvdOptions& options_;
  Calls calls_;
  Printing printing_;
  Options database_;
  Watched map_;
  MatrixShell matrix_;
  std::int64_t smaller_, count_;
  OwnedSlepc<SVD> svd_;
  double largest_ = 0;
};

}  // namespace

SvdOutcome Svd::solve(const LinearMap& a, const SvdOptions& options) const {
  boot_slepc();
  try {
    return Solve(a, options).run();
  } catch (const NotFinite&) {
    return {.outcome = {Stop::failed, "a number is not finite"}};
  }
}

}  // namespace tyto::algebra::petsc
