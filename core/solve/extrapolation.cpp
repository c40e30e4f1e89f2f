#include "solve/extrapolation.hpp"
#include <algorithm>
#include <utility>

namespace tyto::solve {

namespace {

constexpr double first_weight = 0.5, growth = 1.05, ceiling_growth = 1.01, shrink = 1.5;  // of the paper
constexpr double this_sweep = 1, next_sweep_too = 2;                                      // how long it rests

/// x + weight (x - before) within the bounds; `before` becomes x.
template <class T>
void extrapolate(const Tensor& t, T* x, T* before, double weight) {
  const std::int64_t n = element_count(t.extents);
  for (std::int64_t e = 0; e < n; ++e) {
    const T solution = x[e];
    x[e] = static_cast<T>(std::clamp(solution + weight * (solution - before[e]), t.lower, t.upper));
    before[e] = solution;
  }
}

}  // namespace

Extrapolation::Extrapolation(const Setup& setup, std::int32_t objective, State& state)
    : setup_(setup), objective_(objective), pace_(setup.objectives[static_cast<std::size_t>(objective)].pace), state_(state) {}

double Extrapolation::weight() const {
  const bool is_first = get(last_block) == 0;
  return is_first || get(is_resting) != 0 ? 0 : get(present);
}

bool Extrapolation::move(std::int32_t id) {
  solved_last_ = id;
  const BlockSolve& block = setup_.block_solves[static_cast<std::size_t>(id)];
  const Array &x = state_.array(block.tensor), &before = state_.array(block.solution);
  const double w = get(last_block) == id + 1 ? 0 : weight();
  if (w == 0) {
    tensor::copy_to(x, before);
    return false;
  }
  const Tensor& unknown = setup_.tensors[static_cast<std::size_t>(block.tensor)];
  if (x.dtype == Dtype::f32) extrapolate(unknown, x.as<float>(), before.as<float>(), w);
  else extrapolate(unknown, x.as<double>(), before.as<double>(), w);
  return has_moved_ = true;
}

bool Extrapolation::finish(double before, double now, const std::function<void(std::int32_t)>& changed) {
  if (solved_last_ < 0) return false;  // no sweep of block solves
  const bool has_moved = std::exchange(has_moved_, false), is_undone = has_moved && !(now <= before);
  if (get(present) == 0) set(present, first_weight), set(ceiling, 1);
  if (is_undone) {
    set(ceiling, get(present)), set(present, get(present) / shrink);
  } else if (has_moved) {
    set(present, std::min(get(ceiling), growth * get(present)));
    set(ceiling, std::min(1.0, ceiling_growth * get(ceiling)));
  }
  keep(is_undone, changed);
  set(last_block, std::exchange(solved_last_, -1) + 1);
  set(is_resting, is_undone || get(is_resting) == next_sweep_too ? this_sweep : 0);
  return is_undone;
}

/// Between sweeps the coming one rests; within one, what has been solved for before is stale in the next.
void Extrapolation::rest() { set(is_resting, solved_last_ < 0 ? this_sweep : next_sweep_too); }

/// The unknowns of the objective as the last sweep that was not undone left them: stored, or brought back.
void Extrapolation::keep(bool back, const std::function<void(std::int32_t)>& changed) {
  for (const BlockSolve& block : setup_.block_solves) {
    if (block.objective != objective_ || block.tensor < 0) continue;
    const std::int32_t from = back ? block.accepted : block.tensor, to = back ? block.tensor : block.accepted;
    tensor::copy_to(state_.array(from), state_.array(to));
    if (back) changed(block.tensor);
  }
}

}  // namespace tyto::solve
