/// Kernels spent in the running solve: what each computes goes into its tensor, and what it reports into the columns.
#include <cmath>
#include <utility>
#include <fmt/format.h>
#include "solve/handles.hpp"
#include "solve/iteration.hpp"
#include "solve/minimize.hpp"
#include "solve/subspace.hpp"

namespace tyto::solve {

Solver::Store Solver::store_of(const Variants& variants, std::int32_t tensor) const {
  Store store{.tensor = tensor};
  for (const Value& v : variants.of) store.from.push_back(output_view(*setup_.program, v));
  return store;
}

void Solver::run(const Variants& variants, Store& s) {
  const std::size_t variant = turn(variants);
  s.from[variant].data = evaluation_.run(variants.of[variant].kernel).data;
  tensor::copy_to(s.from[variant], state_.array(s.tensor));
  changed(s.tensor);
}

void Solver::apply(tyto::BlockSolve b) {
  check_closed();
  const BlockSolve& request = entry(setup_.block_solves, b, "a block solve");
  if (request.tensor < 0) return;  // the user fixed this unknown
  const std::int64_t deficient = evaluation_.counts().rank_deficient;
  Store& update = block_stores_[static_cast<std::size_t>(b.id)];
  run(request.update, update);
  std::optional<Extrapolation>& extrapolation = extrapolations_[static_cast<std::size_t>(request.objective)];
  if (extrapolation && extrapolation->move(b.id)) changed(request.tensor);
  if (evaluation_.counts().rank_deficient == deficient || update.is_known_deficient) return;
  update.is_known_deficient = true;
  warn(fmt::format("the equations for {} are rank deficient; the solution of minimum norm is taken",
                   setup_.tensors[static_cast<std::size_t>(request.tensor)].name));
}

void Solver::apply(tyto::Assign a) {
  check_closed();
  const Assign& request = entry(setup_.assigns, a, "an assignment");
  run(request.value, assign_stores_[static_cast<std::size_t>(a.id)]);
  if (setup_.tensors[static_cast<std::size_t>(request.tensor)].kind == Kind::unknown) rest();
}

Measure Solver::measure_of(std::int32_t objective) {
  const auto f = static_cast<std::size_t>(objective);
  return [this, f](double wanted) {
    const Fit now = fit(setup_.objectives[f], sweeps_[f], residuals_[f].get(), wanted);
    return Measured{now.value, now.rounding};
  };
}

void Solver::report(std::int32_t column, double value) {
  if (column >= 0) columns_[static_cast<std::size_t>(column)] = value;
}

StepReport Solver::apply(tyto::Step handle) {
  check_closed();
  const Step& request = entry(setup_.steps, handle, "a step");
  if (request.blocks.empty()) return {};  // the user fixed all of its unknowns
  const auto f = static_cast<std::size_t>(request.objective);
  const Measure measure = measure_of(request.objective);
  Region region{state_.get(request.region, 0), state_.get(request.region, 1)};
  LocalModel& model = *models_[static_cast<std::size_t>(handle.id)];
  const StepOutcome done = request.method == Method::gradient_descent ? gradient_step(model, measure, region)
                                                                      : trust_region_step(model, setup_.inner, measure, region);
  state_.set(request.region, 0, region.radius), state_.set(request.region, 1, region.first_gradient);
  report(setup_.step_columns.gradient_norm, done.gradient_norm);
  report(setup_.step_columns.products, static_cast<double>(done.products));
  report(setup_.step_columns.gain, done.gain);
  if (done.end) sweeps_[f].end = done.end;
  return done.report;
}

/// Each step of the minimizer is a sweep: this finishes it and begins the next.
class Solver::Watch final : public algebra::Monitor {
 public:
  Watch(Solver& solver, std::int32_t objective, ObjectiveFunction& function)
      : solver_(solver), objective_(objective), function_(function) {}
  bool proceed(const algebra::MinimizerProgress& progress) override {
    Sweeps& sweeps = solver_.sweeps_[static_cast<std::size_t>(objective_)];
    function_.move_to(*progress.x);
    solver_.report(solver_.setup_.step_columns.gradient_norm, progress.gradient_norm);
    solver_.report(solver_.setup_.step_columns.products, static_cast<double>(function_.products() - seen_products_));
    seen_products_ = function_.products();
    solver_.finish_sweep(objective_);
    if (!sweeps.is_done) ++sweeps.sweep;
    return !sweeps.is_done;
  }

