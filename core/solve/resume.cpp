/// Snapshots of the running solve: when they are taken, what goes into them, and going on from one.
#include <algorithm>
#include <utility>
#include "error/fail.hpp"
#include "solve/iteration.hpp"

namespace tyto::solve {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }
Clock::time_point seconds_ago(double seconds) {
  return Clock::now() - std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

bool is_kept(const Tensor& t) { return t.kind == Kind::unknown || t.kind == Kind::state || t.kind == Kind::parameter; }

/// All the turns there are, by the number of their variants.
template <class Visit>
void for_each_variants(const Setup& setup, const Visit& visit) {
  const auto given = [&](const Variants& v) {
    if (v.exist()) visit(v);
  };
  for (const Objective& f : setup.objectives) {
    given(f.value), given(f.fit);
    for (const Gradient& g : f.gradients) given(g.value);
  }
  for (const BlockSolve& b : setup.block_solves) given(b.update);
  for (const std::vector<Step>* steps : {&setup.steps, &setup.minimizers})
    for (const Step& step : *steps) {
      for (const Step::Block& block : step.blocks) given(block.gradient), given(block.product), given(block.preconditioned);
      for (const Step::Part& part : step.matrix) given(part.value);
    }
  for (const Assign& a : setup.assigns) given(a.value);
  for (const Observed& o : setup.observed) given(o.value);
}

}  // namespace

void Solver::resume(Snapshot snapshot) {
  TYTO_ASSERT(snapshot.sweeps.size() == setup_.objectives.size() && snapshot.columns.size() == columns_.size());
  resumed_ = std::move(snapshot);
}

bool Solver::is_first_open(std::int32_t objective) const {
  const auto it = std::find_if(asked_.begin(), asked_.end(),
                               [&](std::int32_t f) { return f == objective || !sweeps_[static_cast<std::size_t>(f)].is_done; });
  return it != asked_.end() && *it == objective;
}

void Solver::take_snapshot_if_due(std::int32_t objective) {
  const Checkpoints& rule = setup_.checkpoints;
  if (!rule.take || !is_first_open(objective)) return;
  const Sweeps& sweeps = sweeps_[static_cast<std::size_t>(objective)];
  if (sweeps.is_done && sweeps.outcome.stop == Stop::failed) return;
  const bool is_whole = part_ == 0 || rule.sweeps == 1;
  const bool is_due = sweeps.is_done || (is_whole && rule.sweeps > 0 && sweeps.sweep % rule.sweeps == 0) ||
                      (rule.seconds > 0 && seconds_since(last_snapshot_) >= rule.seconds);
  if (!is_due) return;
  rule.take(snapshot(objective));
  last_snapshot_ = Clock::now();
}

Snapshot Solver::snapshot(std::int32_t objective) {
  Snapshot s{.objective = objective,
             .part = part_,
             .start = start_,
             .seed = seed_,
             .drawn = drawn_,
             .parameter_changed = parameter_changed_,
             .seconds = seconds_before_ + seconds_since(begin_),
             .sweeps = sweeps_,
             .columns = columns_,
             .history = history_,
             .warnings = warnings_};
  for (std::size_t t = 0; t < setup_.tensors.size(); ++t) {
    const auto id = static_cast<std::int32_t>(t);
    if (is_kept(setup_.tensors[t])) s.tensors.emplace_back(id, tensor::Dense::copy(state_.array(id)));
  }
  if (trains_) s.gauges = trains_->gauges();
  s.turns.resize(turns_.size());
  for_each_variants(setup_, [&](const Variants& v) { s.turns[v.number] = turns_[v.number].kept(v, evaluation_); });
  s.values = evaluation_.kept_values();
  return s;
}

void Solver::restore(const Snapshot& s) {
  for (const auto& [id, values] : s.tensors) {
    if (setup_.tensors[static_cast<std::size_t>(id)].varies) state_.replace(id, values);
    else tensor::copy_to(values.view(), state_.array(id));
  }
  if (trains_) trains_->restore(s.gauges);
  for (std::size_t k = 0; k < setup_.tensors.size(); ++k)
    if (setup_.tensors[k].kind != Kind::data) changed(static_cast<std::int32_t>(k));
  evaluation_.restore(s.values);
  turns_.assign(setup_.variants, {});
  if (s.turns.size() == turns_.size())
    for_each_variants(setup_, [&](const Variants& v) { turns_[v.number].restore(s.turns[v.number], v, evaluation_); });
  sweeps_ = s.sweeps;
  for (Sweeps& sweeps : sweeps_) {
    sweeps.begin = seconds_ago(sweeps.last.seconds);
    sweeps.last.interrupted = false;
  }
  columns_ = s.columns;
  history_.assign(s.history.begin(), s.history.end());
  for (const std::string& warning : s.warnings)
    if (warned_.insert(warning).second) warnings_.push_back(warning);
  part_ = s.part, start_ = s.start, seed_ = s.seed, drawn_ = s.drawn, parameter_changed_ = s.parameter_changed;
  seconds_before_ = s.seconds, begin_ = Clock::now();
}

}  // namespace tyto::solve
