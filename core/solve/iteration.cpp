#include "solve/iteration.hpp"
#include <algorithm>
#include <cmath>
#include <utility>
#include "solve/balance.hpp"
#include "solve/handles.hpp"
#include "solve/optimality.hpp"
#include "tensor/random.hpp"

namespace tyto::solve {

namespace {

/// Rows of history for which memory is set aside, so that a sweep allocates nothing.
constexpr std::int64_t most_reserved_sweeps = 10'000;

/// Rounding below this part of a decrease leaves a step's gain ratio meaningful.
constexpr double accuracy_of_decrease = 0.01;

/// Row-major.
std::vector<double> numbers(const ConstArray& array) {
  const tensor::Dense copy = tensor::Dense::copy(array, Dtype::f64);
  const double* values = copy.view().as<double>();
  return {values, values + copy.size()};
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

Solver::Solver(const Setup& setup, State& state)
    : setup_(setup), state_(state), evaluation_(setup.program, setup.executor->load(setup.program, setup.options)) {
  for (std::size_t k = 0; k < setup.tensors.size(); ++k)
    if (setup.tensors[k].leaf >= 0) evaluation_.bind(setup.tensors[k].leaf, state.array(static_cast<std::int32_t>(k)));
  for (const Objective& f : setup.objectives)
    residuals_.push_back(f.residual.empty() ? nullptr : std::make_unique<Residual>(f.residual, setup));
  for (std::size_t f = 0; f < setup.objectives.size(); ++f) {
    extrapolations_.emplace_back();
    if (setup.objectives[f].pace >= 0) extrapolations_.back().emplace(setup, static_cast<std::int32_t>(f), state);
  }
  for (const BlockSolve& b : setup.block_solves) block_stores_.push_back(store_of(b.update, b.tensor));
  const LocalModel::Hooks hooks{[this](const Variants& v) { return turn(v); }, [this](std::int32_t tensor) { changed(tensor); }};
  for (const Step& s : setup.steps) models_.push_back(std::make_unique<LocalModel>(setup, s, state, evaluation_, hooks));
  for (const Step& m : setup.minimizers)
    minimizer_models_.push_back(std::make_unique<LocalModel>(setup, m, state, evaluation_, hooks));
  if (!setup.trains.empty())
    trains_ = std::make_unique<Trains>(
        setup, state,
        Trains::Hooks{[this](std::int32_t tensor) { kernels_see(tensor); }, [this](const std::string& text) { warn(text); }});
  for (const Assign& a : setup.assigns) assign_stores_.push_back(store_of(a.value, a.tensor));
  turns_.resize(setup.variants);
  sweeps_.resize(setup.objectives.size());
  columns_.resize(setup.columns.size(), 0);
}

Solver::Finished Solver::solve(const Algorithm& algorithm, int start, std::uint64_t seed) {
  sweeps_.assign(setup_.objectives.size(), {});
  turns_.assign(setup_.variants, {});
  history_.clear();
  history_.reserve(static_cast<std::size_t>(std::min(setup_.limits.max_sweeps, most_reserved_sweeps)));
  start_ = start, seed_ = seed, drawn_ = 0, present_ = -1, part_ = 0, parameter_changed_ = false;
  asked_.clear();
  is_continued_ = resumed_.has_value();
  begin_ = last_snapshot_ = std::chrono::steady_clock::now(), seconds_before_ = 0;
  for (std::size_t k = 0; k < setup_.tensors.size(); ++k)
    if (setup_.tensors[k].kind != Kind::data) changed(static_cast<std::int32_t>(k));
  if (trains_) trains_->begin();
  algorithm.run(*this);
  check_closed();
  if (present_ < 0) fail(Code::plugin_rule, "the plugin's run() begins no sweep", "while (it.next(objective)) ...");
  cross_check(present_);
  // Where several objectives ran, the last one is the answer.
  Sweeps& last = sweeps_[static_cast<std::size_t>(present_)];
  Finished finished{.outcome = last.outcome,
                    .objective = last.previous,
                    .seconds = seconds_before_ + seconds_since(begin_),
                    .sweeps = last.sweep,
                    .history = history_};
  finished.relative_error = last.relative_error;
  for (const Sweeps& sweeps : sweeps_)
    if (sweeps.is_done && sweeps.outcome.stop == Stop::interrupted) finished.outcome = sweeps.outcome;
  finished.optimality = optimality(setup_.objectives[static_cast<std::size_t>(present_)], last);
  return finished;
}

std::size_t Solver::turn(const Variants& v) { return turns_[v.number].take(v, evaluation_, sweep(), setup_.sweeps_per_cycle); }

double Solver::scalar(const Value& v) {
  const ConstArray& a = evaluation_.run(v.kernel);
  return a.dtype == Dtype::f32 ? static_cast<double>(*a.as<float>()) : *a.as<double>();
}

Solver::Fit Solver::fit(const Objective& f, Sweeps& sweeps, Residual* residual, double wanted) {
  refresh(f.networks);
  const double value = scalar(f.value);
  if (f.projection) return captured(f, value, sweeps, residual);
  if (f.fit_at_zero.kernel < 0) return {value, -1, rounding_of_sum(std::abs(value), setup_.precision)};
  if (sweeps.at_zero < 0) sweeps.at_zero = scalar(f.fit_at_zero);
  double declared = scalar(f.fit);
  const double ridge = value - declared;
  double rounding = rounding_of_sum(std::max(value, sweeps.at_zero), setup_.precision);
  if (residual != nullptr && (expanded_cancels(declared, sweeps.at_zero, setup_.limits.tolerance, setup_.precision) ||
                              rounding > accuracy_of_decrease * wanted)) {
    declared = residual->value(state_);
    rounding = rounding_of_residual(declared, sweeps.at_zero, setup_.precision) + rounding_of_sum(ridge, setup_.precision);
  }
  if (sweeps.at_zero == 0) return {declared + ridge, declared == 0 ? 0 : std::numeric_limits<double>::infinity(), rounding};
  return {declared + ridge, std::sqrt(std::max(0.0, declared / sweeps.at_zero)), rounding};
}

/// The error is that of what the bases leave out: |X|^2 - |G|^2, which rounding may push below 0, or what is left of X itself.
Solver::Fit Solver::captured(const Objective& f, double value, Sweeps& sweeps, Residual* residual) {
  if (sweeps.at_zero < 0) sweeps.at_zero = scalar(f.projection->whole);
  const double whole = sweeps.at_zero, rounding = rounding_of_sum(whole, setup_.precision);
  if (whole == 0) return {value, 0, rounding};
  double left = std::max(0.0, whole + value);
  if (residual != nullptr && expanded_cancels(left, whole, 0, setup_.precision)) left = left_out(*f.projection, *residual);
  return {value, std::sqrt(left / whole), rounding};
}

double Solver::left_out(const Projection& p, Residual& residual) {
  const Value& core = p.core.of[turn(p.core)];
  tensor::copy_to(permuted(evaluation_.run(core.kernel), core.axes), state_.array(p.copy));
  return residual.value(state_);
}

/// Both ways to the error of a projection agree as long as its bases are orthonormal.
void Solver::cross_check(std::int32_t id) {
  const auto k = static_cast<std::size_t>(id);
  const Objective& f = setup_.objectives[k];
  const double whole = sweeps_[k].at_zero;
  if (!f.projection || !residuals_[k] || !(whole > 0) || sweeps_[k].outcome.stop == Stop::failed) return;
  const double subtracted = whole + scalar(f.fit), left = left_out(*f.projection, *residuals_[k]);
  constexpr double far_above = 1000;
  if (std::abs(subtracted - left) > far_above * rounding_of_sum(whole, setup_.precision))
    warn(fmt::format("|X|^2 - |G|^2 is {:.6g}, but the squared norm of the residual is {:.6g}: the bases are not orthonormal",
                     subtracted, left));
}

double Solver::gradient_norm(const Objective& f, Sweeps& sweeps) {
  if (f.gradients.empty() || setup_.limits.gradient_tolerance <= 0) return -1;
  double square = 0;
  for (const Gradient& g : f.gradients) {
    const Tensor& unknown = setup_.tensors[static_cast<std::size_t>(g.tensor)];
    std::vector<double> slope = slope_of(g);
    if (has_bounds(unknown)) drop_blocked(unknown, numbers(state_.array(g.tensor)), slope);
    for (const double s : slope) square += s * s;
  }
  if (sweeps.first_gradient < 0) sweeps.first_gradient = std::sqrt(square);
  return sweeps.first_gradient == 0 ? 0 : std::sqrt(square) / sweeps.first_gradient;
}

std::vector<double> Solver::slope_of(const Gradient& g) {
  const Value& value = g.value.of[turn(g.value)];
  return numbers(permuted(evaluation_.run(value.kernel), value.axes));
}

std::optional<double> Solver::optimality(const Objective& f, Sweeps& sweeps) {
  const auto is_bounded = [&](const Gradient& g) { return has_bounds(setup_.tensors[static_cast<std::size_t>(g.tensor)]); };
  if (std::none_of(f.gradients.begin(), f.gradients.end(), is_bounded)) return std::nullopt;
  if (f.fit_at_zero.kernel >= 0 && sweeps.at_zero < 0) sweeps.at_zero = scalar(f.fit_at_zero);
  const double size = f.fit_at_zero.kernel >= 0 ? sweeps.at_zero : std::abs(sweeps.previous);
  double largest = 0;
  for (const Gradient& g : f.gradients)
    largest = std::max(largest, solve::optimality(setup_.tensors[static_cast<std::size_t>(g.tensor)],
                                                  numbers(state_.array(g.tensor)), slope_of(g), size));
  return largest;
}

bool Solver::next(tyto::Objective handle) {
  entry(setup_.objectives, handle, "an objective");
  check_closed();
  Sweeps& sweeps = sweeps_[static_cast<std::size_t>(handle.id)];
  if (std::find(asked_.begin(), asked_.end(), handle.id) == asked_.end()) asked_.push_back(handle.id);
  if (resumed_ && handle.id != resumed_->objective && resumed_->sweeps[static_cast<std::size_t>(handle.id)].is_done) return false;
  if (sweeps.is_done || is_interrupted()) return false;
  const bool is_finished = resumed_.has_value();
  if (is_finished) restore(*std::exchange(resumed_, std::nullopt));
  present_ = handle.id;
  if (is_finished && part_ > 0) return true;  // in the midst of a sweep
  if (is_finished && sweeps.sweep > 0) {
    judge(sweeps);
    if (!sweeps.is_done) even_out_all();
  } else if (sweeps.sweep == 0) {
    sweeps.begin = std::chrono::steady_clock::now();
    sweeps.previous = std::numeric_limits<double>::infinity();
    if (setup_.limits.max_sweeps == 0) {
      sweeps.is_done = true, sweeps.outcome = {Stop::sweep_limit, "sweep limit of 0"};
      const Fit now = fit(setup_.objectives[static_cast<std::size_t>(handle.id)], sweeps,
                          residuals_[static_cast<std::size_t>(handle.id)].get());
      sweeps.previous = now.value, sweeps.relative_error = now.relative_error;
    }
  } else {
    finish_sweep(handle.id);
  }
  if (sweeps.is_done) return false;
  ++sweeps.sweep, part_ = 0;
  std::fill(columns_.begin(), columns_.end(), 0);
  return true;
}

bool Solver::part(std::int64_t number) {
  check_closed();
  if (present_ < 0) fail(Code::plugin_rule, "part() is asked for before a sweep has begun", "while (it.next(objective)) ...");
  if (trains_) trains_->check_split();
  if (number < part_) return false;
  if (number > part_) part_ = number, take_snapshot_if_due(present_);
  return true;
}

/// Whether the sweep was extrapolated too far and has been taken back.
bool Solver::undone(std::int32_t id, double objective) {
  std::optional<Extrapolation>& extrapolation = extrapolations_[static_cast<std::size_t>(id)];
  if (!extrapolation) return false;
  report(setup_.sweep_columns.extrapolation, extrapolation->weight());
  return extrapolation->finish(sweeps_[static_cast<std::size_t>(id)].previous, objective,
                               [this](std::int32_t tensor) { changed(tensor); });
}

/// Then no other objective begins: what comes after is for a resumed run.
bool Solver::is_interrupted() const {
  return std::any_of(sweeps_.begin(), sweeps_.end(),
                     [](const Sweeps& s) { return s.is_done && s.outcome.stop == Stop::interrupted; });
}

void Solver::finish_sweep(std::int32_t id) {
  part_ = 0;
  Sweeps& sweeps = sweeps_[static_cast<std::size_t>(id)];
  const Objective& f = setup_.objectives[static_cast<std::size_t>(id)];
  Fit now = fit(f, sweeps, residuals_[static_cast<std::size_t>(id)].get());
  const bool is_undone = undone(id, now.value);
  if (is_undone) now.value = sweeps.previous, now.relative_error = sweeps.relative_error;
  SweepFacts facts{
      .sweep = sweeps.sweep, .objective = now.value, .previous = sweeps.previous, .relative_error = now.relative_error};
  facts.gradient_norm = gradient_norm(f, sweeps);
  facts.seconds = seconds_since(sweeps.begin);
  facts.parameter_changed = parameter_changed_ || is_undone;  // that nothing was gained is no sign of convergence
  // An energy may stand still while the state does not: its error is of second order in that of the state.
  if (trains_) facts.parameter_changed |= trains_->entropy_change() > std::sqrt(setup_.limits.tolerance);
  facts.end = std::exchange(sweeps.end, std::nullopt);
  facts.interrupted = setup_.interrupted && is_first_open(id) && setup_.interrupted();  // where it can be resumed from
  parameter_changed_ = false;
  Progress row{.start = start_,
               .sweep = sweeps.sweep,
               .objective = now.value,
               .relative_error = now.relative_error,
               .seconds = facts.seconds};
  row.change =
      std::isfinite(sweeps.previous) ? relative_change(now.value, sweeps.previous) : std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < columns_.size(); ++k) row.columns.emplace_back(setup_.columns[k], columns_[k]);
  history_.push_back(row);
  if (setup_.on_progress) setup_.on_progress(row);
  sweeps.previous = now.value, sweeps.relative_error = now.relative_error;
  sweeps.last = facts, sweeps.last_as = std::exchange(sweeps.end_as, std::nullopt);
  judge(sweeps);
  take_snapshot_if_due(id);
  if (!sweeps.is_done) even_out_all();
}

/// Whether the last sweep was the last one, by the limits of this run.
void Solver::judge(Sweeps& sweeps) {
  const std::optional<Outcome> outcome = stop(setup_.limits, sweeps.last);
  sweeps.is_done = outcome.has_value();
  if (outcome) sweeps.outcome = named(*outcome, sweeps.last_as, sweeps.last);
}

void Solver::even_out_all() {
  for (const Balance& balance : setup_.balances)
    if (even_out(balance, setup_.tensors, state_, [this](std::int32_t tensor) { changed(tensor); })) rest();
}

void Solver::rest() {
  for (std::optional<Extrapolation>& extrapolation : extrapolations_)
    if (extrapolation) extrapolation->rest();
}

std::int64_t Solver::sweep() const { return present_ < 0 ? 0 : sweeps_[static_cast<std::size_t>(present_)].sweep; }

double Solver::objective(tyto::Objective f) {
  check_closed();
  const auto k = static_cast<std::size_t>(f.id);
  return fit(entry(setup_.objectives, f, "an objective"), sweeps_[k], residuals_[k].get()).value;
}

double Solver::value(tyto::Value v) {
  check_closed();
  const Observed& o = scalar_of(setup_, v);
  refresh(o.networks);
  return scalar(o.value);
}

std::vector<double> Solver::observed(std::size_t k) {
  const Observed& o = setup_.observed[k];
  refresh(o.networks);
  const Value& value = o.value.of[turn(o.value)];
  return numbers(permuted(evaluation_.run(value.kernel), value.axes));
}

void Solver::refresh(const std::vector<std::int32_t>& networks) {
  if (trains_) trains_->refresh(networks);
}

void Solver::changed(std::int32_t tensor) {
  if (trains_) trains_->changed(tensor);
  kernels_see(tensor);
}

void Solver::kernels_see(std::int32_t tensor) {
  const Tensor& t = setup_.tensors[static_cast<std::size_t>(tensor)];
  if (t.leaf >= 0) evaluation_.touch(t.leaf);
  if (t.kind != Kind::unknown)  // the fit at zero unknowns may depend on it
    for (Sweeps& sweeps : sweeps_) sweeps.at_zero = -1;
}

void Solver::resize(const Index&, std::int64_t) { fail_unsupported("resize"); }

double Solver::get(const Expr& parameter) const { return state_.get(tensor_of(setup_, parameter), 0); }

void Solver::set(const Expr& parameter, double value) {
  const std::int32_t tensor = parameter_of(setup_, parameter);
  if (state_.get(tensor, 0) == value) return;
  state_.set(tensor, 0, value);
  changed(tensor);
  parameter_changed_ = true;
}

std::int64_t Solver::extent(const Index& index) const {
  for (std::size_t k = 0; index.varies() && k < setup_.tensors.size(); ++k) {
    const Tensor& t = setup_.tensors[k];
    const auto axis = std::find(t.labels.begin(), t.labels.end(), index.name());
    if (t.varies && axis != t.labels.end())
      return state_.array(static_cast<std::int32_t>(k)).extents[static_cast<std::size_t>(axis - t.labels.begin())];
  }
  return index.extent();
}

ConstArray Solver::read(const Expr& leaf) { return state_.array(tensor_of(setup_, leaf)); }

Write Solver::write(const Expr& leaf) {
  check_closed();
  const std::int32_t tensor = writable(setup_, leaf);
  changed(tensor);
  if (setup_.tensors[static_cast<std::size_t>(tensor)].kind == Kind::unknown) rest();
  return Write(state_.array(tensor), &open_);
}

double Solver::uniform() { return tensor::Random(seed_, "run").uniform(drawn_++); }

void Solver::report_largest(Column c, double value) {
  entry(setup_.columns, c, "a column");
  double& largest = columns_[static_cast<std::size_t>(c.id)];
  largest = std::max(largest, value);
}

void Solver::report(Column c, double value) {
  entry(setup_.columns, c, "a column");
  columns_[static_cast<std::size_t>(c.id)] = value;
}

void Solver::warn(const std::string& text) {
  if (!warned_.insert(text).second) return;
  warnings_.push_back(text);
  if (setup_.on_message) setup_.on_message(text);
}

void Solver::end_as(Stop stop, const std::string& reason) {
  if (present_ >= 0) sweeps_[static_cast<std::size_t>(present_)].end_as = Outcome{stop, reason};
}

std::vector<tyto::Objective> Solver::objectives() const {
  std::vector<tyto::Objective> all;
  for (std::size_t k = 0; k < setup_.objectives.size(); ++k) all.push_back({static_cast<std::int32_t>(k)});
  return all;
}

std::vector<tyto::BlockSolve> Solver::block_solves(tyto::Objective f) const {
  return handles_of<tyto::BlockSolve>(setup_.block_solves, f, is_free);
}
std::vector<tyto::Step> Solver::steps(tyto::Objective f) const { return handles_of<tyto::Step>(setup_.steps, f, has_blocks); }
std::vector<Minimize> Solver::minimizers(tyto::Objective f) const { return handles_of<Minimize>(setup_.minimizers, f, has_blocks); }
std::vector<tyto::Subspace> Solver::subspaces(tyto::Objective f) const {
  return handles_of<tyto::Subspace>(setup_.subspaces, f, is_free_basis);
}

void Solver::check_closed() const {
  if (open_) fail(Code::plugin_rule, "a kernel runs while a tensor is open for writing", "the Write destroyed first");
}

}  // namespace tyto::solve