 private:
  Solver& solver_;
  std::int32_t objective_;
  ObjectiveFunction& function_;
  std::int64_t seen_products_ = 0;
};

Outcome Solver::apply(tyto::Minimize handle) {
  check_closed();
  const Step& request = entry(setup_.minimizers, handle, "a minimizer");
  Sweeps& sweeps = sweeps_[static_cast<std::size_t>(request.objective)];
  const auto ended = [&sweeps](const Outcome& outcome) {
    sweeps.is_done = true;
    return sweeps.outcome = outcome;
  };
  if (request.blocks.empty()) return ended({Stop::converged, "all of its unknowns are fixed"});
  const bool is_newton = request.method == Method::newton;
  const algebra::Minimizer& minimizer = *(is_newton ? setup_.minimizer.newton : setup_.minimizer.quasi_newton);
  LocalModel& model = *minimizer_models_[static_cast<std::size_t>(handle.id)];
  const Measure measure = measure_of(request.objective);
  ObjectiveFunction function(model, measure, is_newton);
  Watch watch(*this, request.objective, function);
  if (is_continued_ && setup_.on_message)
    setup_.on_message(fmt::format("{} owns its loop: it begins anew from the unknowns of the checkpoint", minimizer.name()));
  is_continued_ = false;
  const std::optional<Bounds> bounds = bounds_of(setup_, request);
  algebra::MinimizerOptions options{.gradient_tolerance = setup_.limits.gradient_tolerance,
                                    .max_iterations = setup_.limits.max_sweeps,
                                    .lower = bounds ? &bounds->lower : nullptr,
                                    .upper = bounds ? &bounds->upper : nullptr,
                                    .library = setup_.minimizer.library};
  algebra::HostVector x(model.size());
  model.read_unknowns(x);
  const algebra::MinimizerOutcome done = minimizer.minimize(function, x, watch, options);
  function.move_to(x);
  if (sweeps.is_done) return sweeps.outcome;
  --sweeps.sweep;  // the one that its monitor began
  const Fit now = fit(setup_.objectives[static_cast<std::size_t>(request.objective)], sweeps,
                      residuals_[static_cast<std::size_t>(request.objective)].get());
  sweeps.previous = now.value, sweeps.relative_error = now.relative_error;
  const Outcome outcome = ended(done.outcome);
  take_snapshot_if_due(request.objective);
  return outcome;
}

std::int64_t Solver::apply(tyto::Subspace s, const Truncation&) {
  check_closed();
  const Subspace& request = entry(setup_.subspaces, s, "a subspace");
  if (request.tensor < 0) return 0;  // the user fixed this unknown
  const Value& matrix = request.matrix.of[turn(request.matrix)];
  if (update_subspace(setup_, request, permuted(evaluation_.run(matrix.kernel), matrix.axes), state_)) changed(request.tensor);
  else
    sweeps_[static_cast<std::size_t>(request.objective)].end =
        Outcome{Stop::failed, fmt::format("the matrix of which {} is a basis is not finite: scale the data (scale: auto)",
                                          setup_.tensors[static_cast<std::size_t>(request.tensor)].name)};
  return vectors_of(setup_, request);
}

double Solver::apply(tyto::EigenSolve s, const Krylov& krylov) {
  check_closed();
  const EigenSolve& request = entry(setup_.eigen_solves, s, "an eigenproblem");
  const double value = trains_->apply(request, krylov);
  if (!std::isfinite(value))
    sweeps_[static_cast<std::size_t>(request.objective)].end =
        Outcome{Stop::failed, fmt::format("no eigenvector was found at site {}", request.first + 1)};
  return value;
}

double Solver::residual(tyto::EigenSolve s) {
  check_closed();
  return trains_->residual(entry(setup_.eigen_solves, s, "an eigenproblem"));
}

SplitReport Solver::apply(tyto::Split s, Weight to, const Truncation& cut) {
  check_closed();
  const Split& request = entry(setup_.splits, s, "a split");
  return trains_->apply(request, to, cut);
}

}  // namespace tyto::solve
